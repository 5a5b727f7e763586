"""Two expert rules against each other."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, final

import numpy as np

from littlestone.arguments import flag
from littlestone.display import Displayed
from littlestone.domain import POWER, WHOLE
from littlestone.errors import InvalidParameter
from littlestone.experts.losses import Given
from littlestone.experts.mixture import Mixture
from littlestone.games.evidence import evidence_of
from littlestone.games.payoffs import Bracket, Payoffs, payoffs_of
from littlestone.theory.games import MINIMAX

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.experts.ledger import ExpertLedger
    from littlestone.experts.rule import ExpertRule
    from littlestone.experts.state import ExpertState
    from littlestone.games.payoffs import Game
    from littlestone.theory.certificate import Certificate


@final
@dataclass(frozen=True, eq=False)
class Player:
    """One side of a play: the run of its rule, with state and ledger, its average strategy and what it lost.

    Losses are payoffs scaled to [0, 1], 0 for the best payoff of this player and 1 for the worst. The ledger has every
    round as the rule met it, weights first and losses after; the averages here are of what was played.
    """

    mixture: Mixture = field(repr=False)
    strategy: FloatArray
    """The mean of the strategies played."""
    loss: float
    """The mean loss."""
    losses: FloatArray = field(repr=False)
    """The mean loss of every action."""

    @property
    def rule(self) -> ExpertRule:
        """The rule."""
        return self.mixture.rule

    @property
    def state(self) -> ExpertState:
        """The state that it ended in."""
        return self.mixture.state

    @property
    def ledger(self) -> ExpertLedger:
        """The ledger of its run; the experts are the actions."""
        return self.mixture.ledger

    def certify(self) -> list[Certificate]:
        """Every guarantee that speaks of the rule, on this run."""
        return self.mixture.certify()

    @property
    def regret(self) -> float:
        """The mean loss minus that of the best action: the average regret, in payoff ranges."""
        return self.loss - float(np.min(self.losses))


@final
@dataclass(frozen=True, eq=False)
class Play(Displayed):
    """Two players, and the bracket of the value that their average strategies prove."""

    row: Player
    column: Player
    rounds: int
    lower: float
    upper: float
    certificate: Certificate = field(repr=False)
    """mohri.8.16, its right side summed up round by round and its left side taken from the average strategies."""

    @property
    def gap(self) -> float:
        """The length of the bracket; (average regret of row + that of column) times the payoff range."""
        return self.upper - self.lower


def play(
    A: Game,
    row: ExpertRule,
    column: ExpertRule,
    rounds: int,
    *,
    sense: str = "max",
    alternate: bool = False,
    power: float = 0.0,
    shape: tuple[int, int] | None = None,
    bounds: tuple[float, float] | None = None,
) -> Play:
    """Plays a zero-sum game between two expert rules; the actions are the experts.

    In each round both rules give their weights p and q, the row rule learns the losses of its actions against q and the
    column rule those of its actions against p. This is the definition of what `solve` runs compiled. On every call the
    gap of the averages is checked against the sum of the regrets.

    Args:
        A: the payoffs, as in `solve`.
        row: the row player's rule.
        column: the column player's.
        rounds: how many.
        sense: what the row player does to the payoffs, "max" or "min".
        alternate: whether the column rule learns this round's p before it gives its weights.
        power: round t has weight t^power in the averages and regrets.
        shape: rows and columns of a game given by functions.
        bounds: the smallest and largest payoff of a game given by functions.

    Example:
        >>> import littlestone as ls
        >>> hedge = ls.ExponentialWeights(horizon=100)
        >>> play = ls.play([[1, 0], [0, 1]], hedge, ls.BestResponse(), 100, sense="min", alternate=True)
        >>> round(play.lower, 4), round(play.upper, 4)
        (0.5, 0.5293)
        >>> play.certificate.holds
        True
    """
    _check(rounds, power)
    alternate = flag("alternate", alternate)
    payoffs = payoffs_of(A, sense=sense, shape=shape, bounds=bounds)
    if not np.isfinite(payoffs.range):
        raise InvalidParameter("rules learn losses in [0, 1]; a game given by functions needs bounds=(low, high)")
    table = _Table(payoffs, row, column)
    for t in range(1, rounds + 1):
        table.round(alternate=alternate, weight=float(t) ** power)
    return table.result(rounds)


def _check(rounds: int, power: float) -> None:
    if not WHOLE.contains(rounds):
        raise InvalidParameter(f"rounds is {rounds!r}; rounds must be {WHOLE.words}")
    if not POWER.contains(power):
        raise InvalidParameter(f"power is {power!r}; power must be {POWER.words}")


@final
class _Seat:
    """A rule at the table: its state and the means over the rounds so far."""

    def __init__(self, rule: ExpertRule, actions: int) -> None:
        self.mixture = Mixture(rule, experts=actions, loss=Given())
        self.strategy, self.losses, self.loss = np.zeros(actions), np.zeros(actions), 0.0

    def weights(self) -> FloatArray:
        return self.mixture.rule.weights(self.mixture.state)

    def learn(self, losses: FloatArray) -> None:
        self.mixture.learn_one(losses, 0.0)

    def add(self, strategy: FloatArray, losses: FloatArray, share: float) -> None:
        self.strategy += share * (strategy - self.strategy)
        self.losses += share * (losses - self.losses)
        self.loss += share * (float(strategy @ losses) - self.loss)

    def player(self) -> Player:
        return Player(self.mixture, self.strategy, self.loss, self.losses)


@final
class _Table:
    """The game between two seats."""

    def __init__(self, payoffs: Payoffs, row: ExpertRule, column: ExpertRule) -> None:
        rows, columns = payoffs.shape
        self.payoffs, self.row, self.column = payoffs, _Seat(row, rows), _Seat(column, columns)
        self.mass = 0.0

    def losses(self, gains: FloatArray, sign: float) -> FloatArray:
        """Payoffs as losses in [0, 1], to the last rounding, of a player who wants sign·payoff to be large."""
        best = self.payoffs.high if sign > 0.0 else self.payoffs.low
        return np.clip(sign * (best - gains) / (self.payoffs.range or 1.0), 0.0, 1.0)

    def round(self, *, alternate: bool, weight: float) -> None:
        game, sign = self.payoffs.game, self.payoffs.sign
        p = self.row.weights()
        column_losses = self.losses(game.transposed_times(p), -sign)
        if alternate:
            self.column.learn(column_losses)
        q = self.column.weights()
        row_losses = self.losses(game.times(q), sign)
        self.mass += weight
        self.row.add(p, row_losses, weight / self.mass)
        self.column.add(q, column_losses, weight / self.mass)
        self.row.learn(row_losses)
        if not alternate:
            self.column.learn(column_losses)

    def result(self, rounds: int) -> Play:
        row, column, payoffs = self.row.player(), self.column.player(), self.payoffs
        proved = payoffs.bracket(row.strategy, column.strategy)
        certificate = MINIMAX.certify(evidence_of(payoffs, row.strategy, column.strategy, proved, self.played(), rounds=rounds))
        return Play(row, column, rounds, proved.lower, proved.upper, certificate)

    def played(self) -> Bracket:
        """The bracket as the rounds add up to it."""
        sign, scale = self.payoffs.sign, self.payoffs.range or 1.0
        best, worst = (self.payoffs.high, self.payoffs.low) if sign > 0.0 else (self.payoffs.low, self.payoffs.high)
        of_row = best - sign * scale * float(np.min(self.row.losses))
        of_column = worst + sign * scale * float(np.min(self.column.losses))
        payoff = best - sign * scale * self.row.loss
        return Bracket(min(of_row, of_column), max(of_row, of_column), payoff)
