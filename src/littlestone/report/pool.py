"""The pictures of a pool: who was heavy when, and what each member lost beside the pool and its proved bound."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from littlestone.pool.pool import Pool
from littlestone.pool.state import PoolState
from littlestone.report.chart import COLOURS, Band, Chart, Line, Role, as_array
from littlestone.report.sections import number
from littlestone.theory.pool import MEMBERS, VIEWS, evidence_of

if TYPE_CHECKING:
    from littlestone.arrays import FloatArray
    from littlestone.ledger import Ledger
    from littlestone.report.study import Study
    from littlestone.state import State

Accounts: TypeAlias = "Mapping[str, list[float]]"

_DRAWN = 4


def accounts_of(state: State) -> Accounts:
    """Weights and losses of the experts at this moment; of what is no pool for labels nothing."""
    return state.accounts() if isinstance(state, PoolState) else {}


def pool_charts(found: Study) -> list[Chart]:
    """The charts of a pool; of any other run none."""
    curve = [ledger for ledger in found.curve if found.accounts.get(ledger.rounds)]
    if len(curve) < 2 or not isinstance(found.learner.rule, Pool):
        return []
    at = [found.accounts[ledger.rounds] for ledger in curve]
    charts = [_weights("members", "Who was heavy when: members", MEMBERS, "member_weights", curve, at)]
    if at[-1]["viewed"][0]:
        charts.append(_weights("views", "Who was heavy when: views", VIEWS, "view_weights", curve, at))
    return [*charts, _losses(found.learner.rule, curve, at)]


def _shares(accounts: Accounts, key: str, count: int) -> FloatArray:
    """The weights of the experts; of many classes their mean."""
    mean: FloatArray = np.reshape(accounts[key], (-1, count)).mean(axis=0)
    return mean


def _weights(name: str, title: str, experts: tuple[str, ...], key: str, curve: list[Ledger], at: list[Accounts]) -> Chart:
    rounds = as_array([ledger.rounds for ledger in curve])
    shares = np.array([_shares(accounts, key, len(experts)) for accounts in at])
    order = sorted(range(len(experts)), key=lambda k: -float(shares[:, k].mean()))
    heaviest = int(np.argmax(shares[-1]))
    stack = [
        Line(experts[k], rounds, shares[:, k], Role.ONE_OF_MANY, place if place < COLOURS else None)
        for place, k in enumerate(order)
    ]
    return Chart(
        name=f"pool-{name}",
        title=title,
        words=f"The weights of the {name} in the master over the rounds; in the end {experts[heaviest]} has "
        f"{float(shares[-1, heaviest]):.0%}.",
        x_label="rounds",
        y_label="weight",
        stack=tuple(stack),
        log_x=True,
        percent=True,
    )


def _losses(rule: Pool, curve: list[Ledger], at: list[Accounts]) -> Chart:
    """What the pool has lost more than its best members; the band is from the largest of that to what is proved of it."""
    rounds = as_array([ledger.rounds for ledger in curve])
    evidence = [evidence_of(rule, ledger, accounts) for ledger, accounts in zip(curve, at, strict=True)]
    own = as_array([ledger.weighted_loss for ledger in curve])
    members = np.array([np.sum(one.members, axis=0) for one in evidence])
    best = sorted(range(len(MEMBERS)), key=lambda k: float(members[-1, k]))[:_DRAWN]
    low = own - as_array([one.best for one in evidence])
    high = as_array([one.bound - one.best for one in evidence])
    lines = [Line(f"to {MEMBERS[k]}", rounds, own - members[:, k], Role.ONE_OF_MANY, c) for c, k in enumerate(best)]
    beyond = float(low[-1])
    beside = f"{number(abs(beyond))} {'less' if beyond < 0.0 else 'more'} than its best expert"
    return Chart(
        name="pool-losses",
        title="Log loss of the pool beside its best members, and the proved bound",
        words=f"The log loss of the pool less that of the member. After {int(rounds[-1]):,} rounds the pool has lost "
        f"{number(float(own[-1]))}, which is {beside}; at most {number(float(high[-1]))} more is what is proved.",
        x_label="rounds",
        y_label="log loss, pool − member",
        lines=tuple(lines),
        bands=(Band("from the best expert to what is proved", rounds, low, high, 0),),
        log_x=True,
        zero=True,
    )
