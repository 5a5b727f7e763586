"""Blocks made in a thread of their own, ahead of whoever reads them."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from queue import Empty, Full, Queue
from typing import final

from littlestone.errors import LittlestoneError


@final
class _Ahead:
    """A thread that makes blocks and puts them into a queue until somebody stops it."""

    def __init__(self, blocks: Iterable[bytes], depth: int) -> None:
        self._blocks = blocks
        self._stopped = threading.Event()
        self.queue: Queue[bytes | BaseException | None] = Queue(depth)
        # A daemon, so that a reader that waits for standard input cannot keep the program from ending.
        threading.Thread(target=self._work, name="littlestone-ahead", daemon=True).start()

    def stop(self) -> None:
        self._stopped.set()

    def _put(self, item: bytes | BaseException | None) -> bool:
        while not self._stopped.is_set():
            try:
                self.queue.put(item, timeout=0.05)
            except Full:
                continue
            return True
        return False

    def _work(self) -> None:
        last: BaseException | None = RuntimeError("the thread that reads has failed")
        try:
            if all(self._put(block) for block in self._blocks):
                last = None
        except (LittlestoneError, OSError, ValueError, MemoryError) as error:
            last = error
        finally:
            self._put(last)


def ahead(blocks: Iterable[bytes], depth: int = 2) -> Iterator[bytes]:
    """The blocks, made in a thread of their own at most `depth` ahead; an error comes where its block would have."""
    try:
        maker = _Ahead(blocks, depth)
    except RuntimeError:  # the system gives no further thread
        yield from blocks
        return
    try:
        while (item := maker.queue.get()) is not None:
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        maker.stop()


# So long a writer may be silent before the first rows are taken for all that tell what the columns hold.
_FIRST_PATIENCE = 0.3
_WAITING = 256


def as_they_come(blocks: Iterable[bytes], size: int) -> Iterator[bytes]:
    """The blocks of a pipe, put together up to a size as far as they are there; and b"" where the writer pauses.

    Whoever writes may wait for an answer to each line, and whoever reads a long stream wants it in large pieces.
    """
    maker, patience = _Ahead(blocks, _WAITING), _FIRST_PATIENCE
    waiting, length, heard = list[bytes](), 0, False
    try:
        while True:
            try:
                item = maker.queue.get(timeout=patience if heard else None)
            except Empty:
                yield from filter(None, (b"".join(waiting),))
                yield b""
                waiting, length, heard, patience = [], 0, False, 0.0
                continue
            if item is None or isinstance(item, BaseException) or length >= size:
                yield from filter(None, (b"".join(waiting),))
                waiting, length = [], 0
            if item is None:
                return
            if isinstance(item, BaseException):
                raise item
            waiting.append(item)
            length, heard = length + len(item), True
    finally:
        maker.stop()
