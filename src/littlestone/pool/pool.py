"""The pool for labels."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, final

from littlestone import _core
from littlestone.abilities import CLASSES, LABELS, Abilities
from littlestone.domain import POSITIVE, parameter
from littlestone.errors import InvalidParameter
from littlestone.pool.members import MEMBER_DOMAIN, MEMBERS
from littlestone.pool.rule import COSTS, FLAG, MOST_FEATURES, POOLED, VIEW_DOMAIN, VIEWS, WHY_ALL, WHY_VIEWS, PoolRule
from littlestone.pool.state import PoolState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from littlestone.loop import Loop
    from littlestone.pool.guests import Guests
    from littlestone.state import Average, State

_OF_TWO = replace(POOLED, learns=LABELS, has_log_odds=True)
_OF_MANY = replace(_OF_TWO, learns=LABELS | CLASSES)


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class Pool(PoolRule):
    """A master over seven learners: the best answer without a flag, for two labels or many, with probabilities.

    Every value is gauged by the running geometric mean of its feature, so that scales do not matter, and weighed by the
    evidence of its feature for either label. On these rows learn AROW, AdaGrad (logistic and hinge), Passive-Aggressive
    and naive Bayes; a full-covariance filter of logistic regression learns the raw values of up to 95 features, and a
    Markov chain the last three labels. Each score is calibrated on the way; two stacks combine the log-odds; Bayes'
    mixture with shares weighs members and stacks. Rows of few features have two more views, on which the same members
    learn: their numeric columns cut into bins, and pairs of columns into cells, as long as a pair tells more than its columns
    (`littlestone/pool/definition.py` has every formula of a view).

    The score is the log-odds of the positive label; of many classes, which join when they are met, each against the rest.
    The loss in the ledger is the log loss, −ln of the probability that the truth was given.

    Update: every member by its own; the weights of the master are multiplied by the probability given to what came, and
    1/(t+1) of all goes back to the prior after round t. An importance weight c counts as c rounds for members and as the
    power c/largest_weight for the master.
    Tie: log-odds of 0 are a mistake.
    Cost: 64 bytes per feature and class, of at most `most_features` names; O(nonzeros) per round, and O(95²) where the full
    filter is awake.

    Guarantee: pool.master: for every expert, its log loss + ln(1/π) + ln T, whatever the rows are.
    Source: Vovk 1990; Herbster and Warmuth 1998; Crammer, Kulesza and Dredze 2009; Duchi, Hazan and Singer 2011.

    Example:
        >>> import littlestone as ls
        >>> learner = ls.Learner(ls.Pool())
        >>> for message, label in [("win cash now", "spam"), ("see you now", "ham"), ("cash prize", "spam")] * 3:
        ...     _ = learner.learn_one(dict.fromkeys(message.split(), 1), label)
        >>> learner.predict_one({"cash": 1}), learner.predict_one({"you": 1})
        ('spam', 'ham')
    """

    source: ClassVar[str] = "Vovk 1990; Herbster and Warmuth 1998; Freund, Schapire, Singer and Warmuth 1997"

    views: tuple[str, ...] = parameter(VIEWS, domain=VIEW_DOMAIN, why=WHY_VIEWS)
    members: Sequence[object] = parameter(
        MEMBERS, domain=MEMBER_DOMAIN, why="all of the core's; a name less, or a rule or model of one's own, is tried here"
    )
    costs: tuple[float, float] = parameter(
        (1.0, 1.0), domain=COSTS, why="a positive that is missed costs as much as a false alarm; of two labels"
    )
    labels_in_time: bool = parameter(
        True,
        domain=FLAG,
        why="the label of a row is known before the next row; if not, the member that goes by the last labels sleeps",
    )
    largest_weight: float = parameter(
        1.0, domain=POSITIVE, why="no round counts more than one; a larger weight needs this number for the proof"
    )
    most_features: int | None = parameter(None, domain=MOST_FEATURES, why=WHY_ALL)

    def __post_init__(self) -> None:
        """Refuses a cap beside guests, who know features by numbers that would change.

        Raises:
            InvalidParameter: for it.
        """
        super().__post_init__()
        if self.guests and self.most_features is not None:
            words = "members of one's own know features by their numbers, which change when names go"
            raise InvalidParameter(f"most_features is {self.most_features}; {words}: leave one of the two out")

    @property
    def abilities(self) -> Abilities:
        """Two labels, and classes from the third on; guests know two, and costs are of two."""
        miss, alarm = self.costs
        return _OF_TWO if self.guests or miss != alarm else _OF_MANY

    @property
    def guests(self) -> tuple[object, ...]:
        """Members that are not the core's."""
        return tuple(member for member in self.members if not isinstance(member, str))

    def init(self, width: int) -> PoolState:
        """A pool that knows nothing."""
        taking_part = [float(name in self.members and (name != "markov" or self.labels_in_time)) for name in MEMBERS]
        miss, alarm = self.costs
        core = _core.Pool(
            narrow_views=len(self.views) > 1,
            members=taking_part,
            threshold=math.log(alarm / miss),  # p·miss ≥ (1 − p)·alarm
            largest_weight=self.largest_weight,
        )
        return PoolState(core, _seated(self.guests) if self.guests else None)

    def loop(self, state: State, average: Average | None) -> Loop:
        """The compiled loop, with the guests around it where there are any."""
        assert isinstance(state, PoolState)
        if state.guests is None:
            return state.core.loop()
        from littlestone.pool.guests import GuestLoop

        assert isinstance(state.core, _core.Pool)
        return GuestLoop(state.core, state.guests)


def _seated(models: tuple[object, ...]) -> Guests:
    from littlestone.pool.guests import Guests

    return Guests(models)
