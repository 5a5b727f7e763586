"""What can be asked of a model."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, TypeAlias, final

import msgspec

from littlestone.columns import counted
from littlestone.serve.desk import Desk
from littlestone.serve.entries import Entry, Learn, LearnMany, Predict, Promote, Rollback, StartShadow, StopShadow
from littlestone.serve.errors import RefusalError, malformed, unfit, unknown
from littlestone.serve.host import ManyPredicted, Predicted
from littlestone.serve.http import Request, Response, as_json
from littlestone.serve.models import Served
from littlestone.serve.requests import Caps, RollbackBody, ShadowBody, asked_rows, feedback_entry, learn_entry, read_as
from littlestone.serve.shadows import fresh_model
from littlestone.serve.tensors import answered, asked, metadata

if TYPE_CHECKING:
    from littlestone.serve.app import Asking
    from littlestone.serve.live import Live
    from littlestone.serve.metrics import Meter

Quick: TypeAlias = "Callable[[Asking, bytes], Response | None]"
"""None where whoever asks is answered later."""
Slow: TypeAlias = "Callable[[bytes], Awaitable[Response]]"


@final
class Verbs:
    """The verbs of one model."""

    def __init__(self, name: str, desk: Desk, caps: Caps, meter: Meter, live: Live) -> None:
        self._name, self._desk, self._caps, self._meter, self._live = name, desk, caps, meter, live
        self._known: tuple[int, set[str]] = (0, set())
        self._at_most = desk.host.live.width
        """Features that the model can have by now, if every one that came was new."""
        self.quick: dict[str, Quick] = {
            "learn": self._learn,
            "predict": self._predict,
            "infer": self._infer,
            "feedback": self._feedback,
        }
        self._slow: dict[tuple[str, tuple[str, ...]], Slow] = {
            ("POST", ("snapshot",)): self._snapshot,
            ("POST", ("shadow",)): self._start_shadow,
            ("DELETE", ("shadow",)): partial(self._entry, StopShadow()),
            ("POST", ("promote",)): self._promote,
            ("POST", ("rollback",)): self._roll_back,
            ("GET", ()): self._metadata,
            ("GET", ("ready",)): self._ready,
            ("GET", ("ledger",)): self._ledger,
            ("GET", ("certificates",)): self._certificates,
            ("GET", ("snapshots",)): self._snapshots,
            ("GET", ("status",)): self._status,
        }

    async def answer(self, request: Request, rest: tuple[str, ...], body: bytes) -> Response:
        """The answer to a request for a verb that is not quick.

        Raises:
            LittlestoneError: if it is refused.
        """
        method = "GET" if request.method == "HEAD" else request.method
        slow = self._slow.get((method, rest))
        if slow is not None:
            return await slow(body)
        known = [*self._slow, *(("POST", (verb,)) for verb in self.quick)]
        offered, shown = [verb for verb, path in known if path == rest], "/".join(rest)[:64]
        if offered:
            sentence = f"{request.method} {shown} is not offered; {' and '.join(offered)} is"
            raise RefusalError(HTTPStatus.METHOD_NOT_ALLOWED, "method", sentence)
        raise unknown(f"a model has no {shown!r}; it has {', '.join(sorted({path[0] for _, path in known if path}))}")

    # Rows.

    def _learn(self, asking: Asking, body: bytes) -> Response | None:
        request = asking.request
        entry = learn_entry(body, request.content_type, request.key, self._caps)
        self._check_vocabulary(entry)
        return self._submitted(entry, asking)

    def _predict(self, asking: Asking, body: bytes) -> Response | None:
        rows, key, many = asked_rows(body, asking.request.content_type, self._caps)
        self._meter.predictions[self._name] += len(rows)
        host = self._desk.host
        if key is not None:
            asking.may_learn()
            return self._submitted(Predict(rows[0], key), asking)
        if many:
            return as_json(ManyPredicted([host.live.predict(row) for row in rows], host.sequence))
        return as_json(Predicted(host.live.predict(rows[0]), host.sequence))

    def _infer(self, asking: Asking, body: bytes) -> Response:
        wanted = asked(body, asking.request.number(b"inference-header-content-length"), self._caps)
        host = self._desk.host
        predictions = [host.live.predict(row) for row in wanted.rows]
        self._meter.predictions[self._name] += len(predictions)
        content, head = answered(wanted, self._name, host.sequence, predictions)
        if head is None:
            return Response(200, content)
        return Response(200, content, b"application/octet-stream", ((b"inference-header-content-length", b"%d" % head),))

    def _feedback(self, asking: Asking, body: bytes) -> Response | None:
        return self._submitted(feedback_entry(body), asking)

    def _submitted(self, entry: Entry, asking: Asking) -> Response | None:
        reply = self._desk.submit(entry, asking.settle)
        return None if reply is None else as_json(reply)

    def _check_vocabulary(self, entry: Learn | LearnMany) -> None:
        """Refuses names beyond the cap; the names are looked at only where it may be reached."""
        brought = len(entry.row) if isinstance(entry, Learn) else sum(map(len, entry.rows))
        most = self._caps.vocabulary
        self._at_most += brought
        if self._at_most <= most:
            return
        live = self._desk.host.live
        rows = [entry.row] if isinstance(entry, Learn) else entry.rows
        width = live.width
        self._at_most = width + brought
        if self._at_most <= most:
            return
        if self._known[0] != width:
            self._known = (width, set(live.features()))
        new = {name for row in rows if isinstance(row, dict) for name in row} - self._known[1]
        if width + len(new) > most:
            words = f"{counted(len(new), 'new feature')}; the model knows {width:,}, and may know {most:,}"
            raise unfit(f"the request brings {words} (--vocabulary)")

    # The model.

    async def _metadata(self, _: bytes) -> Response:
        host = self._desk.host
        live, limits = host.live, host.book.limits
        features = live.features() if live.width <= self._caps.features else []
        about = metadata(self._name, [host.sequence], features, named=not live.columns)
        return as_json(
            about | {"rule": live.rule, "caps": self._caps, "limits": msgspec.structs.asdict(limits), "features": live.width}
        )

    async def _ready(self, _: bytes) -> Response:
        stopped = self._desk.stopped
        return as_json({"ready": stopped is None} if stopped is None else {"error": stopped}, 503 if stopped else 200)

    async def _ledger(self, _: bytes) -> Response:
        return as_json({**self._desk.host.live.ledger(), "model_version": self._desk.host.sequence})

    async def _certificates(self, _: bytes) -> Response:
        certificates = [certificate.to_dict() for certificate in self._live.certificates(at_most=0.0)]
        return as_json({"certificates": certificates, "model_version": self._desk.host.sequence})

    async def _status(self, _: bytes) -> Response:
        return as_json(self._live.status())

    # Snapshots and the shadow.

    async def _snapshot(self, _: bytes) -> Response:
        return as_json({"snapshot": await self._desk.snapshot()})

    async def _snapshots(self, _: bytes) -> Response:
        return as_json({"snapshots": self._desk.folder.snapshots(), "model_version": self._desk.host.sequence})

    async def _entry(self, entry: Entry, _: bytes) -> Response:
        return as_json(await self._desk.alone(lambda: entry))

    async def _start_shadow(self, body: bytes) -> Response:
        wanted = read_as(ShadowBody, body)
        if (wanted.rule is None) == (wanted.snapshot is None):
            raise malformed('expected {"rule", "parameters"?}, or {"snapshot"}: what the shadow begins with')
        if wanted.snapshot is not None:
            prepare = partial(self._pinned, wanted.snapshot, StartShadow)
        else:
            model = fresh_model(wanted.rule or "", wanted.parameters, one_versus_rest=wanted.one_versus_rest)
            prepare = partial(self._pinned_model, model)
        return as_json(await self._desk.alone(prepare))

    async def _promote(self, body: bytes) -> Response:
        if self._desk.host.shadow is None:
            raise RefusalError(HTTPStatus.CONFLICT, "conflict", "there is no shadow; start one first")
        await self._desk.snapshot()  # to be able to roll back
        return await self._entry(Promote(), body)

    async def _roll_back(self, body: bytes) -> Response:
        wanted = read_as(RollbackBody, body)
        return as_json(await self._desk.alone(partial(self._pinned, wanted.snapshot, Rollback)))

    def _pinned(self, number: int, entry: type[StartShadow] | type[Rollback]) -> Entry:
        folder = self._desk.folder
        known = folder.snapshots()
        if number not in known:
            raise unknown(f"there is no snapshot {number}; there are {', '.join(map(str, known)) or 'none'}")
        return entry(folder.pin_snapshot(number, self._desk.host.sequence))

    def _pinned_model(self, model: Served) -> Entry:
        return StartShadow(self._desk.folder.pin(model, self._desk.host.sequence))
