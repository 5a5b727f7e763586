"""A learner compared on the stream that it learned, which is read again chunk by chunk."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias, final

import numpy as np

from littlestone import _core
from littlestone.errors import InvalidData, NotApplicable
from littlestone.learner import Learner
from littlestone.run import Run
from littlestone.state import Weights
from littlestone.store import load
from littlestone.streams.intervals import NO_OUTCOME, Intervals
from littlestone.theory.certification import certify, ranked
from littlestone.theory.evidence import Comparison

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from scipy.sparse import csr_array

    from littlestone.arrays import FloatArray
    from littlestone.ledger import Ledger
    from littlestone.outcomes import OutcomesLike
    from littlestone.streams.batches import Feature
    from littlestone.streams.space import Table
    from littlestone.theory.certificate import Certificate

Stream: TypeAlias = "Iterable[tuple[Table, OutcomesLike]]"
"""Rows and outcomes in chunks, in order; whatever can be gone through again, such as a list or `ls.read(path)`."""

# Every vector is a comparator, and a theorem on labels has its best at a scale of its own.
_SCALES = (1.0, 0.5, 0.25, 0.125, 0.0625, 2.0, 4.0)
# Of a wider model, several copies would fill the memory.
_WIDEST = 1 << 20


def certify_stream(learner: Learner, streams: Sequence[Stream], *, against: Learner | str | None = None) -> list[Certificate]:
    """Every guarantee about a learner, on the stream that it learned, which need not fit into memory.

    Args:
        learner: the learner.
        streams: what it learned, in order; each is gone through once per pass.
        against: another learner over the same features, or its file, whose weights are compared with; or "average", the
            mean of the weights over the run (of many classes the last ones), at several scales; or "best", which takes the
            rows into memory; or None, which is "best" where that is solved for and else "average".

    Raises:
        InvalidData: if the streams are not what the learner has learned, as far as its ledger can tell.
        NotApplicable: if the rule is not compared in this way.

    Example:
        >>> import littlestone as ls
        >>> from littlestone.theory import certify_stream
        >>> chunks = [([[1.0, 0.0], [0.0, 1.0]], ["a", "b"])] * 50
        >>> learner = ls.Learner(ls.Perceptron(), average=True)
        >>> for X, y in chunks:
        ...     learned = learner.learn_many(X, y)
        >>> certify_stream(learner, [chunks], against="average")[0].holds
        True
    """
    if learner.ledger.rounds == 0:
        raise NotApplicable("the model has learned nothing yet; there is nothing to compare")
    alone = certify(learner)
    if not alone:
        return alone
    check_comparator(learner, against)
    proofs = learner.rule.proofs()
    if against not in (None, "best") and not proofs.weighed(learner.rule):
        without = "against=" if isinstance(against, Learner) else f'against="{against}"'
        raise NotApplicable(f"{type(learner.rule).__name__} is compared with the best alone; leave out {without}")
    if not learner.rule.abilities.compares:
        return alone
    against = against or ("best" if proofs.solves else "average")
    if against == "best":
        return certify(as_run(learner, streams), against="best")
    if against == "average":
        return _against_average(learner, streams)
    return _against_model(learner, streams, against if isinstance(against, Learner) else load(against))


def check_comparator(learner: Learner, against: object) -> None:
    """Refuses, before anything is learned, a comparator that would not be found.

    Raises:
        NotApplicable: if it is the best of many classes.
    """
    if against == "best" and not learner.rule.proofs().solves:
        raise NotApplicable('no best weights of many classes are solved for; leave out against="best"')


def yardstick(learner: Learner) -> FloatArray | None:
    """What theorems compare with if nothing else is said: the mean of the weights over the run, of many classes the last ones.

    None where no theorem compares the rule with weights.
    """
    if not learner.rule.proofs().weighed(learner.rule):
        return None
    return learner.state.w if learner.rule.abilities.classes else learner.averaged().state.w


@final
class Candidates:
    """Fixed weights u at several scales, learned beside each other; each theorem takes the scale at which it says most."""

    def __init__(self, learner: Learner, u: FloatArray, *, watch: Callable[[int, Ledger], None] | None = None) -> None:
        """With `watch`, which is shown the ledger of every scale after every chunk."""
        scales = _SCALES if u.size <= _WIDEST else _SCALES[:1]
        self._learner, self._watch = learner, watch
        self.vectors = [scale * u for scale in scales]
        self._fixed = [learner.with_weights(vector, afresh=True) for vector in self.vectors]

    @property
    def ledger(self) -> Ledger:
        """The ledger of the vector itself."""
        return self._fixed[0].ledger

    def learn(self, chunks: Stream) -> None:
        """Reads the rows of a pass."""
        for X, y in chunks:
            weights = weights_for(self._learner, X)
            for k, fixed in enumerate(self._fixed):
                fixed.learn_many(X, y, weights)
                if self._watch is not None:
                    self._watch(k, fixed.ledger)

    def best(self) -> dict[str, tuple[Certificate, int]]:
        """Of every theorem the best certificate, and the number of the scale that it rests on."""
        best: dict[str, tuple[Certificate, int]] = {}
        for k, (vector, fixed) in enumerate(zip(self.vectors, self._fixed, strict=True)):
            for certificate in certify(self._learner, against=Comparison(vector.ravel(), fixed.ledger)):
                old = best.get(certificate.id)
                if old is None or ranked([old[0], certificate])[0] is not old[0]:
                    best[certificate.id] = certificate, k
        return best

    def certificates(self) -> list[Certificate]:
        """The best of every theorem, best first."""
        return ranked([certificate for certificate, _ in self.best().values()])


def beyond_majority(learner: Learner) -> list[Certificate]:
    """The proof that a learner is better than the commonest label, where there is one; a pool has it among its own."""
    found = learner.ledger.beats_majority()
    return [found] if found.holds and learner.rule.abilities.compares else []


def weights_for(learner: Learner, X: Table) -> FloatArray | None:
    """What the rows of a file count for whoever is compared: 1 where they did for the learner, whatever the file says."""
    said = getattr(X, "weights", None)
    return np.ones(len(said)) if learner.ledger.unit_weights and isinstance(said, np.ndarray) else None


def _against_model(learner: Learner, streams: Sequence[Stream], against: Learner) -> list[Certificate]:
    u = _translated(against, learner)
    fixed = learner.with_weights(u, afresh=True)
    _learned(learner, streams, lambda X, y: fixed.learn_many(X, y, weights_for(learner, X)), lambda: fixed.ledger)
    return certify(learner, against=Comparison(u.ravel(), fixed.ledger))


def _against_average(learner: Learner, streams: Sequence[Stream]) -> list[Certificate]:
    u = yardstick(learner)
    assert u is not None
    candidates = Candidates(learner, u)
    _learned(learner, streams, lambda X, y: candidates.learn([(X, y)]), lambda: candidates.ledger)
    return candidates.certificates()


def _learned(
    learner: Learner, streams: Sequence[Stream], learn: Callable[[Table, OutcomesLike], object], ledger: Callable[[], Ledger]
) -> None:
    """The streams as often as the learner has seen them, once it is known from the first pass that they are those."""
    passes, done = 1, 0
    while done < passes:
        for stream in streams:
            for X, y in stream:
                learn(X, y)
        done += 1
        passes = passes_over(learner.ledger, ledger()) if done == 1 else passes


def passes_over(ledger: Ledger, once: Ledger) -> int:
    """How often the model has seen the rows, which must be those it was learned from.

    Raises:
        InvalidData: if they are not, as far as the ledger can tell.
    """
    if once.rounds == 0 or ledger.rounds % once.rounds:
        seen = f"the model has learned {ledger.rounds:,} rounds and the files have {once.rounds:,} rows"
        raise InvalidData(f"{seen}; certify needs the files it was learned from")
    passes = ledger.rounds // once.rounds
    if once.is_of(ledger, passes) is False:
        raise InvalidData("the files have other rows or labels than those the model was learned from")
    return passes


def _translated(other: Learner, learner: Learner) -> FloatArray:
    """The weights of another model over the features of this one.

    Raises:
        InvalidData: if the two know their features in different ways, or the other has features that this one lacks.
    """
    mine, theirs = learner.snapshot(copy=False).space, other.snapshot(copy=False).space
    if (mine[0] is None) != (theirs[0] is None) or mine[2] != theirs[2]:
        raise InvalidData("the features of the model that is compared with are known in another way than those of the model")
    if not learner.rule.abilities.classes:
        return _placed_weights(other.weights, learner)
    return np.array([_placed_weights(other.weights_of(label), learner) for label in learner.labels])


def _placed_weights(weights: Mapping[Feature, float], learner: Learner) -> FloatArray:
    places = {name: k for k, name in enumerate(learner.features)}
    u = np.zeros(len(places))
    for name, weight in weights.items():
        if name not in places:
            raise InvalidData(f"the model that is compared with has the feature {name!r}, which the model has never seen")
        u[places[name]] = weight
    return u


def as_run(learner: Learner, streams: Sequence[Stream]) -> Run:
    """The model as a run over rows in memory, in the columns of its weights."""
    from scipy.sparse import vstack

    once, parts, outcomes = _counting(learner), [], []
    alone = learner.rule.abilities.alone
    for rows, labels in (chunk for stream in streams for chunk in stream):
        once.learn_many(rows, NO_OUTCOME if alone else labels, weights_for(learner, rows))
        parts.append(_placed(learner, rows))
        outcomes.append(np.asarray(labels))
    passes = passes_over(learner.ledger, once.ledger)
    twin = _fresh(learner)
    X: csr_array[np.float64] = vstack(parts, format="csr")
    X.sort_indices()  # names come in the order of the file
    state = learner.state
    if isinstance(state, Weights) and getattr(learner.rule, "start", None) is None:
        # Hashed features fill few of their columns, and one that is always 0 has no part in any theorem on these rules.
        used = np.union1d(X.indices, np.flatnonzero(state.w))
        X, state = X[:, used], Weights(w=state.w[used])
    y: OutcomesLike = Intervals.inside(X.shape[0]) if alone else np.concatenate(outcomes)
    known = once.ledger.is_of(learner.ledger, passes)
    ledger = _witnessed(learner.ledger, *twin.encode(X, y), passes) if known else learner.ledger
    return Run(learner.rule, state, ledger, {}, False, passes, twin, X, y)


def _witnessed(ledger: Ledger, batch: _core.Batch, outcomes: _core.Outcomes, passes: int) -> Ledger:
    """The ledger with the fingerprints of its rows in other columns, where they are known to be the rows it is of."""
    totals = _core.Totals()
    for _ in range(passes):
        totals.witness(batch, outcomes, 0, len(batch))
    return replace(ledger, fingerprint=totals.fingerprint, sequence=totals.sequence)


def _counting(learner: Learner) -> Learner:
    """A learner that is to count the rows of files: with fixed weights, or, where there are none, one that learns anew."""
    weighed = learner.rule.proofs().weighed(learner.rule)
    return learner.with_weights(learner.state.w, afresh=True) if weighed else _fresh(learner)


def _fresh(learner: Learner) -> Learner:
    """One that knows the labels; of many classes those take part from the beginning that did then."""
    labels, alone, classes = learner.labels, learner.rule.abilities.alone, learner.snapshot().classes
    if classes is not None:
        untold = Learner(learner.rule, labels=labels[: classes.given] or None, missing=learner.missing, view=learner.view)
        return Learner.restored(replace(untold.snapshot(), classes=classes))
    told = labels if len(set(labels)) == len(labels) and not alone else None
    return Learner(learner.rule, labels=told, missing=learner.missing, view=learner.view)


def _placed(learner: Learner, rows: Table) -> csr_array[np.float64]:
    from scipy.sparse import csr_array

    batch = learner.batch(rows)
    start, index, value = batch.csr(np.arange(len(batch)))
    return csr_array((value, index, start), shape=(len(batch), len(learner.features)))
