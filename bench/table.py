"""Us and the peers side by side, in one run: time, peak memory and progressive error.

    python bench/table.py [--write docs/benchmarks.md] [--repeats 3] [--rows 50000]

Every measurement is a process of its own, which reads its data from a file, runs, and tells its time, its peak memory and its
error; the processes of a task take turns. The real data are read from LITTLESTONE_DATA, or from shared/data beside the
project, and left out where they are not there; so are peers that are not installed.
"""

from __future__ import annotations

import argparse
import gzip
import importlib
import importlib.util
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import NamedTuple, final

import numpy as np

import littlestone as ls

DATA = Path(os.environ.get("LITTLESTONE_DATA", Path(__file__).parents[2] / "shared" / "data"))
CHUNK = 100
"""scikit-learn predicts and learns so many rows at a time: one by one it takes about a millisecond per row."""
LONG = 10.0
"""What takes longer than so many seconds is run once."""
BITS = 18


class Measured(NamedTuple):
    """What a process tells: seconds, megabytes, error."""

    seconds: float
    megabytes: float
    error: float | None


@final
class Watch:
    """The time since it was last started."""

    def __init__(self) -> None:
        self.start()

    def start(self) -> None:
        """Starts anew: what came before does not count."""
        self._begin = time.perf_counter()

    def seconds(self) -> float:
        """So far."""
        return time.perf_counter() - self._begin


@final
@dataclass(frozen=True)
class Job:
    """What a contender is given: where its files are, the C of its rule, and the watch."""

    stem: Path
    C: float
    watch: Watch

    def file(self, suffix: str) -> Path:
        """A file of the task."""
        return self.stem.with_suffix(suffix)


# The contenders: each returns its progressive error.


def passive_aggressive(job: Job) -> float:
    """Ours: PA-I over the chunks of a file."""
    path = job.file(".svm") if job.file(".svm").exists() else job.file(".vw")
    learner = ls.Learner(ls.PassiveAggressive(variant="PA-I", C=job.C), labels=(-1.0, 1.0))
    for X, y in ls.read(path, bits=BITS if path.suffix == ".vw" else None):
        learner.learn_many(X, y)
    return learner.ledger.mistake_rate


def sklearn_chunks(job: Job) -> float:
    """scikit-learn's PA-I, a chunk at a time."""
    return _sklearn(job, CHUNK)


def sklearn_rows(job: Job) -> float:
    """scikit-learn's PA-I, a row at a time."""
    return _sklearn(job, 1)


def _sklearn(job: Job, chunk: int) -> float:
    linear = importlib.import_module("sklearn.linear_model")
    model = linear.SGDClassifier(
        loss="hinge", penalty=None, learning_rate="pa1", eta0=job.C, fit_intercept=False, shuffle=False
    )
    if job.file(".svm").exists():
        X, y = importlib.import_module("sklearn.datasets").load_svmlight_file(str(job.file(".svm")))
    else:
        rows, labels = zip(*_bags(job.file(".vw")), strict=True)
        hasher = importlib.import_module("sklearn.feature_extraction").FeatureHasher(2**BITS, alternate_sign=False)
        X, y = hasher.transform(rows), np.array(labels)
    wrong = 0
    for begin in range(0, len(y), chunk):
        rows, labels = X[begin : begin + chunk], y[begin : begin + chunk]
        wrong += int(np.sum(model.predict(rows) != labels)) if begin else len(labels)
        model.partial_fit(rows, labels, classes=np.array([-1, 1]))
    return wrong / len(y)


def river_pa(job: Job) -> float:
    """River's PA-I, a dict at a time."""
    model = importlib.import_module("river.linear_model").PAClassifier(C=job.C, mode=1, learn_intercept=False)
    wrong = count = 0
    for x, y in _river_rows(job):
        wrong += model.predict_one(x) != (y > 0)
        model.learn_one(x, y > 0)
        count += 1
    return wrong / count


def vw_hinge(job: Job) -> float:
    """Vowpal Wabbit with the hinge loss."""
    return _vw(job, "hinge")


def vw_logistic(job: Job) -> float:
    """Vowpal Wabbit with the logistic loss."""
    return _vw(job, "logistic")


def _vw(job: Job, loss: str) -> float:
    module = importlib.import_module("vowpalwabbit")
    words = f"--quiet --binary --loss_function={loss} -b {BITS} -d {job.file('.vw')}"
    workspace = module.Workspace(words)
    workspace.run_parser()
    error = float(workspace.get_sum_loss() / workspace.get_weighted_examples())
    workspace.finish()
    return error


def _river_rows(job: Job) -> Iterable[tuple[dict[str, float], float]]:
    if job.file(".svm").exists():
        rows: Iterable[tuple[dict[str, float], float]] = importlib.import_module("river.stream").iter_libsvm(
            str(job.file(".svm")), target_type=float
        )
        return rows
    return _bags(job.file(".vw"))


def _bags(path: Path) -> Iterator[tuple[dict[str, float], float]]:
    """Rows of a file of words with counts, as dicts."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            label, _, words = line.partition(" |t ")
            entries = (word.partition(":") for word in words.split())
            yield {word: float(count or 1) for word, _, count in entries}, float(label)


def _records(job: Job) -> list[tuple[dict[str, float], bool]]:
    return [({str(k): v for k, v in x}, y) for x, y in json.loads(job.file(".json").read_text())]


def our_records(job: Job) -> float:
    """Ours: dicts, one at a time."""
    learner = ls.Learner(ls.PassiveAggressive(variant="PA-I", C=job.C), labels=(False, True))
    return _one_by_one(job, learner.predict_one, learner.learn_one)


def river_records(job: Job) -> float:
    """River: dicts, one at a time."""
    model = importlib.import_module("river.linear_model").PAClassifier(C=job.C, mode=1, learn_intercept=False)
    return _one_by_one(job, model.predict_one, model.learn_one)


def _one_by_one(
    job: Job, predict: Callable[[dict[str, float]], object], learn: Callable[[dict[str, float], bool], object]
) -> float:
    rows = _records(job)
    job.watch.start()
    wrong = 0
    for x, y in rows:
        wrong += predict(x) != y
        learn(x, y)
    return wrong / len(rows)


def _texts(job: Job) -> list[str]:
    return job.file(".txt").read_text().splitlines()


def our_words(job: Job) -> None:
    """Ours: words and pairs of words of texts, hashed."""
    ls.features.Text(words=(1, 2), bits=20)(_texts(job))


def sklearn_words(job: Job) -> None:
    """scikit-learn: the same by HashingVectorizer."""
    text = importlib.import_module("sklearn.feature_extraction.text")
    text.HashingVectorizer(ngram_range=(1, 2), norm=None, alternate_sign=False).transform(_texts(job))


def our_mixture(job: Job) -> float:
    """Ours: MLpol over three forecasts, mean square loss."""
    table = np.genfromtxt(job.file(".csv"), delimiter=",", skip_header=1)
    return ls.aggregate(ls.MLpol(), table[:, 1:], table[:, 0], loss="square").ledger.mean_loss


def our_game(job: Job) -> float:
    """Ours: the value of a game to a gap of 1e-4."""
    return ls.solve(np.load(job.file(".npy")), tol=1e-4).gap


def highs_game(job: Job) -> float:
    """HiGHS: the same as a linear program."""
    A = np.load(job.file(".npy"))
    rows, columns = A.shape
    answer = importlib.import_module("scipy.optimize").linprog(
        np.append(np.zeros(columns), 1.0),
        A_ub=np.hstack([A, np.full((rows, 1), -1.0)]),
        b_ub=np.zeros(rows),
        A_eq=np.append(np.ones(columns), 0.0)[None, :],
        b_eq=np.ones(1),
        bounds=[(0.0, None)] * columns + [(None, None)],
        method="highs",
    )
    p, q = -answer.ineqlin.marginals, answer.x[:-1]
    return float((A @ q).max() - (p @ A).min())


CONTENDERS: dict[str, Callable[[Job], float | None]] = {
    f.__name__: f
    for f in (
        passive_aggressive,
        sklearn_chunks,
        sklearn_rows,
        river_pa,
        vw_hinge,
        vw_logistic,
        our_records,
        river_records,
        our_words,
        sklearn_words,
        our_mixture,
        our_game,
        highs_game,
    )
}
LIBRARIES: dict[str, tuple[str, ...]] = {
    "sklearn": ("sklearn.linear_model", "sklearn.datasets", "sklearn.feature_extraction.text"),
    "river": ("river.linear_model", "river.stream"),
    "vw": ("vowpalwabbit",),
    "highs": ("scipy.optimize",),
    "our": ("littlestone.features", "littlestone.experts.mixture", "littlestone.games", "littlestone.games.solve"),
    "passive": ("littlestone.streams.files", "littlestone.learner", "littlestone.linear.passive_aggressive"),
}
"""What is imported before the clock starts, by the first word of a contender."""
STREAM = {
    "passive_aggressive": "littlestone, PA-I",
    "sklearn_chunks": "scikit-learn, PA-I, 100 rows at a time",
    "river_pa": "River, PA-I",
    "vw_hinge": "VW, hinge",
    "vw_logistic": "VW, logistic",
}


ROW_BY_ROW = {**STREAM, "sklearn_rows": "scikit-learn, PA-I, row by row"}


@final
@dataclass(frozen=True)
class Task:
    """A line of the table for each contender: what they do, with which C, and who they are."""

    name: str
    words: str
    error: str
    C: float
    contenders: dict[str, str]
    make: Callable[[Path], bool]
    """Writes the files; False where the data are not there."""


def svmlight_and_vw(stem: Path, rows: Iterable[tuple[float, list[tuple[int, float]]]]) -> bool:
    """Writes rows in both formats; in the first, feature 1 is a constant, which VW has by itself."""
    with stem.with_suffix(".svm").open("w") as svm, stem.with_suffix(".vw").open("w") as vw:
        for label, entries in rows:
            text = [f"{index}:{value:.9g}" for index, value in entries]
            vw.write(f"{label:+.0f} | {' '.join(text)}\n")
            svm.write(f"{label:+.0f} 1:1 {' '.join(f'{index + 1}:{value:.9g}' for index, value in entries)}\n")
    return True


def sparse_rows(X: object, y: Iterable[float]) -> Iterator[tuple[float, list[tuple[int, float]]]]:
    """The rows of a CSR array; columns are counted from 1."""
    start, index, value = (np.asarray(getattr(X, name)).tolist() for name in ("indptr", "indices", "data"))
    for t, label in enumerate(y):
        part = slice(start[t], start[t + 1])
        yield float(label), [(k + 1, v) for k, v in zip(index[part], value[part], strict=True)]


def from_libsvm(name: str) -> Callable[[Path], bool]:
    """A data set in svmlight's format."""

    def make(stem: Path) -> bool:
        path = DATA / "libsvm" / f"{name}.svm.gz"
        if not path.exists():
            return False
        loaded = ls.read(path).load()
        return svmlight_and_vw(stem, sparse_rows(loaded.X, np.asarray(loaded.y, dtype=np.float64)))

    return make


def elec2(stem: Path) -> bool:
    """The electricity market of New South Wales; the date is left out, as it only counts on."""
    path = DATA / "drift" / "elec2.csv.gz"
    if not path.exists():
        return False
    loaded = ls.read(path, label="class", ignore=["date"]).load()
    return svmlight_and_vw(stem, sparse_rows(loaded.X, np.where(loaded.y == "UP", 1.0, -1.0)))


def imdb(stem: Path) -> bool:
    """Film reviews as bags of words."""
    path = DATA / "vw" / "imdb.vw.gz"
    if not path.exists():
        return False
    with gzip.open(path, "rb") as packed:
        stem.with_suffix(".vw").write_bytes(packed.read())
    return True


def electric_load(stem: Path) -> bool:
    """Three forecasts of the French weekly load."""
    path = DATA / "experts" / "electric_load" / "experts.csv"
    if path.exists():
        stem.with_suffix(".csv").write_bytes(path.read_bytes())
    return path.exists()


def tasks(rows: int) -> list[Task]:
    """Every task; the synthetic ones have so many rows."""
    from littlestone.streams.synthetic import linear_labels, zipf_rows

    def zipf(stem: Path) -> bool:
        X, y, _ = zipf_rows(rows, 47_000, 68, noise=0.05)
        return svmlight_and_vw(stem, sparse_rows(X, y))

    def dense(stem: Path) -> bool:
        X, y, _ = linear_labels(rows=rows, features=50, margin=0.01)
        csr = importlib.import_module("scipy.sparse").csr_array(X)
        return svmlight_and_vw(stem, sparse_rows(csr, y))

    def records(stem: Path) -> bool:
        X, y, _ = zipf_rows(rows // 2, 47_000, 68, noise=0.05)
        made = [([(f"feature{k}", v) for k, v in entries], label > 0) for label, entries in sparse_rows(X, y)]
        stem.with_suffix(".json").write_text(json.dumps(made))
        return True

    def texts(stem: Path) -> bool:
        rng = np.random.default_rng(0)
        words = np.array([f"word{k}" for k in range(50_000)])
        made = [" ".join(words[rng.zipf(1.3, 100) % len(words)]) for _ in range(rows // 5)]
        stem.with_suffix(".txt").write_text("\n".join(made))
        return True

    def game(stem: Path) -> bool:
        np.save(stem.with_suffix(".npy"), np.random.default_rng(0).random((size, size)))
        return True

    size = max(20, min(500, rows // 100))
    mistakes = "mistakes"
    mixtures = {"our_mixture": "littlestone, MLpol"}
    games = {"our_game": "littlestone, `solve(tol=1e-4)`", "highs_game": "HiGHS"}
    one_by_one = {"our_records": "littlestone, PA-I", "river_records": "River, PA-I"}
    return [
        Task("sparse", f"synthetic, {rows:,} × 47,000, 68 nonzeros per row", mistakes, 0.1, STREAM, zipf),
        Task("dense", f"synthetic, {rows:,} × 50", mistakes, 0.1, STREAM, dense),
        Task("records", f"{rows // 2:,} dicts, predict and learn one by one", mistakes, 0.1, one_by_one, records),
        Task("a9a", "census, 32,561 × 123", mistakes, 0.01, STREAM, from_libsvm("a9a")),
        Task("w8a", "web pages, 49,749 × 300", mistakes, 0.1, STREAM, from_libsvm("w8a.shuf")),
        Task("elec2", "electricity market, 45,312 × 7, drifts", mistakes, 1.0, ROW_BY_ROW, elec2),
        Task("imdb", "film reviews, 50,000, 7 million words", mistakes, 0.001, STREAM, imdb),
        Task(
            "texts",
            f"hash words and pairs of words, {rows // 5:,} texts of 100 words",
            "",
            0.0,
            {"our_words": "littlestone, `features.Text`", "sklearn_words": "scikit-learn, `HashingVectorizer`"},
            texts,
        ),
        Task("load", "electric_load, 112 weeks, 3 experts", "mean square loss", 0.0, mixtures, electric_load),
        Task("game", f"random zero-sum game, {size} × {size}", "gap", 0.0, games, game),
    ]


def run_here(name: str, job: Job) -> None:
    """One measurement, in a process of its own: the time without what it takes to import."""
    for library in LIBRARIES[name.split("_", maxsplit=1)[0]]:
        importlib.import_module(library)
    job.watch.start()
    error = CONTENDERS[name](job)
    print(json.dumps([job.watch.seconds(), peak_megabytes(), error]))


def peak_megabytes() -> float:
    """The peak of this process. Linux counts what its parent had before into ru_maxrss, but not into VmHWM."""
    status = Path("/proc/self/status")
    if status.exists():
        return next(float(line.split()[1]) / 1e3 for line in status.read_text().splitlines() if line.startswith("VmHWM"))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)


def measured(name: str, stem: Path, C: float) -> Measured:
    """One measurement in a new process."""
    command = [sys.executable, __file__, "--job", name, str(stem), repr(C)]
    alone = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}  # threads cost more than they give on rows
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=alone)
    return Measured(*json.loads(done.stdout.splitlines()[-1]))


def best(task: Task, stem: Path, repeats: int) -> dict[str, Measured]:
    """The best time and the least memory of every contender; they take turns."""
    found: dict[str, Measured] = {}
    for _ in range(repeats):
        for name in task.contenders:
            if not installed(name) or (name in found and found[name].seconds > LONG):
                continue
            new, old = measured(name, stem, task.C), found.get(name)
            if old is not None:
                new = Measured(min(old.seconds, new.seconds), min(old.megabytes, new.megabytes), new.error)
            found[name] = new
    return found


def installed(name: str) -> bool:
    """Whether the library of a contender is there."""
    library = LIBRARIES[name.split("_", maxsplit=1)[0]][0].split(".")[0]
    return importlib.util.find_spec(library) is not None


def lines(task: Task, found: dict[str, Measured]) -> Iterator[str]:
    """The lines of a task in the table."""
    for k, (name, result) in enumerate(found.items()):
        error = "" if result.error is None else f"{result.error:.2e}" if task.error == "gap" else f"{result.error:.4f}"
        if task.error == "mean square loss" and result.error is not None:
            error = f"{result.error:,.1f}"
        rate = f"; C = {task.C:g}" if task.C else ""
        first = f"**{task.name}**: {task.words}{rate}" if k == 0 else ""
        times = f"{result.seconds:.3f} s" if result.seconds < 10 else f"{result.seconds:.1f} s"
        yield f"| {first} | {task.contenders[name]} | {times} | {result.megabytes:.0f} MB | {error} |"


def machine() -> str:
    """The processor, without the name of its host."""
    info = Path("/proc/cpuinfo")
    listed = info.read_text().splitlines() if info.exists() else []
    models = [line.split(":", 1)[1].strip() for line in listed if line.startswith("model name")]
    return f"{models[0] if models else platform.processor() or platform.machine()}, {os.cpu_count()} logical cores"


def versions() -> str:
    """Everybody's version."""
    names = ("littlestone", "numpy", "scipy", "scikit-learn", "river", "vowpalwabbit", "highspy")
    known = []
    for name in names:
        try:
            known.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            known.append(f"{name}: not installed")
    return ", ".join(known)


HEAD = """# Benchmarks

Generated by `make bench`; every number is from one run on one machine, with everybody's processes taking turns.

- Machine: {machine}; {system}, Python {python}.
- Versions: {versions}.
- **time**: from a text file on disk to the end of the stream, imports apart; the best of {repeats} runs, but one run of what
  takes longer than {long:.0f} s. **memory**: the peak of the whole process, libraries and data included.
- **error**: of the predictions made before each row was learned, in one pass. scikit-learn predicts and learns {chunk} rows
  at a time, since row by row, as all others go, it takes about a millisecond per row; where the stream drifts this matters, and
  both are shown.
- The PA-I of all systems has a constant feature in place of an intercept and the same C. VW runs with its defaults: adaptive,
  normalised steps, which are not PA's.

| task | who | time | memory | error |
| --- | --- | ---: | ---: | ---: |
"""

KEPT = "## The pool beside Vowpal Wabbit's defaults"
"""What stands on the page from here on is written by hand and by other scripts."""


def accuracies(results: list[tuple[Task, dict[str, Measured]]]) -> str:
    """The accuracy on the real streams, beside VW's one-pass numbers."""
    real = [(task, found) for task, found in results if task.name in ("a9a", "elec2", "imdb")]
    if not real:
        return ""
    names = [name for name in STREAM if all(name in found for _, found in real)]
    rows = ["", "## Accuracy in one pass", "", "| stream | " + " | ".join(STREAM[name] for name in names) + " |"]
    rows.append("| --- |" + " ---: |" * len(names))
    for task, found in real:
        shares = (1.0 - (found[name].error or 0.0) for name in names)
        rows.append(f"| {task.name} | " + " | ".join(f"{share:.4f}" for share in shares) + " |")
    return "\n".join(rows) + "\n"


def page(results: list[tuple[Task, dict[str, Measured]]], repeats: int) -> str:
    """The page of documentation."""
    head = HEAD.format(
        machine=machine(),
        system=platform.system(),
        python=platform.python_version(),
        versions=versions(),
        repeats=repeats,
        long=LONG,
        chunk=CHUNK,
    )
    return head + "\n".join(line for task, found in results for line in lines(task, found)) + "\n" + accuracies(results) + "\n"


def main() -> None:
    """Prints the table, and writes the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", type=Path, help="the page to write")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--rows", type=int, default=50_000, help="rows of the synthetic streams")
    parser.add_argument("--only", nargs="*", help="names of tasks")
    parser.add_argument("--job", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.job:
        run_here(options.job[0], Job(Path(options.job[1]), float(options.job[2]), Watch()))
        return
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for task in tasks(options.rows):
            stem = Path(folder) / task.name
            if (options.only and task.name not in options.only) or not task.make(stem):
                continue
            results.append((task, best(task, stem, options.repeats)))
            print("\n".join(lines(*results[-1])), flush=True)
    if options.write is not None:
        before = options.write.read_text(encoding="utf-8") if options.write.exists() else KEPT
        _, mark, after = before.partition(KEPT)
        options.write.write_text(page(results, options.repeats) + mark + after, encoding="utf-8")


if __name__ == "__main__":
    main()
