"""Builds the core in another way, runs the twins on it, and compares its bits with those of the core that is installed.

Usage: python tools/same_bits.py plain   (without AVX), or clang   (by the other compiler)
With --bits it prints the bits of the package that it can import.
"""

import hashlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from sysconfig import get_paths

import numpy as np
from sanitize import built, test

BUILDS = {"plain": "-DLITTLESTONE_PLAIN=ON", "clang": "-DCMAKE_CXX_COMPILER=clang++"}
TWINS = ("test_twins.py", "test_expert_twins.py", "test_readers_numbers.py")


def bits() -> Iterator[str]:
    """Digests of what rules, readers, experts and games make of rows of every width, with zeros and without."""
    import littlestone as ls

    draws = np.random.default_rng(0)
    rules = (
        ls.Perceptron(), ls.PassiveAggressive(variant="PA-I", C=0.1), ls.AROW(), ls.AdaGrad(), ls.Winnow(eta=0.1),
        ls.OnlineRidge(), ls.Pool(), ls.MulticlassPerceptron(), ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=0.1)),
    )  # fmt: skip
    for width in (1, 7, 8, 9, 15, 16, 17, 33, 100):
        X = draws.normal(size=(300, width)) * (draws.random((300, width)) < 0.7)
        y = np.where(X.sum(axis=1) + 0.1 * draws.normal(size=300) > 0.0, 1, -1)
        for rule in rules:
            for rows in (X, X.astype(np.float32)):
                targets = X @ np.ones(width) if isinstance(rule, ls.OnlineRidge) else y
                run = ls.run(rule, rows, targets, keep=("score",))
                yield _digest(f"{type(rule).__name__} {width} {rows.dtype}", run.columns["score"])
    text = "".join(
        f"{y} " + " ".join(f"{k}:{v:.6g}" for k, v in enumerate(row, 1) if v) + "\n" for row, y in zip(X, y, strict=True)
    )
    parsed = ls.parse(text.encode(), format="svmlight")
    yield _digest("svmlight", ls.run(ls.Perceptron(), parsed.X, parsed.y, keep=("score",)).columns["score"])
    yield _digest("experts", ls.hedge(ls.MLpol(), draws.random((500, 37))).losses)
    yield _digest("game", ls.solve(draws.normal(size=(40, 50)), tol=1e-3).row)


def _digest(name: str, values: object) -> str:
    return f"{name} {hashlib.sha256(np.ascontiguousarray(values).tobytes()).hexdigest()[:16]}"


def told(folder: Path | None) -> list[str]:
    """What `--bits` prints with the package of a folder, or with the one that is installed."""
    flags, path = ([], "") if folder is None else (["-S"], os.pathsep.join([str(folder), get_paths()["purelib"]]))
    command = [sys.executable, *flags, __file__, "--bits"]
    made = subprocess.run(command, check=True, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path})
    return made.stdout.splitlines()


def main(kind: str) -> None:
    """Builds, tests and compares."""
    folder = built(kind, BUILDS[kind])
    test(folder, kind, *TWINS)
    here, there = told(None), told(folder)
    different = [line for line, other in zip(here, there, strict=True) if line != other]
    if different or not here:
        sys.exit("the bits differ: " + "; ".join(different))
    sys.stdout.write(f"{len(here)} results have the same bits in the package and in the {kind} build\n")


if __name__ == "__main__":
    if "--bits" in sys.argv[1:]:
        sys.stdout.write("\n".join(bits()) + "\n")
    else:
        main(*sys.argv[1:])
