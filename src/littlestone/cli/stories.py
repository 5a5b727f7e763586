"""Three streams for the demonstration, made from nothing but a seed: weather, messages, a game."""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, final

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone.arrays import FloatArray

    Message: TypeAlias = dict[str, int]


def _listed(text: str) -> tuple[str, ...]:
    return tuple(re.findall(r"\w+", text))


SPAM = _listed("offer winner free prize click cash urgent bonus deal guaranteed limited lottery")
HAM = _listed("meeting lunch thesis regards attached agenda tomorrow draft minutes colleague train proof")
PLAIN = _listed(
    "the to and of a in is it you that for on we be with as this have are not at or by from your will all can our there has "
    "more if when one what so up about out do which their time other new some these may first any them my like over just "
    "people into year two could than who its now only see work here also how after where most way well back week today please "
    "thanks know think make look come day good help much send need find last great call still want right part place long"
)
"""From the most frequent down."""

_DAYS = 3 * 365


@final
class Weather(NamedTuple):
    """What the forecasters said each day, and what the thermometer showed, in degrees Celsius."""

    names: tuple[str, ...]
    advice: FloatArray
    highs: FloatArray


def weather(seed: int) -> Weather:
    """Three years of daily highs, and five forecasters: two models that are good at different seasons, and simpler minds."""
    rng = np.random.default_rng(seed)
    days = np.arange(_DAYS)
    season = np.cos(2.0 * np.pi * (days - 200) / 365.0)
    climate = 12.0 + 11.0 * season
    drift = np.zeros(_DAYS)
    for t in range(1, _DAYS):
        drift[t] = 0.8 * drift[t - 1] + rng.normal(0.0, 2.2)
    highs = climate + drift
    summer = (1.0 + season) / 2.0
    noise = rng.normal(size=(_DAYS, 3))
    advice = {
        "winter model": highs + (0.8 + 3.2 * summer) * noise[:, 0],
        "summer model": highs + (4.0 - 3.2 * summer) * noise[:, 1],
        "yesterday": np.concatenate([climate[:1], highs[:-1]]),
        "almanac": climate,
        "optimist": highs + 3.0 + noise[:, 2],
    }
    return Weather(tuple(advice), np.column_stack(list(advice.values())), highs)


def messages(seed: int, count: int = 20_000) -> tuple[list[Message], list[str]]:
    """Messages as counts of words; one is spam if it has more words of the one kind than of the other."""
    rng = np.random.default_rng(seed)
    chance = 1.0 / np.arange(1, len(PLAIN) + 1)
    chance /= chance.sum()
    rows: list[Message] = []
    labels: list[str] = []
    while len(rows) < count:
        spam = bool(rng.random() < 0.5)
        told = _words(rng, SPAM if spam else HAM, 1 + rng.poisson(1.5)) + _words(rng, HAM if spam else SPAM, rng.poisson(0.4))
        told += [PLAIN[k] for k in rng.choice(len(PLAIN), size=4 + rng.poisson(4.0), p=chance)]
        lead = sum((word in SPAM) - (word in HAM) for word in set(told))
        if lead != 0:
            rows.append(dict.fromkeys(told, 1))
            labels.append("spam" if lead > 0 else "ham")
    return rows, labels


def _words(rng: np.random.Generator, kind: tuple[str, ...], count: int) -> list[str]:
    return [kind[k] for k in rng.integers(0, len(kind), size=count)]


@final
class Blotto(NamedTuple):
    """What the attacker wins: fields taken minus fields lost, over all ways to divide two armies."""

    payoffs: FloatArray
    attacks: tuple[str, ...]
    defences: tuple[str, ...]


def blotto(attackers: int = 10, defenders: int = 12, fields: int = 3) -> Blotto:
    """Two generals divide their battalions among the fields at once; the larger number takes a field."""
    mine, theirs = _divisions(attackers, fields), _divisions(defenders, fields)
    payoffs = np.sign(mine[:, np.newaxis, :] - theirs[np.newaxis, :, :]).sum(axis=2).astype(np.float64)
    return Blotto(payoffs, _named(mine), _named(theirs))


def _divisions(army: int, fields: int) -> npt.NDArray[np.int64]:
    return np.array([split for split in product(range(army + 1), repeat=fields) if sum(split) == army], dtype=np.int64)


def _named(divisions: npt.NDArray[np.int64]) -> tuple[str, ...]:
    return tuple("-".join(map(str, split)) for split in divisions.tolist())
