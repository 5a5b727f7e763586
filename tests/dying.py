"""Workers that die, once, with their work done and not handed over."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar, cast

from littlestone.shards import Slot
from littlestone.workers import OrderedMap

Task = TypeVar("Task")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Fatal:
    """Does the work, and then kills the process it runs in, unless that has happened before."""

    function: Callable[..., object]
    mark: str

    def __call__(self, slot: Slot) -> object:
        answer = self.function(slot)
        if slot.number == 1 and not Path(self.mark).exists():
            Path(self.mark).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return answer


class Dying:
    """A map that has a worker die in one of its calls: 0 finds the labels, 1 is the first epoch, and so on."""

    def __init__(self, map: OrderedMap, mark: Path, *, call: int = 2) -> None:
        self._map, self._mark, self._left = map, str(mark), call

    def __call__(self, function: Callable[[Task], Result], tasks: Iterable[Task]) -> Iterable[Result]:
        self._left -= 1
        work = Fatal(function, self._mark) if self._left == -1 else function
        return self._map(cast("Callable[[Task], Result]", work), tasks)
