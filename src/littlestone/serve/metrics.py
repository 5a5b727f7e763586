"""Metrics for Prometheus: counts are read from ledgers and books when they are asked for, so that there is no second truth."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, final

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily
from prometheus_client.registry import Collector

if TYPE_CHECKING:
    from prometheus_client.core import Metric

    from littlestone.serve.desk import Desk

_BOUNDS = tuple(m * 10.0**e for e in range(-5, 1) for m in (1.0, 2.5, 5.0))


@final
class Histogram:
    """How long something took."""

    def __init__(self) -> None:
        self._counts = [0] * (len(_BOUNDS) + 1)
        self.total = 0.0

    def note(self, seconds: float) -> None:
        """One more."""
        self._counts[bisect_left(_BOUNDS, seconds)] += 1
        self.total += seconds

    def buckets(self) -> list[tuple[str, float]]:
        """How many took at most so long, as Prometheus has it."""
        shown, below = [], 0
        for bound, count in zip([*map(str, _BOUNDS), "+Inf"], self._counts, strict=True):
            below += count
            shown.append((bound, float(below)))
        return shown


@final
class Meter(Collector):
    """What a server has done since it was started, and what its models are now."""

    def __init__(self, desks: Mapping[str, Desk], clock: Callable[[], float]) -> None:
        self._desks = desks
        self._clock = clock
        self.predictions: Counter[str] = Counter()
        self.rejected: Counter[tuple[str, str]] = Counter()
        self.durations: dict[str, Histogram] = {
            verb: Histogram() for verb in ("predict", "infer", "learn", "feedback", "other")
        }
        self.syncs = {name: Histogram() for name in desks}
        self._registry = CollectorRegistry()
        self._registry.register(self)

    def text(self) -> bytes:
        """In the format that Prometheus reads."""
        return generate_latest(self._registry)

    def describe(self) -> Iterable[Metric]:
        """Nothing is collected at the registration."""
        return ()

    def collect(self) -> Iterator[Metric]:
        """Everything, as it is now."""
        yield from self._models()
        rejected = CounterMetricFamily("littlestone_rejected", "Requests refused, by why.", labels=["model", "reason"])
        for (name, reason), count in self.rejected.items():
            rejected.add_metric([name, reason], count)
        yield rejected
        durations = HistogramMetricFamily("littlestone_request_duration_seconds", "From head to answer.", labels=["verb"])
        for verb, histogram in self.durations.items():
            durations.add_metric([verb], histogram.buckets(), histogram.total)
        yield durations
        syncs = HistogramMetricFamily("littlestone_journal_sync_seconds", "To write and sync a commit.", labels=["model"])
        for name, histogram in self.syncs.items():
            syncs.add_metric([name], histogram.buckets(), histogram.total)
        yield syncs

    def _models(self) -> Iterator[Metric]:
        now = self._clock()
        counters: dict[str, tuple[str, Callable[[str, Desk], float]]] = {
            "learns": ("Rounds in the ledger.", lambda _, desk: desk.host.live.counts()[0]),
            "mistakes": ("Mistakes in the ledger.", lambda _, desk: desk.host.live.counts()[1]),
            "predictions": ("Predictions since the start.", lambda name, _: self.predictions[name]),
            "expired_labels": ("Rows that were given up.", lambda _, desk: desk.host.book.expired),
            "drift_alarms": ("How often the error rate was found to have risen.", lambda _, desk: desk.host.drift.alarms),
        }
        gauges: dict[str, tuple[str, Callable[[str, Desk], float]]] = {
            "pending_labels": ("Rows that wait for their label.", lambda _, desk: desk.host.book.waiting),
            "remembered_ids": ("Predictions remembered for retries.", lambda _, desk: desk.host.book.remembered),
            "snapshot_age_seconds": ("Since the last snapshot.", lambda _, desk: now - desk.snapshot_time),
            "features": ("Features that the model knows.", lambda _, desk: desk.host.live.width),
            "sequence": ("Number of the last record applied.", lambda _, desk: desk.host.sequence),
            "learning": ("1 while learning goes on, 0 when the disk failed.", lambda _, desk: float(desk.stopped is None)),
        }
        for kind, table in ((CounterMetricFamily, counters), (GaugeMetricFamily, gauges)):
            for key, (words, value) in table.items():
                family = kind(f"littlestone_{key}", words, labels=["model"])
                for name, desk in self._desks.items():
                    family.add_metric([name], value(name, desk))
                yield family
