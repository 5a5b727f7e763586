"""A mixture of experts: a rule, its state and its ledger, one round at a time or many."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, final

import numpy as np

from littlestone import _core
from littlestone.arguments import flag
from littlestone.domain import names_among
from littlestone.errors import InvalidData, NotApplicable
from littlestone.experts.adahedge import AdaHedge
from littlestone.experts.columns import joined_totals, placed
from littlestone.experts.fitting import check_fit, expert_names, learns_from_gradients
from littlestone.experts.frames import read
from littlestone.experts.late import check_delay, spoken_late
from littlestone.experts.ledger import ExpertLedger
from littlestone.experts.loop import PythonExpertLoop, real, row_of
from littlestone.experts.losses import Loss, Square, loss_of
from littlestone.experts.rule import checked
from littlestone.experts.run import ExpertRun
from littlestone.experts.state import in_own_unit
from littlestone.experts.watching import ExpertWatch
from littlestone.guarded import Guarded
from littlestone.loop import Interrupts
from littlestone.streams.batches import numbers

if TYPE_CHECKING:
    import os

    import numpy.typing as npt

    from littlestone.arrays import FloatArray
    from littlestone.experts.frames import Shape
    from littlestone.experts.loop import ExpertLoop
    from littlestone.experts.rule import ExpertRule
    from littlestone.experts.state import ExpertState
    from littlestone.streams.batches import Frame
    from littlestone.theory.certificate import Certificate
    from littlestone.theory.expert_evidence import Sequence as SequenceOfExperts

    AdviceTable: TypeAlias = "npt.ArrayLike | Frame"
    AdviceRow: TypeAlias = "Mapping[str, float | None] | Sequence[float | None] | npt.NDArray[np.floating]"

KEEP = ("weights",)
"""What `keep` can name: one value per expert and round."""


@final
@dataclass(frozen=True)
class MixtureSnapshot:
    """Everything a mixture knows: enough to go on as if nothing had happened."""

    rule: ExpertRule
    experts: tuple[str, ...]
    loss: Loss
    gradient: bool
    state: ExpertState
    totals: Mapping[str, list[float]]


@final
class _MixtureBefore(NamedTuple):
    """The state and the totals as they were, where learning may fail half-way."""

    rounds: int
    state: ExpertState | None
    totals: _core.ExpertTotals | None


@final
class Mixture(Guarded[_MixtureBefore]):
    """Mixes the advice of experts, one round at a time or many, with the same bits either way.

    Args:
        rule: the rule, such as `ls.MLpol()`; None is AdaHedge on gradients, the best of all on the data of docs/experts.md.
        experts: their names, or how many there are.
        loss: what predictions are judged by: a name ("zero_one", "absolute", "square", "percentage", "pinball", "log",
            "brier") or a value of `ls.losses`, which can declare a range; None is the square loss, and the run says so.
        gradient: whether the rule learns from the gradient of the loss at the prediction, which makes it compete with the
            best convex combination; None does so for the rules made for it (MLpol, BOA and others) and for no rule at all.

    A round in which an expert gives no advice (nan, None, or its name missing) is one in which it sleeps.

    Example:
        >>> import littlestone as ls
        >>> mix = ls.Mixture(ls.ExponentialWeights(), experts=["gam", "ar"], loss="square")
        >>> mix.learn_one({"gam": 10.0, "ar": 14.0}, 10.0)
        12.0
        >>> mix.predict_one({"ar": 9.0})                  # gam sleeps
        9.0
        >>> mix.ledger.regret                             # 4 of the mixture, 0 of gam
        4.0
    """

    def __init__(
        self,
        rule: ExpertRule | None = None,
        *,
        experts: Sequence[str] | int,
        loss: str | Loss | None = None,
        gradient: bool | None = None,
    ) -> None:
        super().__init__()
        self.rule = AdaHedge() if rule is None else checked(rule)
        self.loss = Square() if loss is None else loss_of(loss)
        self._assumed = loss is None
        self.experts = expert_names(experts)
        self.gradient = learns_from_gradients(rule, self.loss) if gradient is None else flag("gradient", gradient)
        check_fit(self.rule, self.loss, gradient=self.gradient)
        self._places = {name: i for i, name in enumerate(self.experts)}
        self._totals = _core.ExpertTotals(len(self.experts), self.loss.range[0] if self.loss.range else 0.0)
        self._state = self.rule.init(len(self.experts))
        self._loop = self._bind(self._state, len(self.experts))
        self.watch = ExpertWatch()

    @property
    def state(self) -> ExpertState:
        """The state of the rule."""
        with self._alone:
            self._heal()
            tracked = self.rule.unit and (self.loss.range is None or self.gradient)
            return in_own_unit(self._state) if tracked else self._state

    @property
    def ledger(self) -> ExpertLedger:
        """The ledger at this moment."""
        with self._alone:
            self._heal()
            return ExpertLedger.of(self._totals, self.experts)

    @property
    def weights(self) -> dict[str, float]:
        """The weight of each expert in the next round, if nobody sleeps."""
        with self._alone:
            self._heal()
            weights = self._loop.weights_row([0.0] * len(self.experts))
        return {name: float(w) for name, w in zip(self.experts, weights, strict=True)}

    def predict_one(self, advice: AdviceRow) -> float:
        """What the mixture says to this advice. Nothing changes.

        Raises:
            InvalidData: if the advice is malformed or everybody sleeps.
        """
        with self._alone:
            self._heal()
            return self._loop.predict_row(self._row(advice))

    def predict_many(self, advice: AdviceTable) -> FloatArray:
        """What the mixture says to each row of advice, all of them from what is known now. Nothing changes.

        Raises:
            InvalidData: if a row is malformed or everybody sleeps in it.
        """
        table, _ = self._placed(advice)
        self._checked(table, None)
        with self._alone:
            self._heal()
            return np.array([self._loop.predict_row(row) for row in np.asarray(table, dtype=np.float64)])

    def weights_for(self, advice: AdviceRow) -> FloatArray:
        """The weight of each expert in a round with this advice, 0 for whoever sleeps. Nothing changes."""
        with self._alone:
            self._heal()
            return self._loop.weights_row(self._row(advice))

    def learn_one(self, advice: AdviceRow, y: float) -> float:
        """One round: predict, record, update. Returns the prediction made before the update.

        Raises:
            InvalidData: if advice or outcome is malformed, everybody sleeps, or a loss is outside its declared range;
                nothing has changed then.
        """
        return self._whole(lambda: self._learn_one(advice, y))

    def learn_many(
        self, advice: AdviceTable, y: npt.ArrayLike | None, *, keep: Iterable[str] = (), delay: int = 0
    ) -> ExpertRun:
        """Learns the rounds in order, with the same bits as a loop over `learn_one`.

        Args:
            advice: a round per row, an expert per column; an array, read in place, or a frame, whose columns are found by name;
                an expert without one sleeps; nan for sleep.
            y: the outcomes, one per round.
            keep: "weights" keeps the weights of every round.
            delay: by how many rounds outcomes come late: every round is spoken from what was known then. When the table is
                over all its outcomes are in.

        Raises:
            InvalidData: if a round is malformed; nothing has changed then.
            KeyboardInterrupt: on Ctrl-C; the rounds before it are learned and recorded.
        """
        columns = names_among(keep, KEEP)
        check_delay(delay)
        table, shape = self._placed(advice)
        outcomes = self._checked(table, y)
        if delay == 0:
            return self._whole(lambda: self._learn_many(table, outcomes, shape, columns))
        if outcomes is None:
            raise NotApplicable("outcomes cannot come late where losses are all there is")
        return self._learn_late(table, outcomes, shape, columns, delay)

    def join(self, *experts: str) -> None:
        """Takes in experts, which are then where they would be had they slept from the first round on.

        Args:
            experts: their names.

        Raises:
            InvalidParameter: if one of them is there already.
            NotApplicable: if the rule cannot tell where a sleeper stands; nothing has changed then.

        Example:
            >>> import littlestone as ls
            >>> mix = ls.Mixture(ls.MLpol(), experts=["gam", "ar"], loss="absolute")
            >>> mix.learn_one({"gam": 10.0, "ar": 14.0}, 10.0)
            12.0
            >>> mix.join("gbm")
            >>> mix.learn_one({"gam": 9.0, "gbm": 11.0}, 10.0)           # ar sleeps; leaving is to sleep for good
            9.0
            >>> mix.ledger.regrets                                       # to gbm over the one round in which it was awake
            array([ 2., -2.,  0.])
        """
        self._whole(lambda: self._join(experts))

    def snapshot(self) -> MixtureSnapshot:
        """A copy of everything the mixture knows."""
        with self._alone:
            self._heal()
            return MixtureSnapshot(
                rule=self.rule,
                experts=self.experts,
                loss=self.loss,
                gradient=self.gradient,
                state=self._state.copy(),
                totals=self._totals.parts(),
            )

    @staticmethod
    def restored(snapshot: MixtureSnapshot) -> Mixture:
        """A mixture that goes on where the snapshot was taken."""
        twin = Mixture(snapshot.rule, experts=snapshot.experts, loss=snapshot.loss, gradient=snapshot.gradient)
        twin._state.restore(snapshot.state)
        twin._totals = _core.ExpertTotals.from_parts(dict(snapshot.totals))
        twin.watch = ExpertWatch(twin._totals.rounds)
        return twin

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes what the mixture knows to a file, for `ls.load(path, kind=ls.Mixture)`; a crash leaves the old or the new.

        Raises:
            NotApplicable: if the loss or a parameter is of a kind that a file cannot hold.
            OSError: if the file cannot be written; the old one is as it was.
        """
        from littlestone.store import save

        save(self, path)

    def __reduce__(self) -> tuple[Callable[[MixtureSnapshot], Mixture], tuple[MixtureSnapshot]]:
        """Copies and pickles go by the snapshot and go on with the same bits; loops and locks stay behind."""
        return Mixture.restored, (self.snapshot(),)

    def certify(self, against: SequenceOfExperts | None = None) -> list[Certificate]:
        """Every guarantee that speaks of the rule, best first, on what was learned so far."""
        from littlestone.theory.expert_certification import certify_experts

        return certify_experts(self, against=against)

    def __repr__(self) -> str:
        return f"Mixture({self.rule!r}, {self.loss.name} loss: {self.ledger})"

    def _learn_one(self, advice: AdviceRow, y: float) -> float:
        row, outcome = self._row(advice), real(y)
        if not isinstance(self._loop, _core.ExpertLoop):
            self._keep_copies()
        said = self._loop.learn_row(row, outcome, self._totals)
        if self._totals.rounds >= self.watch.next:
            self._look_at(row_of(row)[np.newaxis], np.array([outcome]))
        return said

    def _learn_many(
        self,
        table: npt.NDArray[np.float64] | npt.NDArray[np.float32],
        outcomes: FloatArray | None,
        shape: Shape,
        columns: tuple[str, ...],
    ) -> ExpertRun:
        predictions, losses = np.zeros(len(table)), np.zeros(len(table))
        weights = np.zeros(table.shape) if "weights" in columns else None
        self._keep_copies()
        self._loop.learn(table, outcomes, self._totals, prediction=predictions, loss=losses, weights=weights)
        if self._totals.rounds >= self.watch.next and len(table):
            self._look_at(table, outcomes)
        return ExpertRun(
            rule=self.rule,
            loss=self.loss,
            gradient=self.gradient,
            state=self._state.copy(),
            ledger=ExpertLedger.of(self._totals, self.experts),
            advice=table,
            outcomes=outcomes,
            shape=shape,
            predictions=shape.column(predictions, "prediction"),
            losses=shape.column(losses, "loss"),
            kept_weights=None if weights is None else shape.grid(weights, self.experts),
            assumed=self._assumed,
        )

    def _look_at(self, table: npt.NDArray[np.float64] | npt.NDArray[np.float32], outcomes: FloatArray | None) -> None:
        """Holds rounds that were just learned to the definition of the rule, where it is another thing than the loop."""
        if not isinstance(self._loop, _core.ExpertLoop):
            self.watch.next = 2 * self._totals.rounds
            return
        bind = partial(self._bind, experts=len(self.experts))
        rounds = table, outcomes
        self.watch.look(self.rule, self.loss, self._state, self._totals, rounds, gradient=self.gradient, bind=bind)

    def _learn_late(
        self,
        table: npt.NDArray[np.float64] | npt.NDArray[np.float32],
        outcomes: FloatArray,
        shape: Shape,
        columns: tuple[str, ...],
        delay: int,
    ) -> ExpertRun:
        """The same rounds twice: at once, which may be refused, and from a copy as they were spoken."""
        early = self.snapshot()
        prompt = self._whole(lambda: self._learn_many(table, outcomes, shape, columns))
        return spoken_late(prompt, Mixture.restored(early), _core.ExpertTotals.from_parts(dict(early.totals)), delay)

    def _join(self, experts: tuple[str, ...]) -> None:
        names = expert_names((*self.experts, *experts))
        state, parts = self._state, self._totals.parts()
        for _ in experts:
            state, parts = self.rule.joined(state, self._totals.charged), joined_totals(parts)
        totals = _core.ExpertTotals.from_parts(parts)
        state = state.copy()
        loop, places = self._bind(state, len(names)), {name: i for i, name in enumerate(names)}
        with Interrupts():
            self.experts, self._places, self._totals, self._state, self._loop = names, places, totals, state, loop

    def _marked(self) -> _MixtureBefore:
        return _MixtureBefore(self._totals.rounds, None, None)

    def _keep_copies(self) -> None:
        self._before = _MixtureBefore(self._totals.rounds, self._state.copy(), self._totals.copy())

    def _stands(self, before: _MixtureBefore, *, interrupted: bool) -> bool:
        if self._totals.rounds == before.rounds or self._loop.torn:
            return False
        return before.state is None or interrupted

    def _return_to(self, before: _MixtureBefore) -> None:
        """Forgets the rounds of a call that was refused."""
        if before.state is not None and before.totals is not None:
            self._state.restore(before.state)
            self._totals = before.totals

    def _bind(self, state: ExpertState, experts: int) -> ExpertLoop:
        rule, spec, compiled = self.rule, self.loss.spec(), self.rule.compiled(state)
        if spec is None or compiled is None:
            return PythonExpertLoop(rule, state, self.loss, experts, gradient=self.gradient)
        return _core.ExpertLoop(
            compiled,
            spec,
            unit=rule.unit,
            votes=rule.votes,
            squares=rule.squares,
            gradient=self.gradient,
            sleepers=rule.sleepers,
        )

    def _row(self, advice: AdviceRow) -> FloatArray | list[float | None] | tuple[float | None, ...]:
        if isinstance(advice, list | tuple):
            return advice
        if isinstance(advice, Mapping):
            row: list[float | None] = [None] * len(self.experts)
            for name, value in advice.items():
                if name not in self._places:
                    known = ", ".join(self.experts)
                    raise InvalidData(f"there is no expert {name!r}; there are {known}, and Mixture.join({name!r}) takes it in")
                row[self._places[name]] = value
            return row
        if isinstance(advice, np.ndarray):
            return np.ascontiguousarray(numbers(advice, "the advice"), dtype=np.float64)
        try:
            return row_of(list(advice))
        except (TypeError, ValueError, NotImplementedError):
            raise InvalidData(f"the advice is {advice!r}; expected a number for each expert") from None

    def _placed(self, advice: AdviceTable) -> tuple[npt.NDArray[np.float64] | npt.NDArray[np.float32], Shape]:
        """A table of advice with an expert per column, in their order, and the shape it was given in."""
        table, names, shape = read(advice)
        return (table if names is None else placed(table, names, self.experts)), shape

    def _checked(self, table: npt.NDArray[np.float64] | npt.NDArray[np.float32], y: npt.ArrayLike | None) -> FloatArray | None:
        experts = len(self.experts)
        if table.ndim != 2 or table.shape[1] != experts:
            raise InvalidData(f"the advice has shape {table.shape}; expected rounds by {experts} experts")
        if y is None:
            return None
        outcomes = np.ascontiguousarray(numbers(y, "the outcomes"), dtype=np.float64)
        if outcomes.shape != (len(table),):
            raise InvalidData(f"the outcomes have shape {outcomes.shape}; expected one for each of {len(table)} rounds")
        return outcomes
