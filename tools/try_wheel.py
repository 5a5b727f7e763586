"""Ten lines and the command line, with the package that is installed: what every wheel must pass.

Usage: python tools/try_wheel.py
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import littlestone as ls
from littlestone.streams.synthetic import linear_labels


def ten_lines() -> None:
    """A Perceptron on a separable stream, and its certificate."""
    X, y, u = linear_labels(rows=5_000, features=20, margin=0.1)
    learner = ls.Learner(ls.Perceptron())
    learner.learn_many(X, y)
    best = learner.certify(against=ls.run(ls.Fixed(weights=u), X, y))[0]
    assert (learner.ledger.mistakes, best.id, best.verdict) == (26, "bylander.5", ls.Verdict.HOLDS), best
    one_by_one = ls.Learner(ls.Perceptron())
    for x, label in zip(X, y, strict=True):
        one_by_one.learn_one(x, label)
    assert np.array_equal(one_by_one.state.w, learner.state.w)


def command_line(folder: Path) -> None:
    """Learns a file, predicts it and reads the model."""
    (folder / "rows.csv").write_text("colour,size,y\n" + "red,1.0,yes\nblue,2.0,no\n" * 50)
    for arguments in (
        ["learn", "rows.csv", "--label", "y", "--model", "m.lst", "--quiet"],
        ["predict", "m.lst", "rows.csv"],
        ["inspect", "m.lst"],
        ["rules"],
    ):
        subprocess.run([sys.executable, "-m", "littlestone", *arguments], cwd=folder, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    ten_lines()
    with tempfile.TemporaryDirectory() as folder:
        command_line(Path(folder))
    sys.stdout.write(f"littlestone {ls.__version__} works\n")
