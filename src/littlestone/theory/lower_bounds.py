"""What no learner can avoid: the coin, the minimax regret of two experts, and the fate of deterministic learners.

Sources: Mohri et al., section 8.2.3 (mohri.det), theorem 8.5 and exercise 8.4.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol, final

import numpy as np

from littlestone.arrays import FloatArray
from littlestone.errors import InvalidData, InvalidParameter

_EXACT_UP_TO = 20_000


def coin_regret(rounds: int) -> float:
    """The expected regret of every learner against a fair coin and two experts, one of which loses 1 in each round.

    The learner loses T/2 whatever it does and the better expert T/2 − ½|S_T|, so this is ½E|S_T|, S_T a sum of T random
    signs: ½T·C(T, T/2)/2^T for even T, ½T·C(T−1, (T−1)/2)/2^(T−1) for odd T, about √(T/2π).

    Cost: whole numbers of T bits up to T = 20,000; a series whose error is below 1e-16 beyond.
    Source: Mohri et al., theorem 8.5, with the expectation computed instead of bounded.

    Raises:
        InvalidParameter: if there are fewer than 0 rounds.

    Example:
        >>> [coin_regret(T) for T in (1, 2, 3, 4)], round(coin_regret(100), 5)
        ([0.5, 0.5, 0.75, 0.75], 3.97946)
    """
    half = _checked(rounds) // 2
    if rounds % 2 == 0:
        return half * _central(half)
    return rounds * _central(half) / 2.0


def coin_bound(rounds: int) -> float:
    """√(T/8), the lower bound of theorem 8.5 as its proof gives it: Khintchine's inequality with weights ½.

    The book prints √T/8, which is true and 2.8 times weaker. Only at T = 2 is √(T/8) attained.

    Raises:
        InvalidParameter: if there are fewer than 0 rounds.

    Example:
        >>> coin_bound(2) == coin_regret(2), coin_bound(100) < coin_regret(100)
        (True, True)
    """
    return math.sqrt(_checked(rounds) / 8.0)


def minimax_regret(rounds: int) -> float:
    """The regret that the best learner can promise for two experts with losses 0 or 1, over T rounds.

    V_0(d) = max(−d, 0) and V_n(d) = min over p in [0, 1] of the largest of p·δ + V_{n−1}(d + δ), δ in {−1, 0, 1}: d is
    by how much the first expert has lost more, p its weight, and δ its loss minus the other's. Computed in fractions, so
    that the answer to exercise 8.4 is exact: it equals `coin_regret`; against two experts nothing is worse than a coin.

    Cost: O(T²) fractions.
    Source: Mohri et al., exercise 8.4.

    Raises:
        InvalidParameter: if there are fewer than 0 rounds.

    Example:
        >>> minimax_regret(12) == coin_regret(12)
        True
    """
    return float(_promises(_checked(rounds), 0, 0)[0])


def minimax_weights(rounds_left: int, lead: int) -> FloatArray:
    """The weights of the two experts that keep the promise of `minimax_regret`.

    Args:
        rounds_left: the rounds to come, this one among them; at least 1.
        lead: by how much the first expert has lost more than the second so far.

    Raises:
        InvalidParameter: if there is no round left.

    Example:
        >>> minimax_weights(1, 0), minimax_weights(1, 1)
        (array([0.5, 0.5]), array([0., 1.]))
    """
    if _checked(rounds_left) < 1:
        raise InvalidParameter("minimax_weights: rounds_left is 0; rounds_left must be at least 1")
    first = float(_best_share(_promises(rounds_left - 1, lead, 1)))
    return np.array([first, 1.0 - first])


def deterministic_regret(rounds: int) -> int:
    """⌈T/2⌉: the regret that the anti-prediction sequence forces on every deterministic learner (mohri.det).

    Raises:
        InvalidParameter: if there are fewer than 0 rounds.
    """
    return (_checked(rounds) + 1) // 2


class Deterministic(Protocol):
    """A learner of labels 0 and 1 from advice, a round at a time; `ls.Mixture` of a rule that votes is one."""

    def predict_one(self, advice: FloatArray, /) -> float:
        """The label it will say."""
        ...

    def learn_one(self, advice: FloatArray, outcome: float, /) -> object:
        """Learns the outcome of the round."""
        ...


@final
@dataclass(frozen=True)
class Opposition:
    """A game of anti-prediction: the mistakes of the learner and those of its two constant experts."""

    mistakes: int
    experts: tuple[int, int]

    @property
    def regret(self) -> int:
        """The mistakes beyond those of the better expert."""
        return self.mistakes - min(self.experts)


def oppose(learner: Deterministic, rounds: int) -> Opposition:
    """Plays the sequence whose every outcome is the label that the learner did not say; the experts say 0 and 1.

    The learner errs in every round and one of the experts in at most half of them: regret at least ⌈T/2⌉ (mohri.det).
    This is why the rules with vanishing regret randomise or average.

    Source: Mohri et al., section 8.2.3.

    Raises:
        InvalidData: if the learner says something else than 0 or 1.
        InvalidParameter: if there are fewer than 0 rounds.
    """
    advice = np.array([0.0, 1.0])
    outcomes = [0, 0]
    for t in range(_checked(rounds)):
        said = learner.predict_one(advice)
        if said not in (0.0, 1.0):
            raise InvalidData(f"round {t}: the learner said {said!r}; anti-prediction needs a label, 0 or 1")
        outcome = 1 - int(said)
        outcomes[outcome] += 1
        learner.learn_one(advice, float(outcome))
    return Opposition(sum(outcomes), (outcomes[1], outcomes[0]))


def _checked(rounds: int) -> int:
    if rounds < 0:
        raise InvalidParameter(f"the number of rounds is {rounds}; it must be at least 0")
    return rounds


def _central(m: int) -> float:
    """C(2m, m)/4^m."""
    if 2 * m <= _EXACT_UP_TO:
        return math.comb(2 * m, m) / (1 << 2 * m)
    inverse = 1.0 / m
    series = 1.0 - inverse / 8.0 + inverse**2 / 128.0 + 5.0 * inverse**3 / 1024.0
    return series / math.sqrt(math.pi * m)


def _promises(rounds: int, lead: int, reach: int) -> list[Fraction]:
    """V_n(d) for d from lead − reach to lead + reach, row by row from the last round back."""
    wide = reach + rounds
    row = [Fraction(max(-d, 0)) for d in range(lead - wide, lead + wide + 1)]
    for _ in range(rounds):
        row = [_worst(row[k - 1 : k + 2]) for k in range(1, len(row) - 1)]
    return row


def _worst(after: list[Fraction]) -> Fraction:
    """The worst of the three outcomes δ = −1, 0, +1 under the best weight, given V of what follows each."""
    share = _best_share(after)
    return max(share * delta + value for delta, value in zip((-1, 0, 1), after, strict=True))


def _best_share(after: list[Fraction]) -> Fraction:
    """The p in [0, 1] that evens out δ = −1 and δ = +1; δ = 0 does not depend on p."""
    return min(max((after[0] - after[2]) / 2, Fraction(0)), Fraction(1))
