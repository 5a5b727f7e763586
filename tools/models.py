"""Writes the model files that tests/models keeps for ever: run once a version of the format, before its release.

A file that is there already stays as it is.
"""

import io
import json
from pathlib import Path

import littlestone as ls
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
}


def learned(rule: ls.LinearRule, text: bytes) -> ls.Learner:
    """A learner that has seen a short stream."""
    learner = ls.Learner(rule, average=True)
    if rule.signs() is not None:
        learner.learn_many([[0.75, 0.25], [0.0, 1.0], [1.0, 0.0], [0.5, 0.5]])
    elif not text:
        learner.learn_many([[1.0, 0.5], [0.0, 1.0], [1.0, -1.0]], [True, False, True])
    bits = 6 if b"|" in text else None
    for X, y in ls.read(io.BytesIO(text), bits=bits):
        learner.learn_many(X, y)
    return learner


def numbers(learner: ls.Learner) -> dict[str, float]:
    """The weights by feature, or the coefficient of each support point."""
    state = learner.state
    if isinstance(state, ls.Support):
        return {str(p): float(a) for p, a in enumerate(state.alpha)}
    return {str(key): value for key, value in learner.weights.items()}


def write(name: str, learner: ls.Learner) -> None:
    """The model, and beside it what it must hold."""
    path = FOLDER / f"{name}-v{VERSION}.lst"
    learner.save(path)
    held = {
        "rule": type(learner.rule).name(),
        "ledger": {key: str(value) for key, value in learner.ledger.to_dict().items()},
        "weights": {key: value.hex() for key, value in numbers(learner).items()},
        "labels": [repr(label) for label in learner.labels],
    }
    path.with_suffix(".json").write_text(json.dumps(held, indent=1) + "\n")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, (rule, text) in STREAMS.items():
        if not (FOLDER / f"{name}-v{VERSION}.lst").exists():
            write(name, learned(rule, text))
