"""Draws the picture of the README: a run, its bound, and what is known without learning.

Usage: python tools/pictures.py
"""

from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np

import littlestone as ls
from littlestone.streams.synthetic import linear_labels

PICTURES = Path(__file__).parent.parent / "docs" / "pictures"


def certificate() -> None:
    """Mistakes of a Perceptron over time under the bound of Bylander's theorem 5."""
    X, y, u = linear_labels(rows=5_000, features=20, margin=0.1)
    learner = ls.Learner(ls.Perceptron())
    mistakes = np.cumsum(learner.learn_many(X, y, keep=("mistake",))["mistake"])
    bound = learner.certify(against=ls.run(ls.Fixed(weights=u), X, y))[0].bound
    rounds = np.arange(1, len(y) + 1)
    constant = np.minimum(np.cumsum(y > 0), np.cumsum(y < 0))
    figure, axes = plt.subplots(figsize=(7.2, 3.2), layout="constrained")
    axes.plot(rounds, constant, color="0.6", label="the better constant label")
    axes.axhline(bound, color="C3", linestyle="--", label=f"bylander.5: mistakes ≤ {bound:.0f}")
    axes.plot(rounds, mistakes, color="C0", label=f"Perceptron: {mistakes[-1]} mistakes")
    axes.set(xscale="log", yscale="symlog", xlabel="round", ylabel="mistakes", xlim=(1, len(y)), ylim=(0, None))
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(PICTURES / "certificate.svg", metadata={"Date": None})
    plt.close(figure)


if __name__ == "__main__":
    PICTURES.mkdir(exist_ok=True)
    mpl.use("svg")
    plt.rcParams["svg.hashsalt"] = "littlestone"
    certificate()
