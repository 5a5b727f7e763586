"""Drift: an alarm when the learner errs more than it did, by bets that stay fair for ever.

Every so many rounds a trial begins. Its hypothesis: from here on, whatever happened before, no round is a mistake with more
than the probability p̄ that rounds had on average just before. p̄ is not known, but with probability 1 − δⱼ/2 it is at most
the ceiling c that the risk bound gives (`anytime_bound`). For q > c the ratio (q/c)^m ((1−q)/(1−c))^(n−m) of the
likelihoods of m mistakes in n rounds is then a supermartingale, and so is its mean over several q. By Ville's inequality
it reaches 2/δⱼ with probability at most δⱼ/2, however often one looks. The δⱼ = 6δ/(πj)² sum up to δ: a stream that
does not get worse raises an alarm, ever, with probability at most δ.

Source: the betting view of sequential tests, as in Shafer, "Testing by betting", JRSS A 184 (2021); Ville (1939).
"""

from __future__ import annotations

import math
from typing import final

import msgspec

from littlestone.theory.risk import anytime_bound

BLOCK = 500
"""Rounds between the beginnings of two trials, and the fewest that a ceiling is made of."""

_MOST = 24
_STEPS = tuple(2.0**-k for k in range(1, 13))


@final
class Alarm(msgspec.Struct, frozen=True, kw_only=True):
    """When, and how sure."""

    rounds: int
    """Of the ledger when it was raised."""
    since: int
    """Rounds when the trial began that raised it."""
    before: float
    """The ceiling of the error rate before."""
    after: float
    """The error rate since."""


@final
class Trial(msgspec.Struct, array_like=True, frozen=True):
    """A bet that is running: the ledger when it began, the ceiling, and the capital (its logarithm) that raises the alarm."""

    rounds: int
    mistakes: int
    ceiling: float
    needed: float

    def won(self, rounds: int, mistakes: int) -> bool:
        """Whether the capital is enough; where the rate is not above the ceiling, or by too little, it need not be counted."""
        n, m = rounds - self.rounds, mistakes - self.mistakes
        if n <= 0 or m <= n * self.ceiling or self.ceiling >= 1.0:
            return False
        # No q wins more than the rate itself, which is not known beforehand.
        most = _log_ratio(m / n, self.ceiling, n, m) if m < n else -n * math.log(self.ceiling)
        return most >= self.needed and self.capital(rounds, mistakes) >= self.needed

    def capital(self, rounds: int, mistakes: int) -> float:
        """The logarithm of the capital after so many rounds and mistakes in all."""
        n, m, c = rounds - self.rounds, mistakes - self.mistakes, self.ceiling
        if c >= 1.0 or n <= 0:
            return 0.0
        logs = [_log_ratio(c + (1.0 - c) * step, c, n, m) for step in _STEPS]
        top = max(logs)
        return top + math.log(sum(math.exp(value - top) for value in logs) / len(logs))


@final
class Drift(msgspec.Struct):
    """The trials that are running; made of counts alone, so that it can be kept in a snapshot.

    Example:
        >>> watch = Drift()
        >>> for rounds in range(100, 4001, 100):          # 5 % mistakes: no alarm
        ...     assert watch.note(rounds, rounds // 20) is None
        >>> alarm = watch.note(4200, 200 + 80)            # then 40 %
        >>> alarm.since <= 4000, alarm.after > alarm.before, watch.alarms
        (True, True, 1)
    """

    delta: float = 0.01
    begun: int = 0
    """How many trials were begun; each pays for itself out of δ."""
    alarms: int = 0
    last: Alarm | None = None
    start: tuple[int, int] = (0, 0)
    """Rounds and mistakes from which on rows count: the beginning, or the last alarm."""
    trials: list[Trial] = msgspec.field(default_factory=list)

    def note(self, rounds: int, mistakes: int) -> Alarm | None:
        """The ledger at a later moment; an alarm if a trial has won."""
        for trial in self.trials:
            if trial.won(rounds, mistakes):
                return self._raised(trial, rounds, mistakes)
        latest = self.trials[-1].rounds if self.trials else self.start[0]
        if rounds - latest >= BLOCK:
            self._begin(rounds, mistakes)
        return None

    def fits(self, rounds: int, mistakes: int) -> bool:
        """Whether this can have been noted on the way to such a ledger; a file may say anything."""
        bets = all(0.0 < trial.ceiling <= 1.0 and trial.needed > 0.0 for trial in self.trials)
        moments = [(0, 0), self.start, *((trial.rounds, trial.mistakes) for trial in self.trials), (rounds, mistakes)]
        steps = [(b[0] - a[0], b[1] - a[1]) for a, b in zip(moments, moments[1:], strict=False)]
        counts = 0.0 < self.delta < 1.0 and 0 <= self.begun < 1 << 53 and 0 <= self.alarms < 1 << 53
        return bets and counts and all(0 <= erred <= passed for passed, erred in steps)

    def restart(self, rounds: int, mistakes: int) -> None:
        """Another model is in the place: what was before says nothing of it."""
        self.trials = []
        self.start = (rounds, mistakes)

    def _begin(self, rounds: int, mistakes: int) -> None:
        self.begun += 1
        share = 6.0 * self.delta / (math.pi * self.begun) ** 2
        # The later half: a learner that has become better is held to what it can do now.
        half = self.start[0] + (rounds - self.start[0]) // 2
        before = next(((t.rounds, t.mistakes) for t in self.trials if half <= t.rounds <= rounds - BLOCK), self.start)
        ceiling = anytime_bound(mistakes - before[1], rounds - before[0], share / 2.0)
        self.trials.append(Trial(rounds, mistakes, ceiling, math.log(2.0 / share)))
        if len(self.trials) > _MOST:  # the older, the fewer are kept
            self.trials = [*self.trials[: _MOST // 2 : 2], *self.trials[_MOST // 2 :]]

    def _raised(self, trial: Trial, rounds: int, mistakes: int) -> Alarm:
        rate = (mistakes - trial.mistakes) / (rounds - trial.rounds)
        alarm = Alarm(rounds=rounds, since=trial.rounds, before=trial.ceiling, after=rate)
        self.alarms, self.last = self.alarms + 1, alarm
        self.restart(rounds, mistakes)
        return alarm


def _log_ratio(q: float, c: float, n: int, m: int) -> float:
    """Log of (q/c)^m ((1−q)/(1−c))^(n−m)."""
    won = m * math.log(q / c) if m else 0.0
    return won + (n - m) * math.log1p((c - q) / (1.0 - c))
