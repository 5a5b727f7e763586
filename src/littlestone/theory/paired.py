"""Is one learner better than another? A paired comparison that may be looked at after every round."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NoReturn, final

from littlestone.display import Displayed
from littlestone.domain import OPEN_UNIT, POSITIVE
from littlestone.errors import InvalidData, InvalidParameter, NotApplicable
from littlestone.lazy import np

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone.arrays import FloatArray
    from littlestone.run import Run

# Rates of the bets, from what a clear difference wants down to what 10^12 rounds want; each is a supermartingale, and so is
# their mean. In units of 1/c, c the width of the range of a difference.
_RATES: tuple[float, ...] = tuple(0.75 * 2.0 ** (-0.5 * k) for k in range(40))


@final
@dataclass(slots=True)
class PairedComparison(Displayed):
    """The differences of two losses, round by round, and what they prove at every moment at once.

    With probability 1 − δ, at all times T, the mean over the rounds of the expected difference given the past is between
    `low` and `high`. Nothing is assumed of the rows: they may drift or be chosen by an adversary; only that a loss is in
    [0, largest]. For a difference d in an interval of length c, a guess g made before it and 0 ≤ λ < 1/c,
    exp(λ(d − E d) − ψ(λ)(d − g)²) has a mean of at most 1, ψ(λ) = (−log(1 − cλ) − cλ)/c² (Howard, Ramdas, McAuliffe and
    Sekhon 2021, theorem 4; for forecasters Choe and Ramdas 2024). So the product over the rounds, and the mean of it over
    some λ, is a supermartingale, which stays below 2/δ for ever with probability 1 − δ/2 (Ville); and so on the other side.
    Cost: O(1) per round and O(1) memory.

    Example:
        >>> import littlestone as ls
        >>> pair = ls.PairedComparison()
        >>> for _ in range(50):
        ...     pair.note(0.0, 1.0)                        # the first is right, the second wrong
        >>> pair.better, pair.difference, pair.high < -0.5
        ('first', -1.0, True)
    """

    largest: float = 1.0
    delta: float = 0.05
    rounds: int = 0
    total: float = 0.0
    """The sum of the differences, first minus second."""
    spread: float = 0.0
    """The sum of (d − g)², g the mean of the differences before, and 0 at first."""
    discordant: int = field(default=0)
    """Rounds in which the two losses differed."""
    first_total: float = 0.0
    """The losses of the first, in all."""

    def __post_init__(self) -> None:
        """Checks the numbers.

        Raises:
            InvalidParameter: if delta is not strictly between 0 and 1, or largest is not positive.
        """
        if not OPEN_UNIT.contains(self.delta):
            raise InvalidParameter(f"delta is {self.delta!r}; delta must be a number strictly between 0 and 1")
        if not POSITIVE.contains(self.largest):
            raise InvalidParameter(f"largest is {self.largest!r}; largest must be a positive number")

    def note(self, first: float, second: float) -> None:
        """One round.

        Raises:
            InvalidData: if a loss is not between 0 and the largest.
        """
        for loss in (first, second):
            if not 0.0 <= loss <= self.largest:
                self._refuse(loss)
        d = float(first) - float(second)
        guess = self.total / self.rounds if self.rounds else 0.0
        self.spread += (d - guess) ** 2
        self.total += d
        self.discordant += d != 0.0
        self.first_total += float(first)
        self.rounds += 1

    def note_many(self, first: npt.ArrayLike, second: npt.ArrayLike) -> None:
        """Rounds in order, with the same bits as a loop over `note`; where a loss is refused none of them is noted.

        Raises:
            InvalidData: if there are not as many of either, or a loss is not between 0 and the largest.
        """
        one, other = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
        if one.shape != other.shape or one.ndim != 1:
            raise InvalidData(f"the losses have the shapes {one.shape} and {other.shape}; expected one of either per round")
        for losses in (one, other):
            outside = ~((losses >= 0.0) & (losses <= self.largest))
            if outside.any():
                self._refuse(float(losses[outside][0]))
        if not len(one):
            return
        d = one - other
        sums = np.cumsum(np.concatenate([[self.total], d]))
        counts = self.rounds + np.arange(len(d))
        guesses = np.where(counts > 0, sums[:-1] / np.maximum(counts, 1), 0.0)
        self.spread = float(np.cumsum(np.concatenate([[self.spread], (d - guesses) ** 2]))[-1])
        self.first_total = float(np.cumsum(np.concatenate([[self.first_total], one]))[-1])
        self.total = float(sums[-1])
        self.discordant += int(np.count_nonzero(d))
        self.rounds += len(d)

    def _refuse(self, loss: float) -> NoReturn:
        raise InvalidData(f"a loss is {loss}; losses must be between 0 and {self.largest:g}, which is largest=")

    @property
    def difference(self) -> float:
        """The mean difference so far; below 0 the first is better. 0 before the first round."""
        return self.total / self.rounds if self.rounds else 0.0

    @property
    def means(self) -> tuple[float, float]:
        """The mean loss of the first and of the second; 0 before the first round."""
        rounds = max(self.rounds, 1)
        return self.first_total / rounds, (self.first_total - self.total) / rounds

    def to_dict(self) -> dict[str, object]:
        """Plain values, for machines."""
        return {
            "better": self.better,
            "difference": self.difference,
            "low": self.low,
            "high": self.high,
            "evidence": self.evidence,
            "rounds": self.rounds,
            "discordant": self.discordant,
            "delta": self.delta,
            "largest": self.largest,
        }

    @property
    def low(self) -> float:
        """The lower end of the confidence sequence at this moment."""
        return -self._upper(-self.total)

    @property
    def high(self) -> float:
        """The upper end of the confidence sequence at this moment."""
        return self._upper(self.total)

    @property
    def better(self) -> str | None:
        """Whichever is proved better, "first" or "second"; None while neither is."""
        return "first" if self.high < 0.0 else "second" if self.low > 0.0 else None

    @property
    def evidence(self) -> float:
        """The wealth of the bets against "they are equally good": 20 is what a level of .05 asks for on one side."""
        return math.exp(min(700.0, max(self._log_wealth(self.total, 0.0), self._log_wealth(-self.total, 0.0))))

    def _upper(self, total: float) -> float:
        """The largest mean that the bets on a smaller one do not refute."""
        if self.rounds == 0:
            return self.largest
        low, high, wanted = total / self.rounds, self.largest, math.log(2.0 / self.delta)
        if self._log_wealth(-total, -high) < wanted:
            return self.largest
        while high - low > 1e-12 * self.largest:
            middle = (low + high) / 2.0
            low, high = (low, middle) if self._log_wealth(-total, -middle) >= wanted else (middle, high)
        return high

    def _log_wealth(self, total: float, mean: float) -> float:
        """Log of the mean over λ of exp(λ(S − T·mean) − ψ(λ)V): large where the differences exceed the mean."""
        width = 2.0 * self.largest
        more, spread = (total - self.rounds * mean) / width, self.spread / width**2
        logs = [rate * more + (math.log1p(-rate) + rate) * spread for rate in _RATES]
        top = max(logs)
        return top + math.log(math.fsum(math.exp(log - top) for log in logs) / len(logs))

    def __str__(self) -> str:
        said = {"first": "the first is better", "second": "the second is better", None: "neither is proved better"}[self.better]
        where = f"mean difference {self.difference:.6g} in [{self.low:.6g}, {self.high:.6g}]"
        return f"{said}: {where} over {self.rounds:,} rounds (δ = {self.delta:g}, at all times)"


def compare(
    a: Run, b: Run | None = None, *, loss: str = "mistake", largest: float = 1.0, delta: float = 0.05
) -> PairedComparison:
    """Whether one run is better than another on the same rows, or than the majority label; valid at every moment at once.

    Args:
        a: a run of one pass that kept the column.
        b: another over the same rows in the same order; None is whoever shows the label met most often so far.
        loss: the column to compare: "mistake", or "loss", which needs `largest`.
        largest: what no loss can exceed.
        delta: the probability with which the statement may ever fail.

    Raises:
        NotApplicable: if a run did not keep the column, went over its rows more than once, or is compared with the majority on
            outcomes that are not labels.
        InvalidData: if the two did not learn the same rows in the same order, or a loss exceeds the largest.

    Example:
        >>> import littlestone as ls
        >>> from littlestone.streams.synthetic import linear_labels
        >>> X, y, _ = linear_labels(rows=1000, features=5, margin=0.1)
        >>> run = ls.run(ls.Perceptron(), X, y, keep=("mistake",))
        >>> ls.compare(run).better                              # than the majority label
        'first'
    """
    first = _column(a, loss)
    if b is None:
        if loss != "mistake":
            raise NotApplicable('the majority has mistakes only; give loss="mistake", or a second run')
        second = _majority(a)
    else:
        second = _column(b, loss)
        if a.ledger.sequence != b.ledger.sequence or a.ledger.rounds != b.ledger.rounds:
            raise InvalidData(
                "the runs learned other rows, outcomes or labels, or in another order; compare runs over the same"
            )
    pair = PairedComparison(largest=largest, delta=delta)
    pair.note_many(first, second)
    return pair


def _column(run: Run, name: str) -> FloatArray:
    from littlestone.run import Run

    if not isinstance(run, Run):
        raise InvalidParameter(f"compare got a {type(run).__name__}; expected a run, as ls.run returns it")
    if not isinstance(name, str):
        raise InvalidParameter(f"loss is a {type(name).__name__}; expected the name of a column: 'mistake' or 'loss'")
    if name not in run.columns:
        raise NotApplicable(f'the run kept no {name!r}; make it with keep=("{name}",)')
    if run.ledger.passes != 1:
        raise NotApplicable(f"the run has {run.ledger.passes} passes; from the second on rows are not new")
    column: FloatArray = np.asarray(run.columns[name], dtype=np.float64)
    return column


def _majority(run: Run) -> FloatArray:
    """The mistakes of whoever shows the label met most often so far; the positive one before any was."""
    _, outcomes = run.learner.encode(run.X, run.y)
    signs: npt.NDArray[np.int64] = np.array([outcomes.label(t) for t in range(len(outcomes))], dtype=np.int64)
    if not signs.all():
        raise NotApplicable("the outcomes are not labels; there is no majority of them")
    before = np.concatenate([[0], np.cumsum(signs)[:-1]])
    wrong: FloatArray = (np.where(before >= 0, 1, -1) != signs).astype(np.float64)
    return wrong
