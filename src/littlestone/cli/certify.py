"""`littlestone certify`: what can be proved of a model, alone or against a comparator on the rows it learned."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from littlestone import _core
from littlestone.cli.comparing import Candidates, beyond_majority, check_comparator, weights_for, yardstick
from littlestone.cli.machine import print_json
from littlestone.cli.text import say, say_proof
from littlestone.errors import InvalidData, NotApplicable
from littlestone.learner import Learner
from littlestone.report.linear import counts_mistakes
from littlestone.run import Run
from littlestone.state import Weights
from littlestone.store import load
from littlestone.streams.intervals import NO_OUTCOME, Intervals
from littlestone.theory import Comparison, Verdict, certify

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    from littlestone.arrays import FloatArray
    from littlestone.ledger import Ledger
    from littlestone.outcomes import Outcomes
    from littlestone.streams.batches import Feature
    from littlestone.streams.files import Chunk, Reader
    from littlestone.streams.rows import Rows
    from littlestone.theory import Certificate


def certify_model(path: str, readers: list[Reader], *, against: str | None, iid: bool, every: bool, as_json: bool) -> int:
    """Prints the certificates of a model; returns 0, or 1 when one of them is violated."""
    learner = load(path)
    certificates = [learner.ledger.risk_bound()] if iid and counts_mistakes(learner) else []
    certificates += beyond_majority(learner) + _certificates(learner, readers, against)
    if as_json:
        facts = {"file": path, "rule": learner.rule.name(), "ledger": learner.ledger.to_dict()}
        print_json(facts | {"certificates": [certificate.to_dict() for certificate in certificates]})
    else:
        say(f"{learner.rule!r}: {learner.ledger}")
        hint = "" if readers or _given_weights(learner) else "give the files it was learned from to compare it with something; "
        say_proof(certificates, most=None, every=every, hint=f"{hint}--all shows them")
    return 1 if any(certificate.verdict is Verdict.VIOLATED for certificate in certificates) else 0


def _certificates(learner: Learner, readers: list[Reader], against: str | None) -> list[Certificate]:
    if readers and learner.ledger.rounds == 0:
        raise NotApplicable("the model has learned nothing yet; there is nothing to compare")
    alone = certify(learner)
    if not readers or not alone:
        return alone
    check_comparator(learner, against)
    if _given_weights(learner):
        if against is None:
            return alone
        by = f"{type(learner.rule).__name__} is compared by run.certify(against=…), with weights per class"
        raise NotApplicable(f"{by}; leave out --against {against}")
    if against not in (None, "best") and not learner.rule.proofs().weighed(learner.rule):
        raise NotApplicable(f"{type(learner.rule).__name__} is compared with the best alone; leave out --against {against}")
    against = against or ("average" if learner.rule.abilities.classes else "best")
    if against == "best":
        return certify(as_run(learner, readers), against="best")
    if against == "average":
        return _against_average(learner, readers)
    return _against_model(learner, readers, against)


def _given_weights(learner: Learner) -> bool:
    """Whether its theorems compare with weights that somebody has to give: of many classes, each against the rest."""
    return learner.rule.abilities.classes and not learner.rule.proofs().weighed(learner.rule)


def _against_model(learner: Learner, readers: list[Reader], against: str) -> list[Certificate]:
    u = _translated(load(against), learner, against)
    fixed = learner.with_weights(u)
    for X, y in _chunks(readers):
        fixed.learn_many(X, y, weights_for(learner, X))
    for _ in range(1, _passes(learner.ledger, fixed.ledger)):
        for X, y in _chunks(readers):
            fixed.learn_many(X, y, weights_for(learner, X))
    return certify(learner, against=Comparison(u.ravel(), fixed.ledger))


def _against_average(learner: Learner, readers: list[Reader]) -> list[Certificate]:
    u = yardstick(learner)
    assert u is not None
    candidates = Candidates(learner, u, curves=False)
    candidates.learn(_chunks(readers))
    for _ in range(1, _passes(learner.ledger, candidates.ledger)):
        candidates.learn(_chunks(readers))
    return list(candidates.study().certificates)


def _chunks(readers: list[Reader]) -> Iterator[Chunk]:
    for reader in readers:
        yield from reader


def _passes(ledger: Ledger, once: Ledger) -> int:
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


def _translated(other: Learner, learner: Learner, path: str) -> FloatArray:
    """The weights of another model over the features of this one.

    Raises:
        InvalidData: if the two know their features in different ways, or the other has features that this one lacks.
    """
    mine, theirs = learner.snapshot().space, other.snapshot().space
    if (mine[0] is None) != (theirs[0] is None) or mine[2] != theirs[2]:
        raise InvalidData(f"the features of {path} are known in another way than those of the model")
    if not learner.rule.abilities.classes:
        return _placed_weights(other.weights, learner, path)
    return np.array([_placed_weights(other.weights_of(label), learner, path) for label in learner.labels])


def _placed_weights(weights: Mapping[Feature, float], learner: Learner, path: str) -> FloatArray:
    places = {name: k for k, name in enumerate(learner.features)}
    u = np.zeros(len(places))
    for name, weight in weights.items():
        if name not in places:
            raise InvalidData(f"{path} has the feature {name!r}, which the model has never seen")
        u[places[name]] = weight
    return u


def as_run(learner: Learner, readers: list[Reader]) -> Run:
    """The model as a run over rows in memory, in the columns of its weights."""
    from scipy.sparse import vstack

    once, parts, outcomes = _counting(learner), [], []
    alone = learner.rule.abilities.alone
    for rows, labels in _chunks(readers):
        once.learn_many(rows, NO_OUTCOME if alone else labels, weights_for(learner, rows))
        parts.append(_placed(learner, rows))
        outcomes.append(labels)
    passes = _passes(learner.ledger, once.ledger)
    twin = _fresh(learner)
    X: csr_array[np.float64] = vstack(parts, format="csr")
    X.sort_indices()  # names come in the order of the file
    state = learner.state
    if isinstance(state, Weights) and getattr(learner.rule, "start", None) is None:
        # Hashed features fill few of their columns, and one that is always 0 has no part in any theorem on these rules.
        used = np.union1d(X.indices, np.flatnonzero(state.w))
        X, state = X[:, used], Weights(w=state.w[used])
    y: Outcomes = Intervals.inside(X.shape[0]) if alone else np.concatenate(outcomes)
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
    return learner.with_weights(learner.state.w) if learner.rule.proofs().weighed(learner.rule) else _fresh(learner)


def _fresh(learner: Learner) -> Learner:
    labels, alone = learner.labels, learner.rule.abilities.alone
    return Learner(learner.rule, labels=labels if len(set(labels)) == len(labels) and not alone else None)


def _placed(learner: Learner, rows: Rows) -> csr_array[np.float64]:
    from scipy.sparse import csr_array

    batch = learner.batch(rows)
    start, index, value = batch.csr(np.arange(len(batch)))
    return csr_array((value, index, start), shape=(len(batch), len(learner.features)))
