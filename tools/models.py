"""Writes the model files that tests/models keeps for ever: run once a version of the format, before its release.

A file that is there already stays as it is.
"""

import io
import json
from pathlib import Path

import numpy as np

import littlestone as ls
from littlestone.multiclass.support_sets import SupportSets
from littlestone.store import VERSION

FOLDER = Path(__file__).parent.parent / "tests" / "models"

STREAMS = {
    "names": (ls.PassiveAggressive(variant="PA-I", C=0.1), b"size,colour,y\n1.5,red,yes\n2,blue,no\n-1,red,no\n"),
    "hashed": (ls.OnlineSVM(eta=0.1, C=0.5), b"1 |pets cat:2 dog\n-1 |pets dog:0.5 |food 7\n1 |food fish\n"),
    "positions": (ls.Perceptron(eta=0.5), b"+1 1:0.5 3:2\n-1 2:1 9:0.25\n-1 3:1\n"),
    "arrays": (ls.RandomizedPerceptron(seed=7), b""),
    "kernel": (ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=0.5)), b""),
    "kernel-projected": (ls.KernelPassiveAggressive(kernel=ls.kernels.Polynomial(degree=3), budget=2), b""),
    "kernel-dropped": (ls.KernelPerceptron(kernel=ls.kernels.Laplace(), budget=2, when_full="drop-oldest"), b""),
    "kernel-uniclass": (ls.KernelUniclass(kernel=ls.kernels.Linear(), epsilon=0.5), b""),
    "uniclass": (ls.Uniclass(epsilon=0.5), b""),
    "uniclass-batch": (ls.BatchUniclass(epsilon=0.5, beta=0.01), b""),
    "uniclass-multiplicative": (ls.MultiplicativeUniclass(epsilon=0.25), b""),
    "classes": (ls.MulticlassPassiveAggressive(variant="PA-I", C=0.5), b"size,colour,y\n1.5,red,a\n2,blue,b\n-1,red,c\n"),
    "rest": (ls.OneVersusRest(rule=ls.Perceptron(start=[0.5])), b"3 2:1 5:-1\n1 1:0.5\n2 2:2 7:1\n3 1:1\n"),
    "kernel-rest": (
        ls.OneVersusRest(rule=ls.KernelPerceptron(kernel=ls.kernels.Polynomial(degree=2), budget=2)),
        b"3 2:1 5:-1\n1 1:0.5\n2 2:2 7:1\n3 1:1\n2 2:0.5\n",
    ),
    "weighted": (ls.OnlineSVM(C=0.5), b"1 2 | cat:2 dog\n-1 0.5 | dog:0.5\n1 0 | fish\n"),
}


def learned(rule: ls.LinearRule, text: bytes) -> ls.Learner:
    """A learner that has seen a short stream."""
    learner = ls.Learner(rule, average=True, missing="skip" if b"|" in text else "error")
    if rule.abilities.alone:
        learner.learn_many([[0.75, 0.25], [0.0, 1.0], [1.0, 0.0], [0.5, 0.5]])
    elif not text:
        learner.learn_many([[1.0, 0.5], [0.0, 1.0], [1.0, -1.0]], [True, False, True])
    bits = 6 if b"|" in text else None
    for X, y in ls.read(io.BytesIO(text), bits=bits):
        learner.learn_many(X, y)
    return learner


def columns(learner: ls.Learner) -> dict[str | int, list[float]]:
    """The weights that are not 0, a list per feature: one number, or one per class; of a kernel rule a coefficient per point.

    Of many classes with a kernel the coefficients of each class, and before them those of no class.
    """
    if isinstance(learner.state, ls.Support):
        return {p: [float(a)] for p, a in enumerate(learner.state.alpha)}
    if isinstance(learner.state, SupportSets):
        return {k: learner.state.row(k).alpha.tolist() for k in range(learner.state.rows)}
    w = np.atleast_2d(learner.state.w)
    return {name: w[:, k].tolist() for k, name in enumerate(learner.features) if w[:, k].any()}


def write(name: str, learner: ls.Learner) -> None:
    """The model, and beside it what it must hold."""
    path = FOLDER / f"{name}-v{VERSION}.lst"
    learner.save(path)
    held = {
        "rule": type(learner.rule).name(),
        "ledger": {key: str(value) for key, value in learner.ledger.to_dict().items()},
        "weights": {str(key): [float(v).hex() for v in column] for key, column in columns(learner).items()},
        "labels": [repr(label) for label in learner.labels],
    }
    path.with_suffix(".json").write_text(json.dumps(held, indent=1) + "\n")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, (rule, text) in STREAMS.items():
        if not (FOLDER / f"{name}-v{VERSION}.lst").exists():  # what was released stays as it is
            write(name, learned(rule, text))
