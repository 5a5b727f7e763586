"""Every rule of the package, with every variant and every kind of parameter: the laws run over these.

A rule that is missing here fails test_inventory.py, and so does a law that a family is not asked to keep without a reason.
"""

from __future__ import annotations

import numpy as np

import laws
import littlestone as ls
from littlestone.arrays import FloatArray
from littlestone.experts.rule import ExpertRule
from littlestone.kernels.functions import Points
from littlestone.multiclass.rule import MulticlassRule


def gaussian(points: Points, x: object) -> FloatArray:
    """A kernel as a user would write it."""
    return GAUSSIAN.values(points, x)


GAUSSIAN, LAPLACE = ls.kernels.Gaussian(gamma=0.3), ls.kernels.Laplace(gamma=0.2)
QUADRATIC = ls.kernels.Polynomial(degree=2, gamma=0.5)
OWN = ls.kernels.Custom(function=gaussian)


def short(rule: ls.Rule) -> str:
    """The rule without the address of a function."""
    return repr(rule).replace(repr(OWN), "own")


EXACT: tuple[ls.LinearRule, ...] = (
    ls.Perceptron(),
    ls.Perceptron(eta=0.5, start=np.array([1.0, -2.0])),
    ls.Perceptron(tolerance=0.5),
    ls.RandomizedPerceptron(),
    ls.RandomizedPerceptron(eta=0.125, start=np.array([1.0, 0.5]), seed=7),
    ls.MarginPerceptron(rho=1.0),
    ls.OnlineSVM(eta=0.5, C=2.0),
    ls.OnlineSVM(eta=0.5, C=2.0, kink="shrink"),
    ls.Fixed(weights=np.array([1.0, -1.0])),
    ls.Fixed(weights=np.array([0.5]), task="targets", epsilon=0.25),
)
"""Rules that make no rounding on short streams of small integers."""

LINEAR: tuple[ls.LinearRule, ...] = (
    *EXACT,
    ls.OnlineSVM(),
    ls.OnlineSVM(eta=0.3, C=0.7),
    ls.OnlineSVM(kink="shrink"),
    ls.PassiveAggressive(),
    ls.PassiveAggressive(start=np.array([0.5, -0.25]), margin=0.3),
    ls.PassiveAggressive(variant="PA-I", C=0.1),
    ls.PassiveAggressive(variant="PA-II", C=0.1, margin=2.0),
    ls.PassiveAggressive(variant="relaxed", gamma=0.7),
    ls.PassiveAggressiveRegression(),
    ls.PassiveAggressiveRegression(variant="PA-I", C=0.1, epsilon=0.0),
    ls.PassiveAggressiveRegression(variant="PA-II", C=3.0, start=np.array([1.0])),
    ls.PassiveAggressiveRegression(variant="relaxed", gamma=0.1),
    ls.AROW(r=0.5),
    ls.OnlineRidge(),
    ls.OnlineRidge(a=0.25, forecast="ridge"),
    ls.AROW(r=0.5, covariance="full"),
    ls.AdaGrad(),
    ls.AdaGrad(loss="hinge", eta=1.0, G0=0.5),
    ls.AdaGradRegression(eta=2.0),
    ls.LogisticFilter(a=0.5),
    ls.NaiveBayes(),
    ls.Majority(),
    ls.LastLabel(),
    ls.Markov(order=2),
    ls.RunningMean(),
    ls.LastValue(),
    ls.BatchPassiveAggressive(beta=0.09),
    ls.BatchPassiveAggressiveRegression(beta=0.04, epsilon=0.2),
)
"""Every linear rule, with every variant and every kind of parameter."""

MULTIPLICATIVE: tuple[ls.LinearRule, ...] = (
    ls.Winnow(),
    ls.Winnow(eta=3.0, tie_tol=1e-12),
    ls.SignedWinnow(),
    ls.SignedWinnow(eta=3.0, tie_tol=1e-12),
    ls.ExponentiatedUpdate(),
    ls.ExponentiatedUpdate(eta=2.0, U=3.0, tolerance=0.25, tie_tol=1e-12),
    ls.SignedExponentiatedUpdate(eta=0.3, U=2.0),
    ls.RandomizedExponentiatedUpdate(U=2.0, seed=3),
    ls.MultiplicativePassiveAggressive(margin=0.5),
    ls.MultiplicativePassiveAggressiveRegression(),
)

KERNEL_RULES: tuple[ls.LinearRule, ...] = (
    ls.KernelPerceptron(kernel=ls.kernels.Linear(), eta=0.5),
    ls.KernelPerceptron(kernel=LAPLACE),
    ls.KernelPerceptron(kernel=OWN),
    ls.KernelPerceptron(kernel=GAUSSIAN, budget=3, when_full="drop-oldest"),
    ls.KernelPerceptron(kernel=GAUSSIAN, budget=3, when_full="project"),
    ls.KernelPassiveAggressive(kernel=QUADRATIC),
    ls.KernelPassiveAggressive(kernel=GAUSSIAN, variant="PA-I", C=0.1, budget=2, when_full="drop-oldest"),
    ls.KernelPassiveAggressive(kernel=LAPLACE, variant="relaxed", gamma=0.5),
    ls.KernelPassiveAggressiveRegression(kernel=GAUSSIAN, variant="PA-II", C=2.0),
    ls.KernelFixed(kernel=GAUSSIAN),
)

BALLS: tuple[ls.LinearRule, ...] = (
    ls.Uniclass(epsilon=0.5),
    ls.Uniclass(epsilon=0.0),
    ls.BatchUniclass(epsilon=0.5, beta=0.04),
    ls.MultiplicativeUniclass(epsilon=0.3),
    ls.RadiusUniclass(bound=2.0),
    ls.RadiusUniclass(bound=3.0, variant="PA"),
    ls.AdaptiveUniclass(flag=0.2),
    ls.AdaptiveKernelUniclass(flag=0.2, budget=3),
    ls.KernelUniclass(kernel=QUADRATIC, epsilon=0.5),
    ls.KernelUniclass(kernel=GAUSSIAN, epsilon=0.5, budget=3),
    ls.KernelUniclass(kernel=LAPLACE, epsilon=0.3, budget=2, when_full="drop-oldest"),
    ls.KernelUniclass(kernel=OWN, epsilon=0.5),
)

MULTICLASS: tuple[MulticlassRule, ...] = (
    ls.MulticlassPerceptron(),
    ls.MulticlassPerceptron(share="max", eta=0.5),
    ls.MulticlassPerceptron(share="proportional"),
    ls.MulticlassPassiveAggressive(),
    ls.MulticlassPassiveAggressive(variant="PA-I", C=0.1, margin=2.0),
    ls.MulticlassPassiveAggressive(variant="PA-II", C=0.3),
    ls.OneVersusRest(rule=ls.Perceptron()),
    ls.OneVersusRest(rule=ls.Perceptron(start=np.array([1.0, -1.0]), tolerance=0.5)),
    ls.OneVersusRest(rule=ls.RandomizedPerceptron(seed=3)),
    ls.OneVersusRest(rule=ls.MarginPerceptron(rho=0.5)),
    ls.OneVersusRest(rule=ls.OnlineSVM()),
    ls.OneVersusRest(rule=ls.AROW()),
    ls.OneVersusRest(rule=ls.AROW(covariance="full")),
    ls.OneVersusRest(rule=ls.AdaGrad()),
    ls.OneVersusRest(rule=ls.AdaGrad(loss="hinge")),
    ls.OneVersusRest(rule=ls.LogisticFilter()),
    ls.OneVersusRest(rule=ls.NaiveBayes()),
    ls.OneVersusRest(rule=ls.Majority()),
    ls.OneVersusRest(rule=ls.LastLabel()),
    ls.OneVersusRest(rule=ls.Markov(order=2)),
    ls.OneVersusRest(rule=ls.PassiveAggressive(variant="PA-I", C=0.5)),
    ls.OneVersusRest(rule=ls.BatchPassiveAggressive(beta=0.25)),
    ls.OneVersusRest(rule=ls.Winnow()),
    ls.OneVersusRest(rule=ls.SignedWinnow()),
    ls.OneVersusRest(rule=ls.ExponentiatedUpdate(U=2.0)),
    ls.OneVersusRest(rule=ls.SignedExponentiatedUpdate(U=3.0)),
    ls.OneVersusRest(rule=ls.RandomizedExponentiatedUpdate()),
    ls.OneVersusRest(rule=ls.MultiplicativePassiveAggressive(margin=0.2)),
    ls.OneVersusRest(rule=ls.KernelPerceptron(kernel=GAUSSIAN)),
    ls.OneVersusRest(rule=ls.KernelPerceptron(kernel=GAUSSIAN, budget=3, when_full="drop-oldest")),
    ls.OneVersusRest(rule=ls.KernelPerceptron(kernel=LAPLACE, budget=3, when_full="project")),
    ls.OneVersusRest(rule=ls.KernelPassiveAggressive(kernel=QUADRATIC)),
    ls.OneVersusRest(rule=ls.KernelPassiveAggressive(kernel=GAUSSIAN, variant="PA-I", C=0.1, budget=2)),
    ls.OneVersusRest(rule=ls.KernelPassiveAggressive(kernel=OWN, variant="PA-II", C=0.5)),
    ls.OneVersusRest(rule=ls.KernelPerceptron(kernel=OWN, budget=3, when_full="drop-oldest")),
    ls.OneVersusRest(rule=ls.KernelFixed(kernel=GAUSSIAN)),
    ls.OneVersusRest(rule=ls.Fixed(weights=[1.0, -0.5])),
)

POOLS: tuple[ls.LinearRule, ...] = (
    ls.Pool(),
    ls.Pool(views=("raw",), labels_in_time=False, largest_weight=2.0),
    ls.PoolRegression(),
    ls.PoolRegression(views=("raw",)),
)

EXPERTS: tuple[ExpertRule, ...] = (
    ls.Halving(),
    ls.Halving(prune="always"),
    ls.WeightedMajority(),
    ls.WeightedMajority(beta=0.0, update_on="always"),
    ls.RandomizedWeightedMajority(),
    ls.RandomizedWeightedMajority(beta=0.7),
    ls.RandomizedWeightedMajority(horizon=40),
    ls.ExponentialWeights(),
    ls.ExponentialWeights(eta=0.5),
    ls.ExponentialWeights(horizon=40),
    ls.ExponentialWeights(schedule="doubling"),
    ls.MultiplicativeWeights(),
    ls.MultiplicativeWeights(horizon=40),
    ls.MultiplicativeWeights(horizon=40, alpha=1.0),
    ls.PolynomialWeights(),
    ls.PolynomialWeights(alpha=3.0),
    ls.FixedShare(eta=0.5, alpha=0.05),
    ls.FixedShare(horizon=40, switches=3),
    ls.AdaHedge(),
    ls.MLpol(),
    ls.MLprod(),
    ls.MLewa(),
    ls.BOA(),
    ls.OnlineGradientDescent(),
    ls.OnlineGradientDescent(power=0.3, gradients="plain"),
    ls.FollowTheRegularizedLeader(),
    ls.ExponentiatedGradient(eta=0.5),
    ls.BayesMixture(),
    ls.InternalRegret(),
    ls.InternalRegret(horizon=40),
    ls.SwapRegret(beta=0.7),
    ls.SwapRegret(horizon=200),
    ls.FollowThePerturbedLeader(),
    ls.FollowThePerturbedLeader(eta=0.5, seed=3),
    ls.AggregatingAlgorithm(),
)

# Rules of which each is many: the laws are asked a few times.
MANIFOLD: tuple[ExpertRule, ...] = (ls.CalibratedExponentialWeights(), ls.CalibratedFixedShare())

FAMILIES: dict[str, tuple[ls.LinearRule, ...]] = {
    "linear": LINEAR,
    "multiplicative": MULTIPLICATIVE,
    "kernels": KERNEL_RULES,
    "one class": BALLS,
    "many classes": MULTICLASS,
    "pools": POOLS,
}

LAWS: tuple[laws.Law, ...] = (
    laws.whole_equals_split,
    laws.many_equals_one_by_one,
    laws.run_equals_learner,
    laws.shows_what_it_predicts,
    laws.every_form_is_the_same,
    laws.predicting_is_pure,
    laws.no_update_moves_no_byte,
    laws.restoring_goes_on,
    laws.ledger_is_the_sum_of_its_rounds,
)
"""What every rule that learns rows keeps on any stream."""

EXCUSED: dict[tuple[str, laws.Law], str] = {
    ("many classes", laws.predicting_is_pure): "a row has a score per class there: test_multiclass.scoring_is_pure",
    ("many classes", laws.no_update_moves_no_byte): "a class joins without an update there: the law of test_multiclass",
    ("many classes", laws.ledger_is_the_sum_of_its_rounds): "margins are leads there: the law of test_multiclass",
}
"""Which family is not asked for which law by its module's `test_law`, and why."""


def asked(family: str) -> tuple[laws.Law, ...]:
    """The laws that a family is asked to keep."""
    return tuple(law for law in LAWS if (family, law) not in EXCUSED)
