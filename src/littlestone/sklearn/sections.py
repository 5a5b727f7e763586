"""The sections Parameters and Attributes of an estimator's docstring, made of its fields and of the rule's."""

from __future__ import annotations

from dataclasses import MISSING, Field, fields, is_dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeVar, final

from littlestone import domain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from littlestone.rule import LinearRule
    from littlestone.sklearn.estimator import RuleEstimator

    Kind = TypeVar("Kind", bound=type[RuleEstimator])


@final
class Suggestion(NamedTuple):
    """A default where the rule has none, and why."""

    default: object
    why: str


_SUGGESTED = {
    "rho": Suggestion(0.1, "a modest share of rows of length 1, to begin a search with"),
    "margin": Suggestion(0.1, "suits values of about 1"),
    "epsilon": Suggestion(1.0, "the radius is what you call near: 1 suits columns that were standardised"),
    "bound": Suggestion(4.0, "four spreads of columns that were standardised"),
    "kernel": Suggestion(None, "None is the Gaussian kernel, which suits rows whose neighbours are about 1 apart"),
    "KernelUniclass.epsilon": Suggestion(
        0.99, "where the kernel is Gaussian, a row with nothing in common with the others is 1 or more from a centre of theirs"
    ),
    "MulticlassPassiveAggressive.variant": Suggestion("PA-I", "rows may count more or less; as PassiveAggressiveClassifier"),
    "MulticlassPassiveAggressive.C": Suggestion(1.0, "as PassiveAggressiveClassifier"),
}
"""What an estimator, which can be made without arguments, begins with where the rule has no default, or another one."""

_ATTRIBUTES = {
    "learner_": ("Learner", "The learner that `fit` left behind: rule, state, ledger."),
    "classes_": ("array", "The labels, sorted."),
    "n_features_in_": ("int", "How many features a row has."),
    "n_iter_": ("int", "How many passes the last fit made."),
}


def suggested(rule: type[LinearRule], parameter: str) -> Suggestion | None:
    """What to begin with in place of the rule's own default; None where that serves."""
    default = default_of(rule, parameter)
    return _SUGGESTED.get(f"{rule.__name__}.{parameter}") or (_SUGGESTED[parameter] if default is MISSING else None)


def default_of(rule: type[LinearRule], parameter: str) -> object:
    """The default of a rule's parameter; MISSING where it has none."""
    return next((f.default for f in fields_of(rule) if f.name == parameter), None)


def fields_of(rule: object) -> tuple[Field[object], ...]:
    """The fields of a rule, whose abstract class is no dataclass."""
    assert is_dataclass(rule)
    return fields(rule)


def with_sections(estimator: Kind, rule: type[LinearRule]) -> Kind:
    """The estimator, whose docstring says what its parameters and attributes are."""
    parts = ("Parameters", _parameters(estimator, rule)), ("Attributes", _attributes(estimator))
    listed = (f"{title}\n{'-' * len(title)}\n" + "\n".join(lines) for title, lines in parts)
    estimator.__doc__ = "\n\n".join((_unindented(estimator.__doc__ or ""), *listed)) + "\n"
    return estimator


def _unindented(text: str) -> str:
    first, _, rest = text.strip().partition("\n")
    return first + "\n" + "\n".join(line.removeprefix("    ") for line in rest.split("\n")) if rest else first


def _parameters(estimator: type[RuleEstimator], rule: type[LinearRule]) -> Iterator[str]:
    known = domain.parameters(rule) | domain.parameters(estimator)
    for own in fields(estimator):
        words, other = known[own.name].domain.words, suggested(rule, own.name)
        why = known[own.name].why if other is None else other.why
        yield f"{own.name} : {own.type}, default={own.default!r}"
        yield f"    {words[:1].upper()}{words[1:]}. By default: {why}."


def _attributes(estimator: type[RuleEstimator]) -> Iterator[str]:
    """What is declared or computed under a name that ends as scikit-learn's attributes do."""
    found = dict(_ATTRIBUTES)
    if "classes_" not in _declared(estimator):
        del found["classes_"]
    for name in dir(estimator):
        value = getattr(estimator, name)
        if name.endswith("_") and not name.startswith("_") and isinstance(value, property):
            found[name] = str(value.fget.__annotations__["return"]), (value.__doc__ or "").split("\n")[0]
    for name, (kind, words) in sorted(found.items()):
        yield f"{name} : {kind}"
        yield f"    {words}"


def _declared(estimator: type[RuleEstimator]) -> set[str]:
    return {name for base in estimator.__mro__ for name in vars(base).get("__annotations__", {})}
