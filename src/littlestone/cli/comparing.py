"""Comparators on a stream of chunks, with their curves for a report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from littlestone.report.curves import Recorder
from littlestone.report.study import ComparedWeights, Study
from littlestone.theory.certification import ranked
from littlestone.theory.streaming import Candidates

if TYPE_CHECKING:
    from collections.abc import Sequence

    from littlestone.arrays import FloatArray
    from littlestone.learner import Learner
    from littlestone.ledger import Ledger
    from littlestone.streams.files import Reader


def compared(learner: Learner, u: FloatArray, readers: Sequence[Reader], passes: int, *, curves: bool) -> Study:
    """The best certificate for each theorem, and the comparator it rests on: files read again by weights at several scales."""
    recorders = dict[int, Recorder]()

    def note(k: int, ledger: Ledger) -> None:
        recorders.setdefault(k, Recorder()).note(ledger)

    candidates = Candidates(learner, u, watch=note if curves else None)
    for _ in range(passes):
        for reader in readers:
            candidates.learn(reader)
    best = candidates.best()
    known = {k: ComparedWeights(candidates.vectors[k], recorder.ledgers) for k, recorder in recorders.items()}
    comparators = {key: known[k] for key, (_, k) in best.items() if k in known}
    return Study(learner, (), ranked([certificate for certificate, _ in best.values()]), comparators)
