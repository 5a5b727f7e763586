"""What kernel rules share: a kernel, a support set, a budget."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal, final

from littlestone import _core
from littlestone.abilities import Abilities
from littlestone.domain import Domain, choice, optional, required
from littlestone.errors import InvalidData, NotApplicable
from littlestone.kernels.functions import Kernel, kernel_of
from littlestone.kernels.support import Support
from littlestone.loop import Loop, PythonLoop
from littlestone.rule import LinearRule
from littlestone.streams.batches import dense_batch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from littlestone.arrays import FloatArray
    from littlestone.state import Average, State
    from littlestone.theory.proofs import Proofs

WhenFull = Literal["drop-oldest", "project"]

KERNEL = Domain(
    "a kernel, such as ls.kernels.Gaussian()",
    lambda value: isinstance(value, Kernel),
    spelled="linear, polynomial, gaussian or laplace, with its parameters: gaussian:gamma=0.5",
    read=kernel_of,
)
BUDGET = optional(
    Domain("a whole number, at least 1", lambda n: isinstance(n, int) and not isinstance(n, bool) and 1 <= n < 2**31)
)
WHEN_FULL = choice("drop-oldest", "project")

WHY_KERNEL = "a kernel of its own choice would decide what is alike for you"
WHY_BUDGET = "None keeps every point, as the theorems want; a number bounds memory and time on an endless stream"
WHY_WHEN_FULL = "projecting loses least; dropping the oldest follows a drift and costs less"


@final
class _Lengths:
    """What the ledger records of a row: its length in the space of the kernel."""

    __slots__ = ("largest_entry", "norm_squared")

    def __init__(self, norm_squared: float, largest_entry: float) -> None:
        self.norm_squared = norm_squared
        self.largest_entry = largest_entry


@dataclass(frozen=True, kw_only=True, eq=False)
class KernelRule(LinearRule, ABC):
    """A linear rule in the space of a kernel; its state is a support set.

    A row that is in the set already gets its coefficient changed instead of a second place.
    """

    kernel: Kernel = field(metadata=required(domain=KERNEL, why=WHY_KERNEL))

    @abstractmethod
    def primal(self) -> LinearRule:
        """The linear rule that this one is in the space of the kernel."""

    @abstractmethod
    def compiled_loop(self, w: _core.Expansion) -> _core.Loop:
        """The compiled loop on an expansion."""

    @property
    def abilities(self) -> Abilities:
        """What the linear rule learns and takes. A power may overflow; the support set keeps its own average, at no cost."""
        return replace(
            self.primal().abilities,
            takes_objects=self.kernel.reads_objects,
            has_weights=False,
            averages=False,
            minds_unknown=True,
            inspects=True,
        )

    @final
    def init(self, width: int) -> Support:
        """An empty support set."""
        return Support.empty(self.kernel, self.limit(), project=self.projects())

    @final
    def mixed(self, states: Sequence[State], shares: FloatArray) -> State:
        """The union of the support sets, each with its share: the mean of the functions, exactly, and it grows.

        Raises:
            NotApplicable: with a budget, which the union would exceed, or for points that are objects.
        """
        if self.limit() is not None or self.kernel.reads_objects:
            raise NotApplicable(f"support sets of {type(self).__name__} with a budget, or of objects, have no union here")
        together = self.init(0)
        for state, share in zip(states, shares, strict=True):
            assert isinstance(state, Support)
            batch = dense_batch(state.points)
            for t, alpha in enumerate(state.alpha.tolist()):
                together.expansion.look(batch, t)
                together.expansion.add(float(share) * alpha)
        return together

    def proofs(self) -> Proofs:
        """Those of the linear rule, in the space of the kernel."""
        from littlestone.theory.space_proofs import KERNELS

        return KERNELS

    def limit(self) -> int | None:
        """The most points that the support set may have."""
        return None

    def projects(self) -> bool:
        """Whether an update beyond the limit is projected onto the span of the points."""
        return True

    def score(self, state: State, row: _core.Row) -> float:
        """w·φ(x)."""
        return self.looked(state, row).expansion.score()

    @final
    def looked(self, state: State, row: _core.Row) -> Support:
        """The support set, which has evaluated its kernel on the row."""
        assert isinstance(state, Support)
        state.expansion.look(row.batch, row.number)
        return state

    @final
    def lengths(self, state: State, row: _core.Row) -> object:
        """K(x, x) in the place of ‖x‖², of the row that was scored last. An object has no entries."""
        assert isinstance(state, Support)
        return _Lengths(state.expansion.self(), 0.0 if self.kernel.reads_objects else row.largest_entry)

    def accepts_label(self, state: State, label: int) -> _core.Interval:
        """As the linear rule."""
        return self.primal().accepts_label(state, label)

    def accepts_target(self, state: State, target: float) -> _core.Interval:
        """As the linear rule."""
        return self.primal().accepts_target(state, target)

    def ends(self) -> tuple[float, float]:
        """As the linear rule."""
        return self.primal().ends()

    @final
    def inspect(self, batch: _core.Batch) -> None:
        """Raises InvalidData for the first row that is too large for the kernel."""
        row = self.kernel.overflowing(batch)
        if row is not None:
            raise InvalidData(
                f"row {row}: the kernel of the row with itself is beyond 1e150; scale the rows or lower the degree"
            )

    @final
    def loop(self, state: State, average: Average | None) -> Loop:
        """The compiled loop for kernels that the core knows, else the definition."""
        assert isinstance(state, Support)
        if isinstance(state.expansion, _core.Expansion):
            return self.compiled_loop(state.expansion)
        return PythonLoop(self, state, None)

    @final
    def averaged(self, state: State) -> tuple[LinearRule, State]:
        """The mean of the w used so far, as a support set that stays as it is.

        Raises:
            NotApplicable: if the budget dropped points, whose part in the mean is gone; if the rule moves a centre.
        """
        assert isinstance(state, Support)
        if self.abilities.alone:
            raise NotApplicable(f"{type(self).__name__} moves a centre; no theorem speaks of the mean of its centres")
        if state.expansion.dropped:
            raise NotApplicable("the budget dropped points, and with them their part in the average")
        twin = state.copy()
        twin.expansion.set_coefficients(state.expansion.averaged())
        return self.fixed(), twin

    @final
    def fixed(self) -> LinearRule:
        """The rule that predicts with a support set of this kernel and never moves it."""
        from littlestone.kernels.kernel_fixed import KernelFixed

        margin, epsilon = self.ends()
        task: Literal["labels", "targets"] = "labels" if self.abilities.labels else "targets"
        return KernelFixed(kernel=self.kernel, task=task, margin=margin, epsilon=epsilon)


class BudgetedRule(KernelRule, ABC):
    """A kernel rule that can do with a few points.

    With a budget of B points an update on a new row, when there are B, either takes the place of the oldest point
    ("drop-oldest") or is projected onto the span of the points ("project": the change of w that they can express best).
    """

    budget: int | None
    when_full: WhenFull

    @final
    def limit(self) -> int | None:
        """The budget."""
        return self.budget

    @final
    def projects(self) -> bool:
        """As `when_full` says."""
        return self.when_full == "project"
