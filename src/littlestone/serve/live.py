"""What the live page shows: the state of a model now, and how it came to it, as events that a browser listens to."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import msgspec

from littlestone.serve.desk import Desk
from littlestone.serve.errors import unavailable
from littlestone.theory.certificate import Certificate
from littlestone.theory.risk import anytime_bound

if TYPE_CHECKING:
    from uvicorn._types import ASGISendCallable

    from littlestone.serve.metrics import Meter

DELTA = 0.05
SECONDS = 1.0
"""Between two events."""

LISTENERS = 100
"""Pages that may listen to a model at a time."""

_POINTS = 300
_PROOF_SECONDS, _LONGEST_PROOF_SECONDS = 5.0, 30.0
_PROOF_SHARE = 0.005
"""Of the time that certificates may take: nobody is answered meanwhile, and it must not be one request in a hundred."""
_encode = msgspec.json.Encoder().encode


@final
@dataclass(frozen=True, slots=True)
class Point:
    """A moment of the run."""

    rounds: int
    error: float
    lower: float
    upper: float
    measured: float
    """What a theorem bounds, or the loss where none bounds anything yet."""
    bound: float | None
    theorem: str | None
    quantity: str


@final
class Live:
    """Watches one model."""

    def __init__(self, name: str, desk: Desk, meter: Meter, *, iid: bool = False) -> None:
        self._iid = iid
        self._name, self._desk, self._meter = name, desk, meter
        self.points: list[Point] = []
        self.stopping = asyncio.Event()
        self._listeners = 0
        self._seen: tuple[int, int, float] = (desk.host.live.counts()[0], 0, time.monotonic())
        self._rates = (0.0, 0.0)
        self._proof: tuple[float, int, list[Certificate]] = (-math.inf, -1, [])
        self._good_for = _PROOF_SECONDS

    def certificates(self, *, at_most: float | None = None) -> list[Certificate]:
        """What can be proved; what was found is good for so many seconds, for to find it may take a while."""
        at, version, found = self._proof
        if version != self._desk.host.sequence and time.monotonic() - at > (self._good_for if at_most is None else at_most):
            begun = time.thread_time()
            found = self._desk.host.live.certificates(iid=self._iid)
            taken = time.thread_time() - begun if version >= 0 else 0.0  # the first time, theorems are loaded
            self._good_for = min(max(_PROOF_SECONDS, taken / _PROOF_SHARE), _LONGEST_PROOF_SECONDS)
            self._proof = (time.monotonic(), self._desk.host.sequence, found)
        return found

    def tick(self) -> None:
        """Notes a moment; called about once a second."""
        rounds, mistakes = self._desk.host.live.counts()
        predictions, now = self._meter.predictions[self._name], time.monotonic()
        past = max(now - self._seen[2], 1e-3)
        learned = max(0, rounds - self._seen[0])  # another model in the place may have seen fewer
        self._rates = (learned / past, (predictions - self._seen[1]) / past)
        self._seen = (rounds, predictions, now)
        if rounds and (not self.points or self.points[-1].rounds != rounds):
            self.points.append(self._point(rounds, mistakes))
            if len(self.points) > _POINTS:  # a point in two is kept, and the last
                self.points = [*self.points[:-1:2], self.points[-1]]

    def _point(self, rounds: int, mistakes: int) -> Point:
        upper = anytime_bound(mistakes, rounds, DELTA / 2.0)
        lower = 1.0 - anytime_bound(rounds - mistakes, rounds, DELTA / 2.0)
        error, chosen = mistakes / rounds, self._followed()
        if chosen is not None:
            return Point(rounds, error, lower, upper, chosen.measured, chosen.bound, chosen.id, chosen.quantity)
        loss = self._desk.host.live.ledger().get("loss")
        total = float(loss) if isinstance(loss, int | float) else 0.0
        return Point(rounds, error, lower, upper, total, None, None, "loss")

    def _followed(self) -> Certificate | None:
        """A certificate with both sides: the one that was followed before, for a curve is about one thing, or the first."""
        whole = [c for c in self.certificates() if math.isfinite(c.measured) and math.isfinite(c.bound)]
        before = self.points[-1].theorem if self.points else None
        return next((c for c in whole if c.id == before), whole[0] if whole else None)

    def status(self) -> dict[str, object]:
        """Everything but the curves."""
        host = self._desk.host
        rounds, mistakes = host.live.counts()
        return {
            "model": self._name,
            "rule": host.live.rule,
            "model_version": host.sequence,
            "rounds": rounds,
            "mistakes": mistakes,
            "features": host.live.width,
            "waiting": host.book.waiting,
            "expired": host.book.expired,
            "queued": self._desk.queued,
            "learns_per_second": self._rates[0],
            "predictions_per_second": self._rates[1],
            "snapshot": self._desk.snapshot_at,
            "snapshot_age": max(0.0, time.time() - self._desk.snapshot_time),
            "stopped": self._desk.stopped,
            "drift": {"alarms": host.drift.alarms, "last": host.drift.last},
            "shadow": self._shadow(),
            "certificates": [_short(certificate) for certificate in self.certificates()],
        }

    def _shadow(self) -> Mapping[str, object] | None:
        host = self._desk.host
        if host.shadow is None:
            return None if host.shadow_failed is None else {"failed": host.shadow_failed}
        paired = host.paired
        between = None if host.live.targets else list(paired.between())
        return {
            "rule": host.shadow.rule,
            **msgspec.structs.asdict(paired),
            "evidence": paired.evidence,
            "difference": between,
        }

    async def stream(self, send: ASGISendCallable) -> None:
        """Sends events until nobody listens any more or the server stops; the first has all the points."""
        if self._listeners >= LISTENERS:
            raise unavailable(f"{LISTENERS} pages listen to this model already")
        headers = [(b"content-type", b"text/event-stream"), (b"cache-control", b"no-store")]
        await send({"type": "http.response.start", "status": 200, "headers": headers, "trailers": False})
        self._listeners += 1
        try:
            await self._send_events(send)
        finally:
            self._listeners -= 1

    async def _send_events(self, send: ASGISendCallable) -> None:
        alarms, after = self._desk.host.drift.alarms, -1
        while not self.stopping.is_set():
            fresh = [point for point in self.points if point.rounds > after] if self.points else []
            if self.points and self.points[-1].rounds < after:  # rolled back: the curve begins anew
                fresh = list(self.points)
            after = self.points[-1].rounds if self.points else after
            message = _event("status", self.status() | {"points": fresh})
            if self._desk.host.drift.alarms != alarms:
                alarms = self._desk.host.drift.alarms
                message += _event("drift", self._desk.host.drift.last)
            await send({"type": "http.response.body", "body": message, "more_body": True})
            try:
                await asyncio.wait_for(self.stopping.wait(), SECONDS)
            except TimeoutError:
                continue
        await send({"type": "http.response.body", "body": b"", "more_body": False})


def _event(name: str, value: object) -> bytes:
    return b"event: " + name.encode() + b"\ndata: " + _encode(value) + b"\n\n"


def _short(certificate: Certificate) -> dict[str, object]:
    told = certificate.to_dict()
    return {key: told[key] for key in ("id", "verdict", "quantity", "measured", "bound", "formula", "source")}
