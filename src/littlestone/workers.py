"""Ordered maps of this machine: threads, and processes that may die."""

from __future__ import annotations

import os
import pickle
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from typing import Protocol, TypeVar, final

from littlestone.errors import InvalidParameter, LittlestoneError

Task = TypeVar("Task")
Result = TypeVar("Result")

AT_ONCE = 1 << 23
"""Bytes of models that a caller may hold beside its own, before they are mixed."""

_DEATHS = 3
"""So often workers may die before one of them has come further."""


class OrderedMap(Protocol):
    """Calls a function for every task and gives the results in the order of the tasks: `map`, or that of an engine."""

    def __call__(self, function: Callable[[Task], Result], tasks: Iterable[Task], /) -> Iterable[Result]:
        """The results, in order."""
        ...


@final
class WorkerDied(LittlestoneError, RuntimeError):
    """Workers were killed again and again: by the system, for want of memory, most often."""


def held_at_once(function: Callable[..., object]) -> int:
    """How many results a caller may hold at once of a function that has a model in it and gives one back."""
    return max(1, AT_ONCE // len(pickle.dumps(function)))


def threads(count: int) -> OrderedMap:
    """A map with so many threads, which stay for the next call: the compiled loop does not hold the interpreter's lock."""
    workers = _workers(count)
    return _Workers(workers, lambda: ThreadPoolExecutor(workers, thread_name_prefix="littlestone-epoch"))


def processes(count: int) -> OrderedMap:
    """A map with so many processes, for rules and kernels in Python; what they learn from must be a path or be pickled.

    The processes stay for the next call. If one of them is killed, the tasks that have no result yet are done anew by new
    ones, from what the task says and nothing else: the results are the same.
    """
    workers = _workers(count)
    return _Workers(workers, lambda: ProcessPoolExecutor(workers, mp_context=get_context("spawn")))


@final
class _Workers:
    """Workers that are made anew when one of them was killed, and in a process that was forked from that of the others."""

    def __init__(self, count: int, hire: Callable[[], Executor]) -> None:
        self._count, self._hire = count, hire
        self._pool: Executor | None = None
        self._home = os.getpid()

    def __call__(self, function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterator[Result]:
        waiting, deaths = list(tasks), 0
        while waiting:
            try:
                for result in _in_order(self._started(), function, list(waiting), self._count):
                    del waiting[0]
                    deaths = 0
                    yield result
                    del result
            except BrokenProcessPool:
                self._pool, deaths = None, deaths + 1
                if deaths >= _DEATHS:
                    raise WorkerDied(f"a worker was killed {deaths} times without a result; is there enough memory?") from None

    def _started(self) -> Executor:
        if self._pool is None or self._home != os.getpid():
            self._pool, self._home = self._hire(), os.getpid()
        return self._pool


def _in_order(pool: Executor, function: Callable[[Task], Result], tasks: Iterable[Task], workers: int) -> Iterator[Result]:
    """The results in order; no more of them wait to be taken than keep the workers busy."""
    begun: deque[Future[Result]] = deque()
    try:
        for task in tasks:
            begun.append(pool.submit(function, task))
            if len(begun) > 2 * workers:
                yield begun.popleft().result()
        while begun:
            yield begun.popleft().result()
    finally:
        wait([future for future in begun if not future.cancel()])


def _workers(count: int) -> int:
    if isinstance(count, bool) or not isinstance(count, int) or not 1 <= count <= 1024:
        raise InvalidParameter(f"there are {count!r} workers; there must be at least 1 and at most 1024")
    return count
