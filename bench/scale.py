"""Past one machine, measured on one: workers beside one pinned core, Dask beside scikit-learn, errors of shards, and a sum.

Every comparison takes turns in one run and the best of a few counts. Two workers are held against one process that is
pinned to a core, and against two independent processes that are pinned to a core each, which is as well as two workers
could do. Needs distributed and scikit-learn beside the library, and the data sets beside the project for the errors.

    python bench/scale.py [from-memory] [from-text] [dask] [dask-text] [errors] [cost] [memory] [day]
"""

from __future__ import annotations

import heapq
import os
import pickle
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np
from scipy.sparse import csr_array

import littlestone as ls
from littlestone.streams.files import Reader
from littlestone.streams.loading import Loaded

DATA = Path(__file__).parents[2] / "shared" / "data" / "libsvm"
Part: TypeAlias = "tuple[csr_array[np.float64], np.ndarray[tuple[int], np.dtype[np.int64]]]"

ROWS, FEATURES, NONZEROS, DENSE = 120_000, 20_000, 60, 100
ROUNDS = 4
PASSES = 5


def stream(rows: int, seed: int = 0) -> tuple[csr_array[np.float64], np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """Sparse rows with frequent and rare features, and labels of hidden weights."""
    rng = np.random.default_rng(seed)
    places = (FEATURES * rng.random((rows, NONZEROS)) ** 3).astype(np.int32)
    places.sort(axis=1)
    values = rng.random((rows, NONZEROS)).round(3) + 0.001
    start = np.arange(0, rows * NONZEROS + 1, NONZEROS, dtype=np.int32)
    X = csr_array((values.ravel(), places.ravel(), start), shape=(rows, FEATURES))
    X.sum_duplicates()
    hidden = np.random.default_rng(1).normal(size=FEATURES)
    return X, np.where(X @ hidden + 0.5 * rng.normal(size=rows) > 0.0, 1, -1)


def dense(
    rows: int, seed: int = 0
) -> tuple[np.ndarray[tuple[int, int], np.dtype[np.float64]], np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """Dense rows, and labels of hidden weights."""
    rng = np.random.default_rng(seed)
    X, hidden = rng.normal(size=(rows, DENSE)), np.random.default_rng(1).normal(size=DENSE)
    return X, np.where(X @ hidden + rng.normal(size=rows) > 0.0, 1, -1)


def written(folder: Path, X: csr_array[np.float64], y: Sequence[int], name: str) -> Path:
    """The rows as svmlight."""
    path = folder / f"{name}.svm"
    with path.open("w") as file:
        for t in range(X.shape[0]):
            begin, end = X.indptr[t], X.indptr[t + 1]
            entries = zip(X.indices[begin:end] + 1, X.data[begin:end], strict=True)
            file.write(f"{y[t]} " + " ".join(f"{k}:{v:.3f}" for k, v in entries) + "\n")
    return path


def best(*runs: Callable[[], float], rounds: int = ROUNDS) -> list[float]:
    """The best time of each, taking turns."""
    times = [[run() for run in runs] for _ in range(rounds)]
    return [min(column) for column in zip(*times, strict=True)]


_EPOCH = """
import os, pickle, sys, time
cores, begin, places = sys.argv[1], float(sys.argv[2]), sys.argv[3:]
if cores: os.sched_setaffinity(0, {{int(cores)}})
import littlestone as ls
parts = [pickle.load(open(place, "rb")) for place in places] if {memory} else places
workers = map if cores else ls.threads(2)
rule = ls.PassiveAggressive(variant="PA-I", C=0.1)
ls.epochs(parts, rule, labels=(-1, 1), map=workers)
time.sleep(max(0.0, begin - time.time()))
def once():
    start = time.perf_counter()
    ls.epochs(parts, rule, labels=(-1, 1), map=workers, epochs=5)
    return (time.perf_counter() - start) / 5
print(min(once() for _ in range({runs})))
"""


def epoch(cores: Sequence[str], places: Sequence[Sequence[Path]], *, memory: bool) -> float:
    """The time of an epoch, the best of some runs of five: of one process, or of the slower of two that begin together."""
    begin = str(time.time() + (3.0 if len(cores) > 1 else 0.0))
    code = _EPOCH.format(memory=memory, runs=8 if memory else 2)
    started = [
        subprocess.Popen([sys.executable, "-c", code, core, begin, *map(str, own)], stdout=subprocess.PIPE, text=True)
        for core, own in zip(cores, places, strict=True)
    ]
    return max(float(process.communicate()[0]) for process in started)


def halves() -> list[Part]:
    """The rows of the comparison, in two partitions."""
    X, y = stream(ROWS)
    return [(X[k::2].tocsr(), y[k::2]) for k in range(2)]


def speed_from_memory(folder: Path) -> None:
    """Two workers beside one pinned process, and beside two, on arrays."""
    places = [folder / f"half-{k}.pickle" for k in range(2)]
    for place, half in zip(places, halves(), strict=True):
        place.write_bytes(pickle.dumps(half))
    speed("memory", places)


def speed_from_text(folder: Path) -> None:
    """The same on files of text."""
    speed("text", [written(folder, X, y.tolist(), f"half-{k}") for k, (X, y) in enumerate(halves())])


def speed(what: str, places: Sequence[Path]) -> None:
    """Two workers beside one pinned process, and beside two."""
    memory = what == "memory"
    one, two, apart = best(
        partial(epoch, ["0"], [places], memory=memory),
        partial(epoch, [""], [places], memory=memory),
        partial(epoch, ["0", "1"], [[place] for place in places], memory=memory),
    )
    say(f"epoch from {what}: one pinned {one:.4f} s, two workers {two:.4f} s ({one / two:.2f} x), two apart {apart:.4f} s")
    say(f"  two workers have {apart / two:.2f} of what two independent processes have")


class Harness(Protocol):
    """What is used of `distributed.Client`."""

    def map(self, function: Callable[..., object], *tasks: Sequence[object], pure: bool) -> Sequence[object]:
        """Begins every task."""
        ...

    def gather(self, futures: Sequence[object]) -> Sequence[object]:
        """Waits for the results, in order."""
        ...

    def compute(self, collections: Sequence[object]) -> Sequence[object]:
        """Begins to compute what is lazy."""
        ...


class Parts:
    """What the workers hold, as one of Dask's collections."""

    def __init__(self, held: Sequence[object]) -> None:
        self._held = held

    def to_delayed(self) -> list[object]:
        """Each part, which is there."""
        return list(self._held)


def beside_sklearn() -> None:
    """The same Dask harness, sparse rows and dense ones: partitions held by workers, models averaged after every epoch.

    Same rows in the same order and of the same type, same steps, same number of passes, and as many tasks. What Dask takes for
    tasks that do nothing is told beside it, for both have it to bear; so are the first epoch, in which rows are checked, and
    those that follow.
    """
    distributed = import_module("distributed")  # by name: it comes without types
    with distributed.Client(n_workers=2, threads_per_worker=1, dashboard_address=":0") as client:
        for what, make, rows in (("sparse", stream, 5 * ROWS // 2), ("dense", dense, 2 * ROWS)):
            pairs = client.map(make, [rows] * 4, range(4), pure=False)
            X, y = (client.map(itemgetter(k), pairs) for k in range(2))
            distributed.wait(X + y)
            del pairs
            one_race(client, what, X, y, FEATURES if make is stream else DENSE)
            del X, y


def one_race(client: Harness, what: str, X: Sequence[object], y: Sequence[object], width: int) -> None:
    """PA-I beside PA-I, by turns."""
    import littlestone.dask

    rule = ls.PassiveAggressive(variant="PA-I", C=0.1)

    def ours(epochs: int = PASSES) -> float:
        start = time.perf_counter()
        littlestone.dask.fit(rule, (Parts(X), Parts(y)), client=client, labels=(-1, 1), epochs=epochs)
        return time.perf_counter() - start

    def averaged(task: Callable[..., object], epochs: int = PASSES) -> float:
        start = time.perf_counter()
        weights = np.zeros(width)
        for _ in range(epochs):
            made = client.gather(client.map(task, X, y, [weights] * 4, pure=False))
            weights = np.mean(np.asarray(made), axis=0)
        return time.perf_counter() - start

    runs = (ours, partial(averaged, _sgd), partial(averaged, _nothing), partial(ours, 1), partial(averaged, _sgd, 1))
    mine, its, empty, first, its_first = best(*runs, rounds=3)
    say(
        f"{PASSES} epochs on Dask, 4 partitions, 2 workers, {what}: {mine:.2f} s, SGD averaged {its:.2f} s ({its / mine:.2f} x)"
    )
    later = (its - its_first) / (mine - first)
    say(f"  Dask with tasks that do nothing {empty:.2f} s; first epoch {its_first / first:.2f} x, each later one {later:.2f} x")


def text_beside_sklearn(folder: Path) -> None:
    """The same harness with files of text, which workers open."""
    distributed = import_module("distributed")  # by name: it comes without types
    with distributed.Client(n_workers=2, threads_per_worker=1, dashboard_address=":0") as client:
        race_from_text(client, folder)


def race_from_text(client: Harness, folder: Path) -> None:
    """Ours read the files in every epoch, theirs once, to keep the rows in memory."""
    import littlestone.dask

    streams = [stream(ROWS // 2, seed) for seed in range(4)]
    paths = [written(folder, X, y.tolist(), f"part-{k}") for k, (X, y) in enumerate(streams)]
    rule = ls.PassiveAggressive(variant="PA-I", C=0.1)

    def ours() -> float:
        start = time.perf_counter()
        littlestone.dask.fit(rule, paths, client=client, labels=(-1, 1), epochs=PASSES)
        return time.perf_counter() - start

    def theirs() -> float:
        start, weights = time.perf_counter(), np.zeros(FEATURES)
        pairs = client.map(_loaded, [str(path) for path in paths], pure=False)
        for _ in range(PASSES):
            made = client.gather(client.map(_sgd_of, pairs, [weights] * 4, pure=False))
            weights = np.mean(np.asarray(made), axis=0)
        return time.perf_counter() - start

    mine, its = best(ours, theirs, rounds=2)
    say(f"{PASSES} epochs on Dask, 4 files of text, 2 workers: {mine:.2f} s, SGD averaged {its:.2f} s ({its / mine:.2f} x)")


def _loaded(path: str) -> object:
    X, y = import_module("sklearn.datasets").load_svmlight_file(path, n_features=FEATURES)
    X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)  # all that SGDClassifier takes
    return X, y


def _sgd_of(pair: tuple[object, object], weights: object) -> object:
    return _sgd(*pair, weights)


def _nothing(*parts: object) -> object:
    return parts[-1]


def _sgd(X: object, y: object, weights: object) -> object:
    made = import_module("sklearn.linear_model").SGDClassifier
    steps = {"learning_rate": "pa1", "eta0": 0.1, "penalty": None, "fit_intercept": False}
    model = made(loss="hinge", shuffle=False, max_iter=1, tol=None, **steps)
    model.fit(X, y, coef_init=weights)
    found: object = model.coef_[0]
    return found


def errors() -> None:
    """Eight shards beside one, on rows held out: the mean of five splits, with a constant feature and without."""
    for name, constant in ((name, constant) for name in ("a9a.svm.gz", "w8a.shuf.svm.gz") for constant in (True, False)):
        whole = ls.read(DATA / name, constant=constant).load()
        for rule in (ls.Perceptron(), *(ls.PassiveAggressive(variant="PA-I", C=C) for C in (0.1, 1.0))):
            found = np.array([[split_error(whole, rule, seed, shards) for shards in (1, 8)] for seed in range(5)])
            serial, eight = found.mean(axis=0)
            worst = (found[:, 1] - found[:, 0]).max()
            verdict = "kept" if eight <= serial + 0.002 else "MISSED"
            what = f"{name}{' with a constant' if constant else ''}, {rule!r}"
            say(f"{what}: serial {serial:.4f}, 8 shards {eight:.4f}: {verdict}")
            say(f"  {eight - serial:+.5f} on average, {worst:+.4f} in the worst of five splits")


def split_error(whole: Loaded, rule: ls.LinearRule, seed: int, shards: int) -> float:
    """The error after five epochs on a fifth of the rows, held out."""
    order = np.random.default_rng(seed).permutation(len(whole.y))
    X, y, cut = whole.X[order], np.asarray(whole.y)[order], len(order) * 4 // 5
    parts = [(X[k:cut:shards], y[k:cut:shards]) for k in range(shards)]
    run = ls.epochs(parts, rule, epochs=5, map=ls.threads(2))
    return float(np.mean(run.learner.predict_many(X[cut:]) != y[cut:]))


def cost() -> None:
    """What an epoch costs with 1 to 16 partitions: time, and what is moved."""
    X, y = stream(ROWS)
    rule = ls.PassiveAggressive(variant="PA-I", C=0.1)

    def run(parts: list[Part]) -> float:
        start = time.perf_counter()
        ls.epochs(parts, rule, labels=(-1, 1), map=ls.threads(2), epochs=PASSES)
        return (time.perf_counter() - start) / PASSES

    counts = (1, 2, 4, 8, 16)
    cuts = [[(X[k::count].tocsr(), y[k::count]) for k in range(count)] for count in counts]
    for count, seconds in zip(counts, best(*(partial(run, parts) for parts in cuts)), strict=True):
        moved = 2 * count * len(pickle.dumps(ls.epochs(cuts[-1][:1], rule, labels=(-1, 1)).learner))
        say(f"{count:>2} partitions: {seconds:.4f} s an epoch of {PASSES}, {moved / 1e6:.2f} MB moved")


_DRIVER = """
import resource, sys, littlestone as ls
run = ls.epochs(sys.argv[1:], ls.Perceptron(), labels=(-1, 1), epochs=2, map=ls.processes(2))
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def memory(folder: Path) -> None:
    """The driver holds models and no rows: five times the data is the same memory, and wide models are seen."""
    X, y = stream(20_000)
    narrow = written(folder, X, y.tolist(), "part")
    wide = folder / "wide.svm"
    wide.write_text(f"1 1:1 {1 << 22}:1\n-1 2:1\n")
    script = folder / "driver.py"
    script.write_text("if __name__ == '__main__':\n" + "".join(f"    {line}\n" for line in _DRIVER.strip().splitlines()))
    for path, copies in ((narrow, 2), (narrow, 10), (wide, 2), (wide, 10)):
        found = subprocess.run([sys.executable, script, *[str(path)] * copies], capture_output=True, text=True, check=True)
        what = f"{copies * path.stat().st_size / 1e6:.0f} MB of rows in {copies} partitions"
        weights = FEATURES if path is narrow else 1 << 22
        say(f"driver, {what}, {weights:,} weights: {int(found.stdout) / 1024:.0f} MB at most")


class Day(NamedTuple):
    """What a day of rows costs: constants that were measured, and a network as it is bought."""

    row: float
    """Seconds a row takes to be read and learned by one worker."""
    model: float
    """Bytes of a model on its way."""
    mix: float
    """Seconds to unpickle a model and add it to the mixture."""
    link: float = 10e9 / 8
    """Bytes a second to and from the driver."""

    def told(self, rows: float, workers: int, partitions: int) -> tuple[float, float]:
        """Bytes moved and seconds of an epoch: the work, then the last models through the link and the mixture."""
        moved = 2 * partitions * self.model
        work = rows * self.row / workers
        driver = partitions * (2 * self.model / self.link + self.mix)
        return moved, max(work, driver) + self.model / self.link + self.mix

    def simulated(self, rows: float, workers: int, partitions: int, seed: int = 0) -> float:
        """An epoch event by event: uneven partitions, workers that differ, one link, one driver that mixes in order."""
        rng = np.random.default_rng(seed)
        sizes = rng.dirichlet(np.full(partitions, 400.0)) * rows
        pace = rng.normal(1.0, 0.03, size=workers)
        free = [(0.0, worker) for worker in range(workers)]
        heapq.heapify(free)
        link, done = 0.0, np.zeros(partitions)
        for k in range(partitions):
            at, worker = heapq.heappop(free)
            link = max(link, at) + self.model / self.link
            done[k] = link + sizes[k] * self.row * pace[worker]
            heapq.heappush(free, (done[k], worker))
        back = 0.0
        for k in np.argsort(done):
            back = max(back, done[k]) + self.model / self.link
            done[k] = back
        mixed = 0.0
        for k in range(partitions):
            mixed = max(mixed, done[k]) + self.mix
        return mixed


def day(folder: Path) -> None:
    """10^11 rows on 200 workers of one core each, on paper and event by event."""
    allowed = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(allowed)})
    X, y = stream(ROWS // 2)
    path = written(folder, X, y.tolist(), "day")
    rule = ls.PassiveAggressive(variant="PA-I", C=0.1)
    times = []
    for _ in range(3):
        learner, start = ls.Learner(rule, labels=(-1, 1)), time.perf_counter()
        for X_part, y_part in _reader(path):
            learner.learn_many(X_part, y_part)
        times.append(time.perf_counter() - start)
    wide = ls.Learner(rule, labels=(-1, 1))
    wide.learn_many(csr_array(([1.0], [1 << 22], [0, 1]), shape=(1, (1 << 22) + 1)), [1])
    raw = pickle.dumps(wide)
    rounds = []
    for _ in range(3):
        start = time.perf_counter()
        ls.mix([_unpacked(raw) for _ in range(4)])
        rounds.append((time.perf_counter() - start) / 4)
    mix = min(rounds)
    os.sched_setaffinity(0, allowed)
    costs = Day(min(times) / (ROWS // 2), len(raw), mix)
    say(f"measured: {1e6 * costs.row:.2f} us a row of {NONZEROS} nonzeros from text on one core,")
    say(f"  {len(raw) / 1e6:.1f} MB a model of 2^22 weights, {mix:.3f} s to unpack and mix one")
    for partitions in (200, 2000):
        moved, seconds = costs.told(1e11, 200, partitions)
        again = costs.simulated(1e11, 200, partitions)
        told = f"{moved / 1e9:.1f} GB moved, {seconds:,.0f} s on paper, {again:,.0f} s simulated"
        say(f"10^11 rows, 200 workers, {partitions} partitions: {told}")


def _unpacked(raw: bytes) -> ls.Learner:
    learner: ls.Learner = pickle.loads(raw)
    return learner


def _reader(path: Path) -> Reader:
    return ls.read(path, workers=1)


def say(words: str) -> None:
    """A line."""
    print(words, flush=True)


def main(parts: Sequence[str]) -> None:
    """The parts that were asked for, or all."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        runs: dict[str, Callable[[], None]] = {
            "from-memory": lambda: speed_from_memory(folder),
            "from-text": lambda: speed_from_text(folder),
            "dask": beside_sklearn,
            "dask-text": lambda: text_beside_sklearn(folder),
            "errors": errors,
            "cost": cost,
            "memory": lambda: memory(folder),
            "day": lambda: day(folder),
        }
        for name, run in runs.items():
            if not parts or name in parts:
                run()


if __name__ == "__main__":
    main(sys.argv[1:])
