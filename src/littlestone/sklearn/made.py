"""An estimator of every rule, made of the rule's fields: a rule that joins the catalogue has its estimator."""

from __future__ import annotations

from dataclasses import field, make_dataclass
from typing import TYPE_CHECKING, TypeAlias, cast

from littlestone import domain, kernels, linear, multiclass, pool, uniclass
from littlestone.kernels import Gaussian
from littlestone.linear.baselines import Baseline
from littlestone.log_weights import LogWeights
from littlestone.sklearn.classifier import LinearClassifier, RuleClassifier, WeightedClassifier
from littlestone.sklearn.detector import RuleDetector
from littlestone.sklearn.passive_aggressive import PassiveAggressiveClassifier, PassiveAggressiveRegressor
from littlestone.sklearn.sections import default_of, fields_of, suggested, with_sections
from littlestone.sklearn.supervised import LinearRegressor, RuleRegressor, WeightedRegressor

if TYPE_CHECKING:
    from collections.abc import Callable

    from littlestone.rule import LinearRule
    from littlestone.sklearn.estimator import RuleEstimator

    Made: TypeAlias = type[RuleEstimator]

HOME = "littlestone.sklearn"

OTHERS = {"Fixed", "KernelFixed", "MulticlassFixed", "OneVersusRest"}
"""Comparators, which never learn, and what a classifier of two classes becomes when it meets a third."""

SPELLED: dict[str, Made] = {
    "PassiveAggressive": PassiveAggressiveClassifier,
    "PassiveAggressiveRegression": PassiveAggressiveRegressor,
}
"""Those with parameters that scikit-learn has other names for."""

_POSITIVE = (
    "Its weights are positive: without negative ones most samples cannot be told apart, and where a class needs them, use a "
    "signed rule. A third class after a fit of two finds the second where it was; the first starts from nothing."
)
_DRAWS = "`predict` gives the more likely label, so that a row always gets the same one; the draws count in `ledger_`."
_BASELINE = "It does not look at the rows: what every other estimator should be better than."
_COUNTS = "Its rows are counts, of words say: a value below 0 counts as the one above."
_SEPARABLE = "It is made for samples that can be separated; on others the last projections decide."


def estimators() -> tuple[Made, ...]:
    """Every estimator, in the order of the rules."""
    rules = (*linear.RULES, *multiclass.RULES, *kernels.RULES, *uniclass.RULES, *pool.RULES)
    return tuple(SPELLED.get(rule.__name__) or estimator_of(rule) for rule in rules if rule.__name__ not in OTHERS)


def estimator_of(rule: type[LinearRule]) -> Made:
    """A rule as an estimator: its fields are the rule's, what else it has depends on what the rule learns."""
    defaults = {name: _default(rule, name) for name in domain.parameters(rule)}
    own = [(f.name, f.type, field(default=defaults[f.name])) for f in fields_of(rule) if f.name in defaults]
    make = _maker(rule, list(defaults))
    example = make(defaults)
    (word, ending), (remark, poor) = _kind(example), _remark(example)
    space = {
        "__module__": HOME,
        "__doc__": f"`ls.{rule.__name__}` as {word}." + (f"\n\n{remark}" if remark else ""),
        "rule": _verb(rule, make),
        "_poor": poor,
        "_skips_missing": isinstance(example, pool.PoolRule),
    }
    name = rule.__name__.removesuffix("Regression") + ending
    made = make_dataclass(name, own, bases=_bases(example), namespace=space, kw_only=True, eq=False, repr=False)
    return with_sections(cast("Made", made), rule)


def _default(rule: type[LinearRule], parameter: str) -> object:
    """Of a parameter as scikit-learn wants it: always there, and a plain value."""
    other = suggested(rule, parameter)
    return default_of(rule, parameter) if other is None else other.default


def _maker(rule: type[LinearRule], names: list[str]) -> Callable[[dict[str, object]], LinearRule]:
    """What makes the rule of the values of its fields."""

    def make(values: dict[str, object]) -> LinearRule:
        given = {name: values[name] for name in names}
        if "kernel" in given and given["kernel"] is None:
            given["kernel"] = Gaussian()
        return rule(**given)

    return make


def _verb(rule: type[LinearRule], make: Callable[[dict[str, object]], LinearRule]) -> Callable[[RuleEstimator], LinearRule]:
    def of(self: RuleEstimator) -> LinearRule:
        return make(vars(self))

    of.__name__, of.__doc__ = "rule", f"`ls.{rule.__name__}`."
    return of


def _kind(rule: LinearRule) -> tuple[str, str]:
    """What the estimator of a rule is called: in words, and at the end of its name."""
    if rule.abilities.alone:
        return "an outlier detector", "Detector"
    return ("a regressor", "Regressor") if rule.abilities.targets else ("a classifier", "Classifier")


def _bases(rule: LinearRule) -> tuple[type, ...]:
    """What the rule learns, whether rows may count more or less, and whether there are weights to be looked at."""
    if rule.abilities.alone:
        return (RuleDetector,)
    labels: tuple[type, ...] = (WeightedClassifier, LinearClassifier, RuleClassifier)
    targets: tuple[type, ...] = (WeightedRegressor, LinearRegressor, RuleRegressor)
    weighted, linear_one, plain = targets if rule.abilities.targets else labels
    parts = (weighted,) * rule.abilities.takes_weights + (linear_one,) * rule.abilities.has_weights
    return parts or (plain,)


def _remark(rule: LinearRule) -> tuple[str, bool]:
    """What is to be known of the estimator, and whether it is a reason to expect little on most samples."""
    if isinstance(rule, linear.BatchPassiveAggressive):
        return _SEPARABLE, True
    if isinstance(rule, Baseline):
        return _BASELINE, True
    if isinstance(rule, linear.NaiveBayes):
        return _COUNTS, True
    state = rule.init(1)
    if isinstance(state, LogWeights) and not rule.abilities.targets:
        return _POSITIVE, True
    return (_DRAWS if not rule.abilities.alone and rule.decide(state, 0.0).randomized else ""), False
