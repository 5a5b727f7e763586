"""Comparators on a stream of chunks: weights of the run itself, at several scales at once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, final

import numpy as np

from littlestone.errors import NotApplicable
from littlestone.report.study import Comparator, Study
from littlestone.theory import Comparison, certify
from littlestone.theory.certification import ranked

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.learner import Learner
    from littlestone.ledger import Ledger
    from littlestone.report.curves import Recorder
    from littlestone.streams.files import Chunk
    from littlestone.streams.rows import Rows
    from littlestone.theory import Certificate

# Every vector is a comparator, and a theorem on labels has its best at a scale of its own.
_SCALES = (1.0, 0.5, 0.25, 0.125, 0.0625, 2.0, 4.0)
# Of a wider model, several copies would fill the memory.
_WIDEST = 1 << 20


def check_comparator(learner: Learner, against: str | None) -> None:
    """Refuses, before anything is learned, a comparator that would not be found.

    Raises:
        NotApplicable: if it is the best of many classes.
    """
    if against == "best" and learner.rule.abilities.classes:
        raise NotApplicable("no best weights of many classes are solved for; leave out --against best")


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

    def __init__(self, learner: Learner, u: FloatArray, *, curves: bool) -> None:
        scales = _SCALES if u.size <= _WIDEST else _SCALES[:1]
        self._learner = learner
        self._vectors = [scale * u for scale in scales]
        self._fixed = [learner.with_weights(vector) for vector in self._vectors]
        self._recorders = [_recorder() for _ in scales] if curves else []

    @property
    def ledger(self) -> Ledger:
        """The ledger of the vector itself."""
        return self._fixed[0].ledger

    def learn(self, chunks: Iterable[Chunk]) -> None:
        """Reads the rows of a pass."""
        for X, y in chunks:
            weights = weights_for(self._learner, X)
            for fixed in self._fixed:
                fixed.learn_many(X, y, weights)
            for fixed, recorder in zip(self._fixed, self._recorders, strict=False):
                recorder.note(fixed.ledger)

    def study(self) -> Study:
        """The best certificate for each theorem, and the comparator it rests on."""
        best: dict[str, tuple[Certificate, int]] = {}
        for k, (vector, fixed) in enumerate(zip(self._vectors, self._fixed, strict=True)):
            for certificate in certify(self._learner, against=Comparison(vector.ravel(), fixed.ledger)):
                old = best.get(certificate.id)
                if old is None or ranked([old[0], certificate])[0] is not old[0]:
                    best[certificate.id] = certificate, k
        comparators = {}
        if self._recorders:
            known = [Comparator(u, recorder.ledgers) for u, recorder in zip(self._vectors, self._recorders, strict=True)]
            comparators = {key: known[k] for key, (_, k) in best.items()}
        return Study(self._learner, (), ranked([certificate for certificate, _ in best.values()]), comparators)


def beyond_majority(learner: Learner) -> list[Certificate]:
    """The proof that a learner is better than the commonest label, where there is one; a pool has it among its own."""
    found = learner.ledger.beats_majority()
    return [found] if found.holds and learner.rule.abilities.compares else []


def weights_for(learner: Learner, X: Rows) -> FloatArray | None:
    """What the rows of a file count for whoever is compared: 1 where they did for the learner, whatever the file says."""
    return np.ones(len(X)) if learner.ledger.unit_weights and X.weights is not None else None


def _recorder() -> Recorder:
    from littlestone.report.curves import Recorder

    return Recorder()
