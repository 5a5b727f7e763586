"""The desk of a model: requests are checked, numbered, written and synced in groups, applied in order, and only then answered.

Everything but writing happens in the thread of the event loop. The writer's thread owns the file and nothing else.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple, TypeAlias, TypeVar, final

from littlestone.errors import LittlestoneError
from littlestone.serve.entries import Entry, Limits, encoded, key_of
from littlestone.serve.errors import RefusalError, unavailable
from littlestone.serve.folder import Folder, moment
from littlestone.serve.host import Host, Reply
from littlestone.serve.journal import SEGMENT, NoRoom, Tail

MOST_WAITING = 10_000
"""Requests that wait to be written; more are refused until the disk has caught up."""

_COMMIT = 1 << 20
"""Bytes of a commit, at which it waits for no more."""

_MOMENT = 0.001
"""Seconds that a commit waits for as many as came together the last time; with one client at a time it never waits."""

_LAST_SNAPSHOT_SECONDS = 0.5
"""How long the end of the process waits for a last snapshot; the journal has everything without it."""

_logger = logging.getLogger("uvicorn.error")

Result = TypeVar("Result")
Settle: TypeAlias = Callable[[Reply | LittlestoneError], None]
"""Told once what came of a request."""


@final
class _Waiting(NamedTuple):
    entry: Entry
    body: bytes
    settle: Settle


@final
class Writer:
    """Writes what it is given, in order, in a thread of its own, and reports after each commit."""

    def __init__(self, tail: Tail, report: Callable[[Exception | None, float], None]) -> None:
        self._tail = tail
        self._report = report
        self._queue: queue.SimpleQueue[tuple[int, Sequence[tuple[int, bytes]]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="littlestone-writer", daemon=True)
        self._thread.start()

    def put(self, first: int, entries: Sequence[tuple[int, bytes]]) -> None:
        """Hands over a commit; there is never more than one on its way."""
        self._queue.put((first, entries))

    def close(self) -> None:
        """Returns when everything that was handed over is written, and the file is let go."""
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        self._tail.prepare()
        while (commit := self._queue.get()) is not None:
            begun = time.perf_counter()
            error: Exception | None = None
            try:
                self._tail.append(*commit)
            except (OSError, NoRoom) as failure:
                error = failure
            self._report(error, time.perf_counter() - begun)
        self._tail.close()


@final
class Desk:
    """Takes the requests for one model.

    Args:
        folder: where its journal and its snapshots are.
        host: the model as it was restored from there.
        limits: of the book of ids; if they differ from those in force, that is the first thing written.
        segment: bytes of a segment of the journal.
        keep_journal: do not drop the segments that no snapshot needs.
        clock: seconds since 1970.
    """

    def __init__(
        self,
        folder: Folder,
        host: Host,
        *,
        limits: Limits | None = None,
        segment: int = SEGMENT,
        keep_journal: bool = False,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.folder = folder
        self.host = host
        self._failed: str | None = None
        self._closing = False
        self.snapshot_at = folder.snapshots()[-1] if folder.snapshots() else 0
        self.snapshot_time = clock()
        self.on_sync: Callable[[float], None] = lambda _: None
        self._keep_journal = keep_journal
        self._clock = clock
        self._loop = asyncio.get_running_loop()
        self._waiting: list[_Waiting] = []
        self._on_its_way: list[_Waiting] = []
        self._time = host.time
        self._ids: Counter[str] = Counter()
        self._idle = asyncio.Event()
        self._idle.set()
        self._alone = asyncio.Lock()
        self._usual = 1
        """How many came together the last time: so many are waited for, for a moment, before the disk is troubled."""
        self._gathering: asyncio.TimerHandle | None = None
        self._writer = Writer(Tail(folder.disk, host.sequence + 1, segment), self._report)
        if limits is not None and limits != host.book.limits:
            self.submit(limits, lambda _: None)

    @property
    def stopped(self) -> str | None:
        """Why nothing is learned any more, where that is so."""
        return "the server is shutting down; try again when it is back" if self._closing else self._failed

    @property
    def queued(self) -> int:
        """Requests that are not on the disk yet."""
        return len(self._waiting) + len(self._on_its_way)

    def submit(self, entry: Entry, settle: Settle) -> Reply | None:
        """Takes a request that changes something; its answer, where it was given before, or None if `settle` is told later.

        Raises:
            LittlestoneError: if it is refused; nothing has changed then.
        """
        if self._closing or self._failed is not None:
            raise unavailable(self.stopped or "")
        if len(self._waiting) >= MOST_WAITING:
            raise unavailable(f"{MOST_WAITING} requests are waiting for the disk; try again in a moment")
        body, key = encoded(entry), key_of(entry)
        if key is None or key not in self._ids:
            before = self.host.admit(entry, body)
            if before is not None:
                return before
        else:  # what becomes of the id is decided when those before it are applied
            self.host.check(entry)
        self._waiting.append(_Waiting(entry, body, settle))
        if key is not None:
            self._ids[key] += 1
        if self._idle.is_set():
            self._idle.clear()
            self._gather()
        elif self._gathering is not None and len(self._waiting) >= self._usual:
            self._hand_over()
        return None

    async def submitted(self, entry: Entry) -> Reply:
        """The answer to a request that changes something.

        Raises:
            LittlestoneError: if it is refused.
        """
        answer: asyncio.Future[Reply] = self._loop.create_future()

        def settle(outcome: Reply | LittlestoneError) -> None:
            if not answer.done():
                answer.set_exception(outcome) if isinstance(outcome, LittlestoneError) else answer.set_result(outcome)

        before = self.submit(entry, settle)
        return await answer if before is None else before

    async def alone(self, prepare: Callable[[], Entry]) -> Reply:
        """An entry that names a file: no snapshot and no other such entry comes between the two."""
        async with self._alone:
            return await self.submitted(await in_thread(prepare))

    async def snapshot(self) -> int:
        """Writes a snapshot without stopping; the number of the last record that it knows.

        Raises:
            RefusalError: if it cannot be written.
        """
        async with self._alone:
            kept = moment(self.host)  # between two commits, for this is the thread that applies them
            if kept.sequence != self.snapshot_at or not self.folder.snapshots():
                try:
                    await in_thread(partial(self.folder.write, kept))
                    await in_thread(partial(self.folder.tidy, journal=not self._keep_journal))
                except OSError as error:
                    raise unavailable(f"the snapshot could not be written: {error.strerror}") from None
            self.snapshot_at, self.snapshot_time = kept.sequence, self._clock()
            return kept.sequence

    async def close(self) -> None:
        """Everything that was taken is written, applied and answered; nothing more is taken."""
        self._closing = True
        await self._idle.wait()
        await in_thread(self._writer.close)
        if self.host.sequence > self.snapshot_at:
            with suppress(TimeoutError, RefusalError):  # the journal has everything
                await asyncio.wait_for(self.snapshot(), _LAST_SNAPSHOT_SECONDS)
        self.folder.close()

    def _gather(self) -> None:
        """Waits a moment for those who come together, as they do who were answered together."""
        if len(self._waiting) < self._usual:
            self._gathering = self._loop.call_later(_MOMENT, self._hand_over)
        else:
            self._loop.call_soon(self._hand_over)

    def _hand_over(self) -> None:
        """Gives what is waiting to the writer, as one commit; numbers are given here."""
        if self._gathering is not None:
            self._gathering.cancel()
            self._gathering = None
        if self._on_its_way:
            return
        if self._failed is not None:
            self._refuse_waiting(self._failed)
        if not self._waiting:
            self._idle.set()
            return
        # A clock that goes backwards does not take the journal with it.
        self._time = max(self._time, int(self._clock() * 1e6))
        count = size = 0
        while count < len(self._waiting) and (count == 0 or size + len(self._waiting[count].body) <= _COMMIT):
            size += len(self._waiting[count].body)
            count += 1
        self._on_its_way, self._waiting = self._waiting[:count], self._waiting[count:]
        self._writer.put(self.host.sequence + 1, [(self._time, each.body) for each in self._on_its_way])

    def _report(self, error: Exception | None, seconds: float) -> None:
        """Called by the writer."""
        self._loop.call_soon_threadsafe(self._written, error, seconds)

    def _written(self, error: Exception | None, seconds: float) -> None:
        self.on_sync(seconds)
        batch, self._on_its_way = self._on_its_way, []
        if isinstance(error, NoRoom):
            self._fail(batch, unavailable(f"{error}; predictions go on, and learning when there is room again"))
        elif error is not None:
            # Whether the commit is on the disk is not known, and to sync again would not tell.
            words = error.strerror if isinstance(error, OSError) else str(error)
            self._failed = f"the disk failed ({words}); nothing is learned until the server is restarted"
            self._fail(batch, unavailable(self._failed))
        else:
            self._apply(batch)
        for each in batch:
            self._let_go(key_of(each.entry))
        self._usual = len(batch)
        if self._waiting and self._failed is None:
            self._gather()
        else:
            self._hand_over()

    def _apply(self, batch: list[_Waiting]) -> None:
        first = self.host.sequence + 1
        for number, (entry, body, settle) in enumerate(batch, first):
            outcome: Reply | LittlestoneError
            try:
                outcome = self.host.apply(number, self._time, entry, body)
            except LittlestoneError as error:
                outcome = error
            self._tell(settle, outcome)

    def _tell(self, settle: Settle, outcome: Reply | LittlestoneError) -> None:
        """Answers one; whoever cannot be answered keeps nobody else from it."""
        try:
            settle(outcome)
        except Exception:  # a bug
            _logger.exception("an answer could not be given")

    def _let_go(self, key: str | None) -> None:
        if key is not None:
            self._ids[key] -= 1
            if not self._ids[key]:
                del self._ids[key]

    def _refuse_waiting(self, why: str) -> None:
        waiting, self._waiting = self._waiting, []
        for each in waiting:
            self._let_go(key_of(each.entry))
        self._fail(waiting, unavailable(why))

    def _fail(self, batch: Sequence[_Waiting], error: RefusalError) -> None:
        for each in batch:
            self._tell(each.settle, error)


async def in_thread(work: Callable[[], Result]) -> Result:
    """Runs what takes long in a thread of its own, which the end of the process does not wait for."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Result] = loop.create_future()

    def settle(set_it: Callable[[], None]) -> None:
        if not done.done():
            set_it()

    def run() -> None:
        try:
            result = work()
        except (LittlestoneError, OSError) as error:
            loop.call_soon_threadsafe(settle, partial(done.set_exception, error))
        else:
            loop.call_soon_threadsafe(settle, partial(done.set_result, result))

    threading.Thread(target=run, name="littlestone-file", daemon=True).start()
    return await done
