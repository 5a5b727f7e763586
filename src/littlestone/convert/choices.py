"""One hypothesis of a run as the batch predictor: a random one, the longest survivor, the one of least penalised risk."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from littlestone import _core
from littlestone.convert.converted import Converted, check_signs, mistakes_of, risk
from littlestone.convert.hypotheses import Hypotheses, first_scores, hypotheses, hypothesis, point_table, products
from littlestone.errors import NotApplicable
from littlestone.linear import Perceptron
from littlestone.progress import slices
from littlestone.theory.comparators import Trials
from littlestone.theory.evidence import Comparison
from littlestone.theory.linear_proofs import weights_of
from littlestone.theory.risk import Compared
from littlestone.theory.spaces import KernelBench

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone.arrays import FloatArray, SignArray
    from littlestone.learner import Learner
    from littlestone.run import Run


def random_stopping(
    of: Run, *, seed: int = 0, mistake_bound: float | None = None, iid: bool = False, unseen: bool | None = None
) -> Converted:
    """The hypothesis of a round drawn at random, as it was before it saw the row of that round.

    Args:
        of: a run of one pass, made with keep=("step", "update").
        seed: of the draw.
        mistake_bound: the most mistakes the rule can make on any stream of these rows, by a theorem.
        iid: you declare that the rows are independent, from one distribution, and that their number was fixed in advance.
        unseen: of a run from weights that were given, you declare that whoever made them had not seen these rows.

    Raises:
        NotApplicable: if the run kept no updates, has no rounds, or did not learn labels.

    Example:
        >>> import numpy as np, littlestone as ls
        >>> X = np.eye(4)[[0, 1, 2, 0, 3, 1, 2, 0]]
        >>> run = ls.run(ls.Perceptron(), X, [1] * 8, labels=(-1, 1), keep=("step", "update"))
        >>> print(ls.convert.random_stopping(run, mistake_bound=4, iid=True).certificate)
        blum.5.12: holds: expected true error rate at a random stop ≤ 0.5 = M/T
          Blum et al., theorem 5.12: the rows are i.i.d. (declared) ✓; the first hypothesis had not seen these rows ✓; \
each row was new when it was learned: one pass (declared) ✓; there was a round ✓; T was fixed in advance (declared) ✓; \
the mistakes are bounded by a theorem (declared) ✓
    """
    known = hypotheses(of)
    if known.total_rounds == 0:
        raise NotApplicable("the run has no rounds to stop at")
    stop = int(_core.uniform(seed, 0) * known.total_rounds)
    evidence = mistakes_of(of, delta=0.5, iid=iid, unseen=unseen, mistake_bound=mistake_bound)
    check_signs(of, evidence)
    return Converted(hypothesis(of, known, known.used_in(stop)), (risk("blum.5.12").certify(evidence),), stop + 1)


def longest_survivor(of: Run, *, delta: float = 0.05, iid: bool = False, unseen: bool | None = None) -> Converted:
    """The hypothesis that was used in the most rounds (the first of them).

    With probability 1 − δ its error rate is at most log(k(k+1)/δ)/n, n being the rows that it got right, one after the
    other from its first round on, if it was the k-th hypothesis (risk.survivor). A rule may leave a hypothesis as it is though
    it errs; that ends the n.

    Args:
        of: a run of one pass, made with keep=("step", "update").
        delta: the probability with which the bound may fail.
        iid: you declare that the rows are independent, from one distribution, and that their number was fixed in advance.
        unseen: of a run from weights that were given, you declare that whoever made them had not seen these rows.

    Raises:
        NotApplicable: if the run kept no updates.
    """
    known = hypotheses(of)
    lasted = known.survival
    k = int(lasted.argmax())
    first, chosen = int(lasted[:k].sum()), hypothesis(of, known, k)
    survived = _right_in_a_row(of, chosen, first, int(lasted[k]))
    evidence = replace(mistakes_of(of, delta=delta, iid=iid, unseen=unseen), survived=survived, number=k + 1)
    return Converted(chosen, (risk("risk.survivor").certify(evidence),), first + 1)


def _right_in_a_row(of: Run, chosen: Learner, first: int, rounds: int) -> int:
    """How many rounds a hypothesis got right from its first one on; a score of 0 is wrong."""
    _, outcomes = of.learner.encode(of.X, of.y)
    scores = chosen.score_many(of.X)
    for n in range(rounds):
        row = (first + n) % len(outcomes)
        if outcomes.label(row) * scores[row] <= 0.0:
            return n
    return rounds


def penalized_risk(
    of: Run,
    *,
    delta: float = 0.05,
    iid: bool = False,
    unseen: bool | None = None,
    against: npt.ArrayLike | None = None,
    progress: bool = False,
) -> Converted:
    """The hypothesis with the least mistakes on the rows after it, as a rate with a penalty for few rows.

    For round i of T: est_i = m_i/(T−i+1) + √(log(T(T+1)/δ)/(2(T−i+1))), m_i the rows i..T that the hypothesis of round i
    gets wrong (a score of 0 is wrong). The first least is chosen.
    Cost: O((updates + 1)·T) time, O(updates + T) memory: each row is scored once by all hypotheses until then, as prefix
    sums of its products with the rows of the updates; for a kernel rule that is one kernel evaluation per row and update.

    Args:
        of: a run of one pass over labels, made with keep=("step", "update").
        delta: the probability with which the bound may fail.
        iid: you declare that the rows are independent, from one distribution, and that their number was fixed in advance.
        unseen: of a run from weights that were given, you declare that whoever made them had not seen these rows.
        against: for a Perceptron, a vector u (for a kernel, coefficients, one per row), which adds mohri.ex8.11b.
        progress: show a progress bar.

    Raises:
        NotApplicable: if the run kept no updates, has several passes or no rounds, or did not learn labels; if against is
            given for another rule than a Perceptron from a zero start.
    """
    known = hypotheses(of)
    if of.passes != 1 or known.total_rounds == 0:
        raise NotApplicable(f"the run has {of.passes} passes of {known.total_rounds} rounds in all; expected one pass")
    evidence = mistakes_of(of, delta=delta, iid=iid, unseen=unseen)
    check_signs(of, evidence)
    best = int(penalized_estimates(of, known, delta=delta, progress=progress).argmin())
    certificates = [risk("mohri.ex8.10").certify(evidence)]
    if against is not None:
        certificates.append(risk("mohri.ex8.11b").certify(replace(evidence, comparison=_compared(of, against))))
    return Converted(hypothesis(of, known, known.used_in(best)), tuple(certificates), best + 1)


def _compared(of: Run, against: npt.ArrayLike) -> Compared | None:
    """The hinge loss and norm of a comparator on the rows of a Perceptron; None where these are not the rows it learned."""
    rule = of.rule.primal()
    if not isinstance(rule, Perceptron) or rule.start is not None or rule.tolerance:
        raise NotApplicable("the theorem speaks of the Perceptron from a zero start without a tolerance")
    if not of.rule.abilities.has_weights:
        comparison = KernelBench.of(of, comparing=True).against(against)
    else:
        u = weights_of(against, len(of.state.w))
        comparison = Comparison(u, Trials.of_run(of).measure(u))
    if not comparison.ledger.is_of(of.ledger):
        return None
    return Compared(loss=comparison.ledger.loss, norm=comparison.norm, lengths_squared=of.ledger.update_norm_squared)


def penalized_estimates(of: Run, known: Hypotheses, *, delta: float, progress: bool = False) -> FloatArray:
    """est_i for every round."""
    batch, outcomes = of.learner.encode(of.X, of.y)
    signs = np.array([outcomes.label(t) for t in range(len(outcomes))], dtype=np.int8)
    if not signs.all():
        raise NotApplicable("the outcomes are not labels; mistakes are counted on labels")
    first, table = first_scores(of, known, batch), point_table(of.rule)
    wrong = (
        _replayed(of, table, batch, signs, first, progress) if table is not None else _summed(of, known, batch, signs, first)
    )
    left = known.total_rounds - np.arange(known.total_rounds)
    return wrong / left + penalty(left, known.total_rounds, delta)


def _replayed(
    of: Run, table: _core.Expansion, batch: _core.Batch, signs: SignArray, first: FloatArray, progress: bool
) -> FloatArray:
    """For each round, how many rows from it on its hypothesis gets wrong: row after row, by all hypotheses until then."""
    update, step = of.columns["update"].astype(np.uint8), of.columns["step"].astype(np.float64)
    count = len(update)
    later, own = np.zeros(np.count_nonzero(update), dtype=np.int64), np.zeros(count, dtype=np.uint8)
    for part in slices(count, shown=progress, words="penalised risk"):
        begin, end = part.start, part.stop
        table.replay(batch, signs=signs, first=first, update=update, step=step, later=later, own=own, begin=begin, end=end)
    # Hypothesis k is used until its update; its wrong rows are those of its own rounds and all later ones.
    used = np.concatenate([[0], np.cumsum(update, dtype=np.int64)[:-1]])
    after = np.append(later, 0)[used]
    tails = np.cumsum(own[::-1], dtype=np.float64)[::-1]
    ends = np.append(np.flatnonzero(update) + 1, count)
    beyond: FloatArray = np.append(tails, 0.0)[ends][used]
    wrong: FloatArray = after + (tails - beyond)
    return wrong


def _summed(of: Run, known: Hypotheses, batch: _core.Batch, signs: SignArray, first: FloatArray) -> FloatArray:
    """The same for a kernel in Python, called once per update: scores of all rows are kept and each update changes them."""
    scores, column = first.copy(), products(of, batch)
    bounds = np.concatenate([[0], known.rounds + 1, [known.total_rounds]])
    wrong = np.zeros(known.total_rounds)
    for k in range(len(known.rounds) + 1):
        if k:
            scores += known.steps[k - 1] * column(int(known.rows[k - 1]))
        begin, end = bounds[k], bounds[k + 1]
        tails = np.cumsum((signs[begin:] * scores[begin:] <= 0.0)[::-1])[::-1]
        wrong[begin:end] = tails[: end - begin]
    return wrong


def penalty(left: FloatArray | np.ndarray[tuple[int, ...], np.dtype[np.int64]], rounds: int, delta: float) -> FloatArray:
    """√(log(T(T+1)/δ)/(2·left)).

    Example:
        >>> penalty(np.array([3.0, 2.0, 1.0]), 3, 0.5).round(5)
        array([0.72779, 0.89135, 1.26057])
    """
    missing: FloatArray = np.sqrt(math.log(rounds * (rounds + 1) / delta) / (2.0 * left))
    return missing
