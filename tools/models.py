"""Writes the model files that tests/models keeps for ever: run once a version of the format, before its release."""

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
}


def learned(rule: ls.LinearRule, text: bytes) -> ls.Learner:
    """A learner that has seen a short stream."""
    learner = ls.Learner(rule, average=True)
    if not text:
        learner.learn_many([[1.0, 0.5], [0.0, 1.0], [1.0, -1.0]], [True, False, True])
    bits = 6 if b"|" in text else None
    for X, y in ls.read(io.BytesIO(text), bits=bits):
        learner.learn_many(X, y)
    return learner


def write(name: str, learner: ls.Learner) -> None:
    """The model, and beside it what it must hold."""
    path = FOLDER / f"{name}-v{VERSION}.lst"
    learner.save(path)
    held = {
        "rule": type(learner.rule).name(),
        "ledger": {key: str(value) for key, value in learner.ledger.to_dict().items()},
        "weights": {str(key): float(value).hex() for key, value in learner.weights.items()},
        "labels": [repr(label) for label in learner.labels],
    }
    path.with_suffix(".json").write_text(json.dumps(held, indent=1) + "\n")


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, (rule, text) in STREAMS.items():
        write(name, learned(rule, text))
