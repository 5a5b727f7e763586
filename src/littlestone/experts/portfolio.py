"""Portfolios: the log of the return as the loss, on price relatives, with the costs of trading."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone.arrays import FloatArray
from littlestone.display import Displayed
from littlestone.domain import HALF_OPEN_UNIT, WHOLE, check, parameter, several
from littlestone.errors import InvalidData, InvalidParameter
from littlestone.experts.aggregation import aggregate
from littlestone.experts.bayes_mixture import BayesMixture
from littlestone.experts.frames import read
from littlestone.experts.losses import Returns

if TYPE_CHECKING:
    from littlestone.experts.mixture import AdviceTable
    from littlestone.experts.rule import ExpertRule
    from littlestone.experts.run import ExpertRun
    from littlestone.theory.certificate import Certificate

_MOST = 200_000


@final
@dataclass(frozen=True, kw_only=True)
class UniversalPortfolio:
    """Gives a part of the money to every constant rebalanced portfolio of a lattice, and lets each go its way.

    The portfolios are all (k₁, …, k_N)/steps; what is held is their mean by wealth, the Bayesian mixture of them. With M of
    them the log of the wealth is at least that of the best of the lattice less log M, whatever the prices do.
    Source: Cover 1991, with a lattice in the place of the integral.

    Example:
        >>> import littlestone as ls
        >>> ls.UniversalPortfolio(steps=2).portfolios(2)
        array([[0. , 1. ],
               [0.5, 0.5],
               [1. , 0. ]])
    """

    source: ClassVar[str] = "Cover 1991"

    steps: int = parameter(20, domain=WHOLE, why="the best of the lattice is then near the best there is")

    def __post_init__(self) -> None:
        """Checks the parameter."""
        check(self)

    def portfolios(self, assets: int) -> FloatArray:
        """The lattice, a portfolio per row.

        Raises:
            InvalidParameter: if there are too many.
        """
        count = math.comb(self.steps + assets - 1, assets - 1)
        if count > _MOST:
            raise InvalidParameter(f"{assets} assets in {self.steps} steps are {count:,} portfolios; take fewer steps")
        bars = np.array(list(combinations(range(self.steps + assets - 1), assets - 1)), dtype=np.int64).reshape(
            count, assets - 1
        )
        ends = np.column_stack([np.full(count, -1), bars, np.full(count, self.steps + assets - 1)])
        return (np.diff(ends, axis=1) - 1) / self.steps


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class PortfolioRun(Displayed):
    """What was held, what it earned, and what trading cost."""

    run: ExpertRun = field(repr=False)
    """The run of the rule, without costs, with its ledger and certificates; of a universal portfolio, over its lattice."""
    assets: tuple[str, ...]
    weights: FloatArray = field(repr=False)
    """The share of each asset in each period."""
    returns: FloatArray = field(repr=False)
    """By what factor the wealth grew in each period, costs included."""
    relatives: FloatArray = field(repr=False)
    turnover: float
    """What was bought and sold in all, as a share of the wealth of its time."""
    cost: float

    @property
    def wealth(self) -> FloatArray:
        """What 1 became, after each period."""
        grown: FloatArray = np.exp(np.cumsum(np.log(self.returns)))
        return grown

    @property
    def best_asset(self) -> tuple[str, float]:
        """The asset that grew most, and what 1 became."""
        grown = np.sum(np.log(self.relatives), axis=0)
        best = int(np.argmax(grown))
        return self.assets[best], math.exp(float(grown[best]))

    @property
    def best_rebalanced(self) -> tuple[FloatArray, float]:
        """The constant rebalanced portfolio that was best in hindsight, and what 1 became, without costs."""
        from littlestone.experts.oracles import best_convex

        best = best_convex(self.relatives, np.ones(len(self.relatives)), Returns())
        return best.weights, math.exp(-best.total)

    def certify(self) -> list[Certificate]:
        """What the theorems of the rule say of the run without costs."""
        return self.run.certify()

    def __str__(self) -> str:
        name, grown = self.best_asset
        last = float(self.wealth[-1]) if len(self.returns) else 1.0
        paid = f", {self.turnover:.4g} traded at {self.cost:g}" if self.cost else ""
        head = f"{len(self.returns):,} periods, {len(self.assets)} assets: 1 became {last:.6g}{paid}"
        return f"{head}\n  best asset {name}: {grown:.6g}; best constant rebalanced portfolio: {self.best_rebalanced[1]:.6g}"


def portfolio(
    rule: ExpertRule | UniversalPortfolio, relatives: AdviceTable, *, cost: float = 0.0, assets: Sequence[str] | None = None
) -> PortfolioRun:
    """Holds a portfolio by a rule, on the price relatives of assets.

    Args:
        rule: `ls.ExponentiatedGradient()`, `ls.UniversalPortfolio()`, or any rule that learns from gradients.
        relatives: the price at the end of a period over that at its beginning, a period per row and an asset per column.
        cost: the part that is lost of everything bought or sold when the portfolio is brought to its shares.
        assets: their names; None takes those of the frame, or numbers.

    Raises:
        InvalidParameter: if the cost is not at least 0 and below 1.
        InvalidData: if a price relative is not above 0.

    Example:
        >>> import numpy as np, littlestone as ls
        >>> relatives = np.array([[1.0, 2.0], [1.0, 0.5]] * 10)           # cash, and a stock that doubles and halves
        >>> held = ls.portfolio(ls.UniversalPortfolio(), relatives)
        >>> float(held.wealth[-1].round(4)), held.best_rebalanced[0].round(4)
        (2.2737, array([0.5, 0.5]))
    """
    if not HALF_OPEN_UNIT.contains(cost):
        raise InvalidParameter(f"cost is {cost!r}; it must be {HALF_OPEN_UNIT.words}, as 0.001 for a tenth of a percent")
    values, names, _ = read(relatives)
    table = np.asarray(values, dtype=np.float64)
    if table.ndim != 2 or table.shape[1] == 0:
        raise InvalidData(f"the price relatives have shape {table.shape}; expected periods by assets")
    wrong = np.argwhere(~(table > 0.0) | ~np.isfinite(table))
    if len(wrong):
        t, i = (int(k) for k in wrong[0])
        raise InvalidData(f"row {t}: the price relative of asset {i} is {table[t, i]:.6g}; it must be finite and above 0")
    run, weights = _held(rule, table)
    returns, turnover = _grown(weights, table, cost)
    called = names or [str(i) for i in range(table.shape[1])] if assets is None else several(assets, "assets", "their names")
    kept = tuple(called)
    return PortfolioRun(run=run, assets=kept, weights=weights, returns=returns, relatives=table, turnover=turnover, cost=cost)


def _held(rule: ExpertRule | UniversalPortfolio, relatives: FloatArray) -> tuple[ExpertRun, FloatArray]:
    """The run of a rule, and the shares of the assets."""
    ones = np.ones(len(relatives))
    if not isinstance(rule, UniversalPortfolio):
        run = aggregate(rule, relatives, ones, loss=Returns(), keep=("weights",))
        return run, np.asarray(run.weights, dtype=np.float64)
    lattice = rule.portfolios(relatives.shape[1])
    run = aggregate(BayesMixture(), relatives @ lattice.T, ones, loss=Returns(), keep=("weights",))
    return run, np.asarray(run.weights, dtype=np.float64) @ lattice


def _grown(weights: FloatArray, relatives: FloatArray, cost: float) -> tuple[FloatArray, float]:
    """The factor of each period, and what was traded; the first portfolio is there already."""
    returns, turnover = np.zeros(len(weights)), 0.0
    drifted: FloatArray = weights[0] if len(weights) else np.zeros(0)
    for t, (held, x) in enumerate(zip(weights, relatives, strict=True)):
        left = _after_costs(held, drifted, cost)
        turnover += float(np.sum(np.abs(left * held - drifted)))
        grown = float(held @ x)
        returns[t], drifted = left * grown, held * x / grown
    return returns, turnover


def _after_costs(held: FloatArray, drifted: FloatArray, cost: float) -> float:
    """What is left of 1 when a portfolio is brought to its shares: the a with a + cost·Σ|a·held − drifted| = 1."""
    low, high = 0.0, 1.0
    if cost == 0.0:
        return 1.0
    for _ in range(60):
        middle = 0.5 * (low + high)
        if middle + cost * float(np.sum(np.abs(middle * held - drifted))) > 1.0:
            high = middle
        else:
            low = middle
    return low
