"""`littlestone predict`: a model and files in, a line for each row out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, final

from littlestone.cli.lines import json_prediction_lines, json_probability_lines, prediction_lines, probability_lines
from littlestone.cli.text import put, say
from littlestone.errors import InvalidData, NotApplicable
from littlestone.learner import Learner
from littlestone.store import kind_of, load
from littlestone.streams.formats import listed

if TYPE_CHECKING:
    from littlestone.cli.reading import FileOptions
    from littlestone.streams.rows import Rows


Lines: TypeAlias = "Callable[[Learner, Rows], Iterator[str]]"

_LINES: dict[tuple[bool, bool], Lines] = {
    (False, False): prediction_lines,
    (True, False): probability_lines,
    (False, True): json_prediction_lines,
    (True, True): json_probability_lines,
}
"""By whether probabilities are wanted, and JSON."""


@final
class PredictionOptions(NamedTuple):
    """How to predict, and what to print, as the flags have it."""

    strict: bool
    probabilities: bool
    average: bool
    as_json: bool


def predict_files(model: str, files: Sequence[str], reading: FileOptions, asked: PredictionOptions) -> None:
    """Prints the predictions as the rows come, so that whoever writes them into a pipe can wait for each."""
    learner, lines = _model(model, asked)
    for file in files:
        compared = False
        for X, _ in reading.reader(file, learner=learner):
            # A first line of a pipe may have nothing but new words; a header has all that will come.
            if not compared and (X.recipe is not None or (X.scheme.kind == "names" and file != "-")):
                _compare(learner, X, file, strict=asked.strict)
                compared = True
            put(lines(X))


def _model(path: str, asked: PredictionOptions) -> tuple[Learner, Callable[[Rows], Iterator[str]]]:
    """The learner of a file, and its lines: with intervals where the file has them."""
    if kind_of(path) != "conformal":
        learner = load(path)
        if asked.average and asked.probabilities and learner.calibrates:
            raise NotApplicable(f"the probabilities of {path} are of its last weights; leave out --average")
        shower = _mean(learner, path) if asked.average else learner
        return learner, partial(_LINES[asked.probabilities, asked.as_json], shower)
    if asked.average:
        raise InvalidData(f"{path} holds intervals around the last weights; leave out --average")
    from littlestone.cli.intervals import json_shown_lines, shown_lines
    from littlestone.conformal.conformal import Conformal

    kept = load(path, kind=Conformal)
    if not isinstance(kept.model, Learner):
        raise InvalidData(f"{path} holds intervals around a {type(kept.model).__name__}; expected those of a learner")
    shown = json_shown_lines if asked.as_json else shown_lines
    return kept.model, lambda X: shown(kept.predict_many(X))


def _mean(learner: Learner, path: str) -> Learner:
    """A learner with the mean of the weights."""
    try:
        return learner.averaged()
    except NotApplicable:
        if not learner.rule.abilities.averages:
            raise
        raise NotApplicable(f"{path} has no mean of its weights; learn it with --average") from None


def _compare(learner: Learner, X: Rows, file: str, *, strict: bool) -> None:
    """Says which columns of the model are absent and which are new; where it has none, some of the features must be known.

    Raises:
        InvalidData: if nothing is known, or, for a caller who is strict, not all.
    """
    known = learner.recipe
    if known is None:
        _check_features(learner, X, file)
        return
    found = X.recipe or known.of_names(X.names)
    known.check(found)
    absent = [name for name in known.columns if name not in found.columns]
    new = [name for name in found.columns if name not in known.columns and name != known.label]
    parts = [f"{what} {listed(names)}" for what, names in (("lacks", absent), ("has the unknown", new)) if names]
    if not parts:
        return
    sentence = f"{file} {' and '.join(parts)}"
    if strict:
        raise InvalidData(f"{sentence}; without --strict they are passed over")
    say(sentence, err=True, colour="yellow")


def _check_features(learner: Learner, X: Rows, file: str) -> None:
    """Refuses rows of names that the model has never met: every answer would be that to an empty row.

    Raises:
        InvalidData: naming some.
    """
    known = [name for name in learner.features if isinstance(name, str)] if X.scheme.kind == "names" else []
    if known and X.names and not set(X.names) & set(known):
        new, old = listed(X.names[:6]), listed(known[:6])
        raise InvalidData(f"none of the features {new} of {file} is known to this learner, which has learned {old}")
