"""Readers and model files side by side with scikit-learn and Vowpal Wabbit, in one run.

The stream: 200,000 rows, 47,000 features, about 68 nonzeros per row with Zipf-distributed features, unit rows, written as
svmlight and as Vowpal Wabbit text. Every measurement is a process of its own, so that peak memory means something; they
take turns, and the best of a few counts. Ours is the Perceptron, VW has its default settings. Needs scikit-learn and
vowpalwabbit beside the library.

    python bench/readers.py [--rows 200000] [--rounds 5]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

FEATURES, NONZEROS = 47_000, 68

_LOAD = """
import time, littlestone as ls, scipy.sparse
reader = ls.read({path!r})
begin = time.perf_counter(); rows = reader.load().X.shape[0]; print(time.perf_counter() - begin)
assert rows == {rows}
"""
_SKLEARN = """
import time
from sklearn.datasets import load_svmlight_file
begin = time.perf_counter(); rows = load_svmlight_file({path!r})[0].shape[0]; print(time.perf_counter() - begin)
assert rows == {rows}
"""
_SAVE = """
import time, numpy as np, littlestone as ls
from scipy.sparse import csr_array
learner = ls.Learner(ls.Perceptron())
learner.learn_many(csr_array(([1.0, 2.0], [5, 3_999_999], [0, 2]), shape=(1, 4_000_000)), [1])
learner.save({path!r})
"""
_RESTORE = """
import time, littlestone as ls
times = []
for _ in range(9):
    begin = time.perf_counter(); ls.load({path!r}); times.append(time.perf_counter() - begin)
print(min(times))
"""


def write_stream(folder: Path, rows: int) -> tuple[Path, Path]:
    """The stream in both formats."""
    chance = np.random.default_rng(7)
    places = np.cumsum(1.0 / np.arange(1, FEATURES + 1))
    hidden = chance.normal(size=FEATURES)
    svm, vw = folder / "stream.svm", folder / "stream.vw"
    with svm.open("w") as one, vw.open("w") as two:
        for _ in range(rows):
            drawn = np.searchsorted(places, chance.random(NONZEROS + 22) * places[-1])
            index = np.unique(np.minimum(drawn, FEATURES - 1))
            value = chance.random(len(index)) + 0.1
            value /= np.linalg.norm(value)
            label = 1 if value @ hidden[index] > 0 else -1
            text = " ".join(f"{i + 1}:{v:.6g}" for i, v in zip(index.tolist(), value.tolist(), strict=True))
            one.write(f"{label} {text}\n")
            two.write(f"{label} | {text}\n")
    return svm, vw


def timed(command: list[str]) -> tuple[float, float, float]:
    """Wall seconds, processor seconds and peak megabytes of a process."""
    begin = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - begin
    if status != 0:
        raise SystemExit(f"{command} has failed")
    return wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def printed(command: list[str]) -> float:
    """The number that a process prints: what it measured of itself, its imports apart."""
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def python(code: str) -> list[str]:
    """A process that runs the code."""
    return [sys.executable, "-c", code]


def best(commands: dict[str, list[str]], rounds: int) -> dict[str, tuple[float, float, float]]:
    """The best wall time, processor time and peak of each, taking turns."""
    seen: dict[str, list[tuple[float, float, float]]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            seen[name].append(timed(command))
    return {name: (min(r[0] for r in runs), min(r[1] for r in runs), max(r[2] for r in runs)) for name, runs in seen.items()}


def main() -> None:
    """Writes the stream, measures, prints."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--rows", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        svm, vw = write_stream(folder, options.rows)
        model = str(folder / "m.lst")
        print(f"{svm.stat().st_size / 1e6:.0f} MB of svmlight, {vw.stat().st_size / 1e6:.0f} MB of VW text")
        fill = {"rows": options.rows}
        learn = [str(Path(sys.executable).with_name("littlestone")), "learn", "--rule", "perceptron"]
        wabbit = [sys.executable, "-m", "vowpalwabbit", "-d", str(vw)]
        cached, again = [*learn, str(svm), "--cache", "--passes"], [*wabbit, "-c", "--holdout_off", "--passes"]
        for command in (cached, again):  # which makes the caches
            timed([*command, "2"])
        commands = {
            "learn svmlight: littlestone": [*learn, str(svm)],
            "learn VW text: littlestone": [*learn, str(vw)],
            "learn VW text: vowpalwabbit": wabbit,
            "2 cached passes: littlestone": [*cached, "2"],
            "12 cached passes: littlestone": [*cached, "12"],
            "2 cached passes: vowpalwabbit": [*again, "2"],
            "12 cached passes: vowpalwabbit": [*again, "12"],
        }
        results = best(commands, options.rounds)
        for what, (wall, used, peak) in results.items():
            print(f"{what:30} {wall:7.2f} s wall {used:7.2f} s processor {peak:7.0f} MB peak")
        report(results)
        loads = {"littlestone": _LOAD, "scikit-learn": _SKLEARN}
        took = {
            who: min(printed(python(code.format(path=str(svm), **fill))) for _ in range(options.rounds))
            for who, code in loads.items()
        }
        ours, theirs = took["littlestone"], took["scikit-learn"]
        print(f"loading svmlight: {ours:.2f} s, scikit-learn {theirs:.2f} s: {theirs / ours:.1f} times as fast")
        subprocess.run(python(_SAVE.format(path=model)), check=True)
        print(f"load a model of 4,000,000 features: {1000 * printed(python(_RESTORE.format(path=model))):.1f} ms")


def report(results: dict[str, tuple[float, float, float]]) -> None:
    """The ratios of whole processes, from their start to their end."""
    for kind in ("svmlight", "VW text"):
        wall, used, _ = results[f"learn {kind}: littlestone"]
        other, other_used, _ = results["learn VW text: vowpalwabbit"]
        print(f"learning from {kind}: {other / wall:.1f} times as fast as VW, {other_used / used:.1f} by processor time")
    ours, theirs = (
        (results[f"12 cached passes: {who}"][0] - results[f"2 cached passes: {who}"][0]) / 10
        for who in ("littlestone", "vowpalwabbit")
    )
    print(f"a pass over the cache: {ours:.3f} s, VW {theirs:.3f} s: {theirs / ours:.1f} times as fast")


if __name__ == "__main__":
    main()
