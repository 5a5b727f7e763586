"""Predictions as lines: a label and its score between tabs, or an object of JSON, and the tag of a row that has one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from littlestone.cli.machine import finite
from littlestone.cli.text import field

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone.columns import KeptColumns
    from littlestone.learner import Learner
    from littlestone.streams.rows import Rows


def prediction_lines(learner: Learner, X: Rows) -> Iterator[str]:
    """A line for each row: the label and its score, or the score alone where the learner learns targets."""
    scores = learner.score_many(X)
    shown = learner.labels_of(scores)
    best = scores if scores.ndim == 1 else scores.max(axis=1, initial=-np.inf)
    if shown is None:
        return _tagged(X, (f"{score:.9g}" for score in scores))
    return _tagged(X, (f"{label}\t{score:.9g}" for label, score in zip(_texts(shown), best.tolist(), strict=True)))


def probability_lines(learner: Learner, X: Rows) -> Iterator[str]:
    """A line for each row: the label, and the probability of every label in the order of `learner.labels`."""
    chances = learner.probability_many(X)
    shown = _texts(np.asarray(learner.labels, dtype=object)[np.argmax(chances, axis=1)])
    pairs = zip(shown, chances.tolist(), strict=True)
    return _tagged(X, (f"{label}\t" + "\t".join(f"{p:.9g}" for p in row) for label, row in pairs))


def json_prediction_lines(learner: Learner, X: Rows) -> Iterator[str]:
    """An object for each row: label and score, or the score alone."""
    scores = learner.score_many(X)
    shown = learner.labels_of(scores)
    best = (scores if scores.ndim == 1 else scores.max(axis=1, initial=-np.inf)).tolist()
    if shown is None:
        return _objects(X, ({"score": score} for score in best))
    return _objects(X, ({"label": label, "score": score} for label, score in zip(shown.tolist(), best, strict=True)))


def json_probability_lines(learner: Learner, X: Rows) -> Iterator[str]:
    """An object for each row: the label, and the probability of every label by its name."""
    chances, names = learner.probability_many(X), [_text(label) for label in learner.labels]
    best = [learner.labels[k] for k in np.argmax(chances, axis=1).tolist()]
    rows = zip(best, chances.tolist(), strict=True)
    return _objects(X, ({"label": label, "probabilities": dict(zip(names, row, strict=True))} for label, row in rows))


def progressive_lines(learner: Learner, columns: KeptColumns, X: Rows) -> Iterator[str]:
    """The same of rows before they were learned; of many classes the label alone, for the margin knows the truth."""
    can, scores = learner.rule.abilities, columns["score"].tolist()
    labels = can.alone or (can.labels and len(learner.labels) <= 2)
    if not labels and not can.classes:
        return _tagged(X, (f"{score:.9g}" for score in scores))
    shown = _texts(learner.label_values(columns["prediction"]))
    pairs = zip(shown, scores, strict=True)
    return _tagged(X, (f"{label}\t{score:.9g}" if labels else f"{label}" for label, score in pairs))


def _tagged(X: Rows, lines: Iterable[str]) -> Iterator[str]:
    tags = X.tags
    if tags is None:
        return (f"{line}\n" for line in lines)
    return (f"{line}\t{field(tag)}\n" if tag else f"{line}\n" for line, tag in zip(lines, tags, strict=True))


def _objects(X: Rows, rows: Iterable[dict[str, object]]) -> Iterator[str]:
    tags = X.tags or [""] * len(X)
    for row, tag in zip(rows, tags, strict=True):
        yield json.dumps(finite(row | ({"tag": tag} if tag else {})), allow_nan=False) + "\n"


def _texts(labels: npt.NDArray[np.generic]) -> Iterator[str]:
    """Labels as a field of a line: what would end the field or the line, or move a terminal, is written as an escape."""
    return map(_text, labels.tolist())


def _text(label: object) -> str:
    return f"{label:g}" if isinstance(label, float) else "" if label is None else field(str(label))
