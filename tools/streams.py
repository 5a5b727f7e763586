"""What the guarantees say on nine real streams: writes docs/streams.json, of which docs/guarantees.md has a column.

Usage: python tools/streams.py FOLDER [NAME...]

The folder has the data; a stream whose file is not there keeps what was measured before. Every stream is gone over once, in its
own order: by the default learner; by linear rules, beside the averages of their own weights, or their last ones where there is
no average; by on-line ridge regression on the labels ±1, where the features are few; and by masters over five learners.
"""

from __future__ import annotations

import io
import json
import math
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

import littlestone as ls
from littlestone.streams.files import Chunk
from littlestone.theory import Certificate
from littlestone.theory.streaming import Candidates, yardstick

RESULTS = Path(__file__).parent.parent / "docs" / "streams.json"
RULES: tuple[ls.LinearRule, ...] = (
    ls.Perceptron(),
    ls.PassiveAggressive(variant="PA-I", C=0.01),
    ls.PassiveAggressive(variant="PA-II", C=0.01),
    ls.OnlineSVM(),
    ls.SignedWinnow(eta=0.01),
    ls.AdaGrad(),
    ls.AdaGrad(loss="hinge"),
)
FULL: tuple[ls.LinearRule, ...] = (ls.AROW(covariance="full"),)
"""With a matrix over the features: where these are few."""
MOST = 400
"""So many are few."""
LED: tuple[ls.LinearRule, ...] = (
    ls.Perceptron(),
    ls.PassiveAggressive(variant="PA-I", C=0.01),
    ls.AROW(),
    ls.AdaGrad(),
    ls.OnlineSVM(),
)


def drifting(rows: int = 40_000, width: int = 54) -> Iterator[Chunk]:
    """Ten measurements and a few of 44 flags, as in covtype; what they say of the label turns every 5,000 rows."""
    source, lines = np.random.default_rng(0), list[str]()
    for _ in range(rows // 5_000):
        u = source.normal(size=width)
        X = np.zeros((5_000, width))
        X[:, :10] = source.normal(size=(5_000, 10))
        X[np.arange(5_000), source.integers(10, width, size=5_000)] = 1.0
        y = np.where(X @ u + 0.5 * source.normal(size=5_000) > 0.5, 1, 0)
        lines += [
            f"{label} " + " ".join(f"{k + 1}:{x[k]:.6g}" for k in np.flatnonzero(x)) for x, label in zip(X, y, strict=True)
        ]
    yield from ls.read(io.BytesIO("\n".join(lines).encode()), format="svmlight")


def streams(folder: Path) -> dict[str, tuple[Path | None, Callable[[], Iterator[Chunk]]]]:
    """Every stream by its name: the file that it needs, and how to read it."""

    def svmlight(name: str) -> tuple[Path, Callable[[], Iterator[Chunk]]]:
        path = folder / "libsvm" / name
        return path, lambda: iter(ls.read(path))

    elec, sms, imdb = folder / "drift" / "elec2.csv.gz", folder / "text" / "sms_spam.tsv.gz", folder / "vw" / "imdb.vw.gz"
    return {
        "a9a": svmlight("a9a.svm.gz"),
        "w8a": svmlight("w8a.shuf.svm.gz"),
        "mushrooms": svmlight("mushrooms.svm.gz"),
        "svmguide3": svmlight("svmguide3.shuf.svm.gz"),
        "splice": svmlight("splice.svm.gz"),
        "imdb": (imdb, lambda: iter(ls.read(imdb))),
        "elec2": (elec, lambda: iter(ls.read(elec, label="class"))),
        "drift": (None, drifting),
        "sms": (sms, lambda: iter(ls.read(sms, header=False, label=0, text=("1",)))),
    }


def learned(learner: ls.Learner, chunks: Callable[[], Iterator[Chunk]]) -> ls.Learner:
    """After one pass."""
    for X, y in chunks():
        learner.learn_many(X, y)
    return learner


def beside_weights(rule: ls.LinearRule, chunks: Callable[[], Iterator[Chunk]]) -> list[Certificate]:
    """The best of each theorem about a rule, beside weights of its own at several scales."""
    has_average = rule.abilities.averages
    learner = learned(ls.Learner(rule, average=has_average), chunks)
    u = yardstick(learner) if has_average else learner.state.w
    assert u is not None
    candidates = Candidates(learner, u)
    candidates.learn(chunks())
    return candidates.certificates()


def of_ridge(labels: tuple[object, ...], chunks: Callable[[], Iterator[Chunk]]) -> list[Certificate]:
    """The forecasts of the labels, taken for −1 and 1, by Vovk, Azoury and Warmuth."""
    learner = ls.Learner(ls.OnlineRidge())
    for X, y in chunks():
        learner.learn_many(X, np.where(np.asarray(y) == labels[1], 1.0, -1.0))
    return learner.certify()


def of_masters(chunks: Callable[[], Iterator[Chunk]]) -> list[Certificate]:
    """By the Exponentiated Update, and by AdaHedge."""
    found = list[Certificate]()
    for vote in (None, ls.AdaHedge()):
        master = ls.Master([ls.Learner(rule) for rule in LED], vote=vote)
        for X, y in chunks():
            master.learn_many(X, y)
        found += master.certify()
    return found


def of_stream(chunks: Callable[[], Iterator[Chunk]]) -> list[Certificate]:
    """The certificates of the default learner, and the best of each theorem about the others."""
    default = learned(ls.Learner(), chunks)
    found = default.certify()
    few = len(default.features) <= MOST
    others = [beside_weights(rule, chunks) for rule in (*RULES, *(FULL if few else ()))]
    others += [of_ridge(default.labels, chunks)] if few else []
    for said in (*others, of_masters(chunks)):
        known = {one.id for one in found if one.proved}
        found += [one for one in said if one.id not in known]
    return found


def told(certificates: list[Certificate]) -> dict[str, list[str | float | None]]:
    """Verdict, measured and bound of each theorem that was proved."""
    return {
        one.id: [
            one.verdict.value,
            *(float(f"{side:.6g}") if math.isfinite(side) else None for side in (one.measured, one.bound)),
        ]
        for one in certificates
        if one.proved
    }


if __name__ == "__main__":
    results = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    for name, (path, chunks) in streams(Path(sys.argv[1])).items():
        if sys.argv[2:] and name not in sys.argv[2:]:
            continue
        if path is not None and not path.exists():
            print(f"{name}: {path} is not there")
            continue
        results[name] = told(of_stream(chunks))
        print(name, {key: said for key, said in results[name].items() if said[0] == "holds"}, flush=True)
        RESULTS.write_text(json.dumps(results, indent=1, sort_keys=True) + "\n", encoding="utf-8")
