"""What every learner promises: one call at a time, and a call that does not succeed leaves no trace."""

from __future__ import annotations

import os
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar, final

from littlestone.display import Displayed
from littlestone.errors import NotApplicable

Before = TypeVar("Before")
Result = TypeVar("Result")

_WITHIN = (
    "reading a row came back to the learner that reads it; a learner takes one call at a time, so ask a copy of it instead"
)
_CUT_OFF = (
    "the learner was at work in another thread when this process was forked, and its round was cut off; "
    "make the copy (copy.deepcopy), or load it from a file, in the child"
)


@final
class _Forks:
    """How many forks lie between the first process and this one, and a lock of this process alone."""

    count = 0
    lock = threading.Lock()

    @staticmethod
    def in_child() -> None:
        """Whoever held the lock is not in this process."""
        _Forks.count += 1
        _Forks.lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_Forks.in_child)


class Guarded(Displayed, ABC, Generic[Before]):
    """A model that other threads, Ctrl-C and forks may come upon at any moment.

    A call that moves the model is `_whole`: it notes what to go back to, and whatever ends it early, of which an interrupt
    can be anything at any line, the model goes back to that. Should a second interrupt cut the way back in two, the note
    is still there, and the next call goes the rest of the way.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._forks = _Forks.count
        self._cut_off = False
        self._busy = False
        self._before: Before | None = None

    @abstractmethod
    def _marked(self) -> Before:
        """What to go back to."""

    @abstractmethod
    def _return_to(self, before: Before) -> None:
        """Goes back. It takes no memory, and to do it twice, or half and then whole, is to do it once."""

    @abstractmethod
    def _stands(self, before: Before, *, interrupted: bool) -> bool:
        """Whether the model is to stay where it is: rounds were learned since, and none of them is cut in two.

        Of a call that fails nothing stays, unless there is no way back from rounds that could not fail any more.
        """

    @property
    @final
    def _alone(self) -> threading.RLock:
        """The lock, for `with`, which nothing comes between."""
        if self._forks != _Forks.count:
            self._start_in_child()
        if self._cut_off:
            raise NotApplicable(_CUT_OFF)
        return self._lock

    @final
    def _whole(self, work: Callable[[], Result]) -> Result:
        """Does all of the work or none; what an interrupt finds done between two rounds stays."""
        with self._alone:
            self._refuse_within_another()
            try:
                self._settle()
                self._before = self._marked()
                self._busy = True
                result = work()
                self._before = None
            except BaseException as failure:
                self._settle(interrupted=not isinstance(failure, Exception))
                raise
            finally:
                self._busy = False
            return result

    @final
    def _refuse_within_another(self) -> None:
        if self._busy:
            raise NotApplicable(_WITHIN)

    @final
    def _heal(self) -> None:
        """Before anything is read: goes the rest of a way back that was cut off."""
        if not self._busy:
            self._settle()

    @final
    def _settle(self, *, interrupted: bool = False) -> None:
        before = self._before
        if before is not None and not self._stands(before, interrupted=interrupted):
            self._return_to(before)
        self._before = None

    def _start_in_child(self) -> None:
        """A lock of this process. If another thread held the old one, what it was about is lost."""
        with _Forks.lock:
            if self._forks == _Forks.count:
                return
            free = self._lock.acquire(blocking=False)
            if free:
                self._lock.release()
            self._cut_off = self._cut_off or not free
            self._lock = threading.RLock()
            self._forks = _Forks.count


@final
class Nothing(NamedTuple):
    """What is noted where there is nothing to go back to."""


class WholeRounds(Guarded[Nothing], ABC):
    """A model whose rounds are whole or not there: each of them holds interrupts back, and none fails once it has begun."""

    @final
    def _marked(self) -> Nothing:
        return Nothing()

    @final
    def _stands(self, before: Nothing, *, interrupted: bool) -> bool:
        return True

    @final
    def _return_to(self, before: Nothing) -> None:
        """There are only whole rounds."""
