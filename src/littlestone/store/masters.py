"""Masters in model files, with the learners that they lead."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from littlestone import _core
from littlestone.ballots import HedgedSnapshot
from littlestone.errors import NotApplicable
from littlestone.master import MasterSnapshot
from littlestone.snapshots import Snapshot
from littlestone.store.mixtures import described_mixture, mixture_of
from littlestone.store.reading import ModelContents
from littlestone.store.writing import described, described_labels

if TYPE_CHECKING:
    from littlestone.arrays import ByteArray, FloatArray
    from littlestone.rule import LinearRule
    from littlestone.store.container import Container, Json
    from littlestone.store.writing import Described

_DEEPEST = 16


def described_master(snapshot: MasterSnapshot) -> Described:
    """The header and the arrays of a master.

    Raises:
        NotApplicable: if one of its learners is not of this library, or as for a learner.
    """
    arrays: dict[str, FloatArray | ByteArray] = {"wrong": snapshot.wrong}
    headers: list[Json] = []
    hedged = snapshot.vote if isinstance(snapshot.vote, HedgedSnapshot) else None
    vote = snapshot.vote if hedged is None else hedged.shown
    for k, learner in enumerate((vote, *snapshot.learners)):
        if not isinstance(learner, Snapshot | MasterSnapshot):
            kind = type(learner).__name__
            raise NotApplicable(f"learners[{k - 1}] is a {kind}; a file holds learners and masters of this library")
        header, own = described(learner) if isinstance(learner, Snapshot) else described_master(learner)
        headers.append(header)
        arrays |= {f"{k}.{name}": array for name, array in own.items()}
    labels: Json = described_labels(snapshot.labels)
    whole: dict[str, Json] = {"library": _core.version(), "kind": "master", "labels": labels, "learners": headers}
    if hedged is not None:
        whole["hedge"], own = described_mixture(hedged.mixture)
        arrays |= {f"hedge.{name}": array for name, array in own.items()}
    return whole, arrays


def master_of(file: Container, rules: Iterable[type[LinearRule]], depth: int = 0) -> MasterSnapshot:
    """The master that a file holds.

    Raises:
        InvalidData: if its parts do not fit one another.
    """
    rules, learners = tuple(rules), list[Snapshot | MasterSnapshot]()
    for k, header in enumerate(file.listing(file.header, "learners")):
        if not isinstance(header, dict) or depth > _DEEPEST:
            raise file.damaged("a learner is not described, or masters stand too deep in one another")
        part = file.part(header, f"{k}.")
        nested = file.text(header, "kind") == "master"
        learners.append(master_of(part, rules, depth + 1) if nested else ModelContents(part, rules).snapshot())
    vote, wrong = learners[0] if learners else None, file.numbers("wrong").copy()
    sound = np.isfinite(wrong).all() and (wrong >= 0.0).all() and (wrong == np.floor(wrong)).all()
    if not isinstance(vote, Snapshot) or len(learners) < 2 or len(wrong) != len(learners) - 1 or not sound:
        raise file.damaged("its votes do not fit its learners")
    hedge = mixture_of(file.part(file.mapping(file.header, "hedge"), "hedge."), ()) if "hedge" in file.header else None
    weighed = None if hedge is None else len(hedge.experts)
    if weighed is None and vote.state is not None:
        weighed = vote.state.width
    if weighed not in (None, len(wrong)):
        raise file.damaged("its votes do not fit its learners")
    cast = vote if hedge is None else HedgedSnapshot(hedge, vote)
    return MasterSnapshot(tuple(learners[1:]), cast, ModelContents(file, ()).labels(), wrong)
