"""The pictures of a pool: who was heavy when, and what each member lost beside the pool and what is proved of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, final

import numpy as np

from littlestone.pool.members import TARGET_MEMBERS
from littlestone.pool.pool import Pool
from littlestone.pool.regression import PoolRegression
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

_STACKS = ("stack", "fading stack", "fast fading stack")
_TARGET_MEMBERS = (*TARGET_MEMBERS, *_STACKS)
_TARGET_VIEWS = ("raw", "bins", "pairs", *(f"{stack} of views" for stack in _STACKS))
_DRAWN = 4
_NEAR = 10.0
"""An expert farther away than this many times the height of the band would leave nothing of it to be seen."""


@final
class Experts(NamedTuple):
    """Those whom one master weighs."""

    name: str
    title: str
    names: tuple[str, ...]
    key: str
    """Of their weights and of their losses among the accounts."""

    def shares(self, at: list[Accounts]) -> FloatArray:
        """The weights of the experts over the rounds; of many classes their mean."""
        return np.array([np.reshape(of[f"{self.key}_weights"], (-1, len(self.names))).mean(axis=0) for of in at])

    def losses(self, at: list[Accounts]) -> FloatArray:
        """The log losses over the rounds; of many classes their sum. Of targets the squared errors."""
        return np.array([np.reshape(of[f"{self.key}_losses"], (-1, len(self.names))).sum(axis=0) for of in at])


def accounts_of(state: State) -> Accounts:
    """Weights and losses of the experts at this moment; of what is no pool nothing."""
    return state.accounts() if isinstance(state, PoolState) else {}


def pool_charts(found: Study) -> list[Chart]:
    """The charts of a pool; of any other run none."""
    curve = [ledger for ledger in found.curve if found.accounts.get(ledger.rounds)]
    rule = found.learner.rule
    if len(curve) < 2 or not isinstance(rule, Pool | PoolRegression):
        return []
    at = [found.accounts[ledger.rounds] for ledger in curve]
    weighed = [experts for experts in _masters(rule) if np.ptp(experts.shares(at), axis=0).any()]
    losses = _losses(rule, weighed, curve, at) if isinstance(rule, Pool) else _squared_errors(weighed, curve, at)
    return [*(_weights(experts, curve, at) for experts in weighed), *losses]


def _masters(rule: Pool | PoolRegression) -> list[Experts]:
    """Everybody who is weighed; the views of rows that are never cut keep their weights, and so are not heard."""
    members, views = (MEMBERS, VIEWS) if isinstance(rule, Pool) else (_TARGET_MEMBERS, _TARGET_VIEWS)
    masters = [
        Experts("members", "Who was heavy when: members", members, "member"),
        Experts("views", "Who was heavy when: views", views, "view"),
    ]
    if isinstance(rule, Pool) and rule.guests:
        names = ("pool of the core", *(type(guest).__name__ for guest in rule.guests), "stack of all", "fading stack of all")
        masters.append(Experts("guests", "Who was heavy when: members of your own", names, "guest"))
    return masters


def _weights(experts: Experts, curve: list[Ledger], at: list[Accounts]) -> Chart:
    rounds, shares, names = as_array([ledger.rounds for ledger in curve]), experts.shares(at), experts.names
    order = sorted(range(len(names)), key=lambda k: -float(shares[:, k].mean()))
    heaviest = int(np.argmax(shares[-1]))
    stack = [
        Line(names[k], rounds, shares[:, k], Role.ONE_OF_MANY, place if place < COLOURS else None)
        for place, k in enumerate(order)
    ]
    return Chart(
        name=f"pool-{experts.name}",
        title=experts.title,
        words=f"The weights in the master over the rounds; in the end {names[heaviest]} has {float(shares[-1, heaviest]):.0%}.",
        x_label="rounds",
        y_label="weight",
        stack=tuple(stack),
        log_x=True,
        percent=True,
    )


def _squared_errors(weighed: list[Experts], curve: list[Ledger], at: list[Accounts]) -> list[Chart]:
    """What the pool's squared errors are more than those of its best experts; nothing where nobody was weighed yet."""
    rounds, own = as_array([ledger.rounds for ledger in curve]), as_array([ledger.squared_error for ledger in curve])
    nearest = _nearest(weighed, own, at)[:_DRAWN]
    if not nearest:
        return []
    best, beyond = nearest[0][0], float(nearest[0][1][-1])
    beside = "less" if beyond < 0.0 else "more"
    return [
        Chart(
            name="pool-losses",
            title="Squared errors of the pool beside its best experts",
            words=f"The squared errors of the pool less those of the expert, added up. After {int(rounds[-1]):,} rounds "
            f"those of the pool are {number(float(own[-1]))}, {number(abs(beyond))} {beside} than those of {best}.",
            x_label="rounds",
            y_label="squared errors, pool − expert",
            lines=tuple(Line(f"to {name}", rounds, less, Role.ONE_OF_MANY, k) for k, (name, less) in enumerate(nearest)),
            log_x=True,
            zero=True,
        )
    ]


def _losses(rule: Pool, weighed: list[Experts], curve: list[Ledger], at: list[Accounts]) -> list[Chart]:
    """What the pool has lost more than its best experts; the band is from the largest of that to what is proved of it."""
    rounds = as_array([ledger.rounds for ledger in curve])
    evidence = [evidence_of(rule, ledger, accounts) for ledger, accounts in zip(curve, at, strict=True)]
    own = as_array([ledger.weighted_loss for ledger in curve])
    low = own - as_array([one.best for one in evidence])
    high = as_array([one.bound - one.best for one in evidence])
    beyond, reach = float(low[-1]), _NEAR * float(high[-1] - low[-1])
    lines = [
        Line(f"to {name}", rounds, less, Role.ONE_OF_MANY, colour)
        for colour, (name, less) in enumerate(_nearest(weighed, own, at)[:_DRAWN])
        if colour == 0 or abs(float(less[-1])) <= reach
    ]
    beside = f"{number(abs(beyond))} {'less' if beyond < 0.0 else 'more'} than its best expert"
    chart = Chart(
        name="pool-losses",
        title="Log loss of the pool beside its best experts, and the proved bound",
        words=f"The log loss of the pool less that of the expert. After {int(rounds[-1]):,} rounds the pool has lost "
        f"{number(float(own[-1]))}, which is {beside}; at most {number(float(high[-1]))} more is what is proved.",
        x_label="rounds",
        y_label="log loss, pool − expert",
        lines=tuple(lines),
        bands=(Band("from the best expert to what is proved", rounds, low, high, 0),),
        log_x=True,
        zero=True,
    )
    return [chart]


def _nearest(weighed: list[Experts], own: FloatArray, at: list[Accounts]) -> list[tuple[str, FloatArray]]:
    """What the pool has lost more than each expert, the best of them first."""
    less = [(name, own - lost) for experts in weighed for name, lost in zip(experts.names, experts.losses(at).T, strict=True)]
    return sorted(less, key=lambda one: -float(one[1][-1]))
