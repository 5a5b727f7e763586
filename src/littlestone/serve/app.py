"""The server as an ASGI application: who asks, for what, and the one sentence if it is refused."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import TYPE_CHECKING, NamedTuple, final

from littlestone import _core
from littlestone.errors import LittlestoneError
from littlestone.serve.errors import RefusalError, unknown
from littlestone.serve.host import Reply
from littlestone.serve.http import FAILED, DisconnectedError, Head, Request, Response, as_json, body_of, refused, send_response
from littlestone.serve.live import Live
from littlestone.serve.metrics import Histogram, Meter
from littlestone.serve.page import PAGES, page
from littlestone.serve.tokens import Right
from littlestone.serve.verbs import Quick, Verbs

if TYPE_CHECKING:
    from uvicorn._types import ASGIReceiveCallable, ASGISendCallable, Scope

    from littlestone.serve.access import AccessLog
    from littlestone.serve.desk import Desk
    from littlestone.serve.requests import Caps
    from littlestone.serve.tokens import Tokens

EXTENSIONS = [
    "binary_tensor_data", "littlestone.rows", "littlestone.learn", "littlestone.feedback", "littlestone.ledger",
    "littlestone.certificates", "littlestone.snapshot", "littlestone.shadow", "littlestone.events",
]  # fmt: skip
_LOOPBACK = (b"localhost", b"127.0.0.1", b"[::1]")
_READING = ("predict", "infer")
_logger = logging.getLogger("uvicorn.error")


@final
class Quickly(NamedTuple):
    """A verb of a model that is answered without a task, the right that it needs, and where its time is noted."""

    verb: Quick
    right: Right
    durations: Histogram


@final
class Asking:
    """Whoever waits for the answer of a quick verb, which is given once: at once, or when it is on the disk."""

    __slots__ = ("_app", "_begun", "_durations", "_send", "request", "who")

    def __init__(self, app: App, quickly: Quickly, request: Request, send: Callable[[Response], None]) -> None:
        self._app, self._durations, self._send = app, quickly.durations, send
        self.request, self.who = request, "-"
        self._begun = time.perf_counter()

    def may_learn(self) -> None:
        """Whatever is written needs the right to learn, by whichever verb it comes."""
        self._app.admitted(self.request, "learn")

    def settle(self, outcome: Reply | LittlestoneError) -> None:
        """Answers with what came of it."""
        if isinstance(outcome, LittlestoneError):
            self.answer(self._app.refusal(self.request, outcome))
        else:
            self.answer(as_json(outcome))

    def answer(self, response: Response) -> None:
        """Answers, and notes it."""
        self._durations.note(time.perf_counter() - self._begun)
        self._app.note(self.request, response.status, self.who)
        self._send(response)


@final
class App:
    """Answers requests.

    Args:
        desks: the models by their names.
        tokens: who may do what; without any, only names of this machine are answered to.
        caps: what one request may bring.
        access: where it is noted who asked for what; never a row.
        iid: whether the rows are declared independent and from one distribution.
    """

    def __init__(
        self,
        desks: Mapping[str, Desk],
        tokens: Tokens,
        caps: Caps,
        access: AccessLog | None = None,
        *,
        iid: bool = False,
    ) -> None:
        self._desks = desks
        self._tokens = tokens
        self._access = access
        self.meter = Meter(desks, time.time)
        self.live = {name: Live(name, desk, self.meter, iid=iid) for name, desk in desks.items()}
        self._verbs = {name: Verbs(name, desk, caps, self.meter, self.live[name]) for name, desk in desks.items()}
        self.largest_body = caps.body
        self.quick = {
            f"/v2/models/{name}/{verb}".encode(): Quickly(
                quick, "read" if verb in _READING else "learn", self.meter.durations[verb]
            )
            for name, verbs in self._verbs.items()
            for verb, quick in verbs.quick.items()
        }
        """By path, what is answered without a task."""
        self.heads: dict[bytes, Head] = {}
        """By their bytes, the heads of such requests that were read before."""
        self._welcome: tuple[bytes | None, bytes | None] = (None, None)
        for name, desk in desks.items():
            desk.on_sync = self.meter.syncs[name].note

    async def __call__(self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable) -> None:
        """One request."""
        assert scope["type"] == "http"
        begun = time.perf_counter()
        request = Request(scope["method"], scope["path"], scope["headers"])
        who, streams = "-", request.parts[-1] == "events" and request.method == "GET"
        try:
            who = self._who(request)
            if streams:
                live = self._of(request)
                self.note(request, 200, who)
                await live.stream(send)
                return
            quickly = self.quick.get(request.path.encode()) if request.method == "POST" else None
            if quickly is not None:
                body = await body_of(request, receive, self.largest_body)
                await send_response(send, await self._answer_slowly(quickly, request, body))
                return
            response = await self._answer(request, receive)
        except LittlestoneError as error:
            response = self.refusal(request, error)
        except DisconnectedError:
            return
        except Exception:  # a bug: it is answered as everything else is, and the log says the rest
            if streams:
                raise
            _logger.exception("a request failed")
            response = FAILED
        await send_response(send, response)
        self.meter.durations["other"].note(time.perf_counter() - begun)
        self.note(request, response.status, who)

    def answer_quickly(self, head: Head, body: bytes, send: Callable[[Response], None]) -> None:
        """Answers one of the quick verbs through `send`: at once, or when it is on the disk."""
        quickly = head.quickly
        asking = Asking(self, quickly, head.request, send)
        try:
            asking.who = self.admitted(head.request, quickly.right)
            response = quickly.verb(asking, body)
        except LittlestoneError as error:
            response = self.refusal(head.request, error)
        if response is not None:
            asking.answer(response)

    async def _answer_slowly(self, quickly: Quickly, request: Request, body: bytes) -> Response:
        """The answer of one of the quick verbs, to be waited for."""
        answer: asyncio.Future[Response] = asyncio.get_running_loop().create_future()

        def send(response: Response) -> None:
            if not answer.done():
                answer.set_result(response)

        self.answer_quickly(Head(request, quickly, len(body), ends=False), body, send)
        return await answer

    def _who(self, request: Request) -> str:
        """The name of whoever asks; the health of a server, and a page without data, are everybody's."""
        if _guarded(request):
            return self.admitted(request, _right(request))
        self._check_origin(request)
        return "-"

    def admitted(self, request: Request, right: Right) -> str:
        """The name of whoever asks.

        Raises:
            RefusalError: if it is nobody who may.
        """
        self._check_origin(request)
        return self._tokens.name(request.headers.get(b"authorization"), right) if self._tokens else "-"

    def refusal(self, request: Request, error: LittlestoneError) -> Response:
        """The sentence that a request is refused with; it is counted."""
        reason = error.reason if isinstance(error, RefusalError) else "unfit"
        self.meter.rejected[self._model(request), reason] += 1
        return refused(error)

    async def _answer(self, request: Request, receive: ASGIReceiveCallable) -> Response:
        parts, method = request.parts, request.method
        if len(parts) >= 3 and parts[:2] == ["v2", "models"]:
            verbs, rest = self._verbs.get(parts[2]), parts[3:]
            if verbs is None:
                raise unknown(f"there is no model {parts[2][:64]!r}; there are {', '.join(self._desks)}")
            if rest[:1] == ["versions"] and len(rest) > 1:  # only one version is there: the last
                rest = rest[2:]
            body = b"" if method in ("GET", "HEAD") else await body_of(request, receive, self.largest_body)
            if len(rest) == 1 and method == "POST" and rest[0] in verbs.quick:  # of a version
                quickly = self.quick[f"/v2/models/{parts[2]}/{rest[0]}".encode()]
                return await self._answer_slowly(quickly, request, body)
            return await verbs.answer(request, tuple(rest), body)
        if method not in ("GET", "HEAD"):
            sentence = f"{method} {request.path[:64]} is not offered; GET may be"
            raise RefusalError(HTTPStatus.METHOD_NOT_ALLOWED, "method", sentence)
        return self._about(request)

    def _about(self, request: Request) -> Response:
        """The server itself."""
        match request.parts:
            case ["v2"] | ["v2", ""]:
                models = list(self._desks)
                return as_json({"name": "littlestone", "version": _core.version(), "extensions": EXTENSIONS, "models": models})
            case ["v2", "health", "live"]:
                return as_json({"live": True})
            case ["v2", "health", "ready"]:
                ready = all(desk.stopped is None for desk in self._desks.values())
                return as_json({"ready": ready}, 200 if ready else 503)
            case ["metrics"]:
                return Response(200, self.meter.text(), b"text/plain; version=0.0.4; charset=utf-8")
            case [name] if name in PAGES:
                return page(name)
        raise unknown(f"there is nothing at {request.path[:64]!r}; GET /v2 says what there is")

    def _of(self, request: Request) -> Live:
        live = self.live.get(self._model(request))
        if live is None or len(request.parts) != 4:
            raise unknown(f"there is nothing at {request.path[:64]!r}; there are the models {', '.join(self._desks)}")
        return live

    def _model(self, request: Request) -> str:
        name = request.parts[2] if len(request.parts) > 2 and request.parts[1] == "models" else ""
        return name if name in self._desks else ""

    def _check_origin(self, request: Request) -> None:
        """A page of another site must not have a browser on this machine learn for it."""
        host, origin = request.headers.get(b"host", b""), request.headers.get(b"origin")
        if (host, origin) == self._welcome:
            return
        if origin is not None and origin.partition(b"://")[2] != host:
            raise RefusalError(HTTPStatus.FORBIDDEN, "origin", "the request comes from a page of another site; it is refused")
        name = host.rpartition(b":")[0] if not host.endswith(b"]") and b":" in host else host
        if not self._tokens and name and name not in _LOOPBACK:
            sentence = "without a token the server answers to localhost, 127.0.0.1 and [::1] only"
            raise RefusalError(HTTPStatus.FORBIDDEN, "origin", sentence)
        self._welcome = (host, origin)

    def flush(self) -> None:
        """Writes what was noted of requests."""
        if self._access is not None:
            self._access.flush()

    def note(self, request: Request, status: int, who: str) -> None:
        """Notes who asked for what."""
        if self._access is not None:
            self._access.note(request.method, request.path, status, who)


def _guarded(request: Request) -> bool:
    return request.parts[:2] != ["v2", "health"] and not (len(request.parts) == 1 and request.parts[0] in PAGES)


def _right(request: Request) -> Right:
    reading = request.method in ("GET", "HEAD") or request.parts[-1] in _READING
    return "read" if reading else "learn"
