"""One versus the rest: a binary learner a class."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, ClassVar, final

import numpy as np

from littlestone import _core
from littlestone.abilities import CLASSES, Abilities
from littlestone.domain import Domain, required
from littlestone.multiclass.class_states import ClassStates
from littlestone.multiclass.prototypes import Prototypes
from littlestone.multiclass.rule import MulticlassRule
from littlestone.rule import LinearRule

if TYPE_CHECKING:
    from collections.abc import Sequence

    from littlestone.arrays import FloatArray
    from littlestone.state import Average, State
    from littlestone.theory.proofs import Proofs


def _is_binary(value: object) -> bool:
    # Rules that never move are binary rules too: all classes have the same learner, and the first of them is predicted.
    if not isinstance(value, LinearRule) or not value.abilities.compares:  # a pool of two labels has its own comparators
        return False
    return value.abilities.labels and not value.abilities.classes


BINARY = Domain("a rule of two labels, such as ls.Perceptron()", _is_binary)


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class OneVersusRest(MulticlassRule):
    """A learner per class, which tells it from all others by a binary rule; the largest score is predicted.

    Update: for a row of class y the learner of y learns the label +1 and every other learner −1, each by its own rule.
    Tie: of several largest scores the first is shown, and a score equal to that of the true class is a mistake.
    Cost: that of the rule times the classes, and once more; with a kernel, so many support sets.
    Weights: as the rule takes them.

    A class that comes later is where it would be had it been known from the beginning: until then it would have learned −1
    in every round, and one learner that belongs to no class does just that; a new class takes a copy of it.
    The learner of the second class is, bit for bit, the binary rule with (first, second) for its labels; of two classes
    the predictions are also the binary ones if the rule treats both signs alike, as the additive rules do from a zero
    start. For two classes use the rule itself, at half the cost. `ledger.updates` counts rounds in which a learner moved,
    the column "step" how many did, and the loss is how far the lead over the best rival is below the rule's margin. With a
    kernel there are no weights: `state.of_class(k)` has points and alpha of class k, and the ledger has K(x, x) for ‖x‖².
    Guarantee: rest.perceptron and rest.capped: the bounds of the binary learners, by Perceptrons or PA-I, add up.
    Source: folklore; Rifkin and Klautau 2004, "In defense of one-vs-all classification".

    Example:
        >>> import littlestone as ls
        >>> X, y = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], ["a", "b", "c"]
        >>> ls.run(ls.OneVersusRest(rule=ls.PassiveAggressive()), X, y).state.w     # as if c had been there from the beginning
        array([[ 1., -1., -1.],
               [-1.,  1., -1.],
               [-1., -1.,  1.]])
        >>> kernel = ls.KernelPerceptron(kernel=ls.kernels.Linear())
        >>> ls.run(ls.OneVersusRest(rule=kernel), X, y).state.of_class(2).alpha
        array([-1., -1.,  1.])
    """

    source: ClassVar[str] = "folklore; Rifkin and Klautau 2004"

    rule: LinearRule = field(metadata=required(domain=BINARY, why="any binary rule serves; none is better everywhere"))

    @property
    def start(self) -> object:
        """The start vector of the rule, where it has one."""
        return getattr(self.rule, "start", None)

    def least_width(self) -> int:
        """As the rule."""
        return self.rule.least_width()

    def mixed(self, states: Sequence[State], shares: FloatArray) -> State:
        """Class by class, as the rule mixes."""
        parts = [state for state in states if isinstance(state, ClassStates)]
        rows = [self.rule.mixed([part.row(k) for part in parts], shares) for k in range(parts[0].rows)]
        return parts[0].of_rows(rows, np.max([part.met for part in parts], axis=0))

    def init(self, width: int) -> ClassStates:
        """The learner of no class alone."""
        own = self.rule.init(width)
        if own.stacks():
            return Prototypes.of(own, spare=1)
        from littlestone.multiclass.support_sets import SupportSets  # loads the kernels, which others do not need

        return SupportSets.of(own)

    def accepts(self) -> _core.Interval:
        """[margin, ∞] with the margin of the rule."""
        return _core.Interval(self.rule.ends()[0], math.inf)

    def ends(self) -> tuple[float, float]:
        """As the rule."""
        return self.rule.ends()

    @property
    def abilities(self) -> Abilities:
        """As the rule, of each class against the rest."""
        return replace(self.rule.abilities, learns=CLASSES, compares=True)

    def proofs(self) -> Proofs:
        """Those of the binary learners, added up."""
        from littlestone.theory.one_versus_rest import REST

        return REST

    def inspect(self, batch: _core.Batch) -> None:
        """As the rule."""
        self.rule.inspect(batch)

    def lengths(self, state: State, row: _core.Row) -> object:
        """As the rule: every learner sees the same row."""
        assert isinstance(state, ClassStates)
        return self.rule.lengths(state.of_class(0), row)

    def scores(self, state: State, row: _core.Row) -> FloatArray:
        """The binary score of each class."""
        assert isinstance(state, ClassStates)
        return np.array([self.rule.scores(state.of_class(k), row)[0] for k in range(state.count)])

    def update(self, state: State, row: _core.Row, trial: _core.Trial) -> _core.Step:
        """Every learner learns the row, +1 for its own class and −1 for any other."""
        assert isinstance(state, ClassStates)
        moved = 0
        for k in range(state.count + 1):
            own, label = state.row(k), +1 if k == trial.truth + 1 else -1
            binary = self.rule.trial(own, row, self.rule.accepts_label(own, label), label, trial.weight)
            moved += self.rule.update(own, row, binary).moved
        return _core.Step.otherwise(float(moved)) if moved else _core.Step.stay()

    def averaged(self, state: State) -> tuple[LinearRule, State] | None:
        """The mean of every learner, where the states keep it: those of kernels do.

        Raises:
            NotApplicable: if a budget dropped points, whose part in the mean is gone.
        """
        assert isinstance(state, ClassStates)
        found, twin = None, state.copy()
        for k in state.in_use:
            own = self.rule.averaged(state.row(k))
            if own is None:
                return None
            found, mean = own
            twin.row(k).restore(mean)
        return None if found is None else (OneVersusRest(rule=found), twin)

    def compiled_loop(self, state: ClassStates, average: Average | None) -> _core.Loop | None:
        """The loops of the binary learners side by side, where the rule has a compiled one."""
        rows = [state.row(k) for k in range(state.rows)]
        sums = [average and average.row(k) for k in range(state.rows)]
        loops = [loop for loop in map(self.rule.loop, rows, sums) if isinstance(loop, _core.Loop)]
        if len(loops) < len(rows):
            return None
        met, margin = state.met, self.ends()[0]
        if isinstance(state, Prototypes):
            # A class that comes later takes a copy of all of them, its part of the average with its weights.
            kept = [[*row.arrays.values(), *(own.arrays.values() if own else ())] for row, own in zip(rows, sums, strict=True)]
            states = [[array.reshape(-1) for array in arrays] for arrays in kept]
            return _core.one_versus_rest(loops=loops, states=states, met=met, margin=margin)
        from littlestone.multiclass.support_sets import SupportSets

        assert isinstance(state, SupportSets)
        return _core.kernel_one_versus_rest(loops=loops, expansions=state.expansions(), met=met, margin=margin)
