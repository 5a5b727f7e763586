"""`littlestone learn`: files in, a model, predictions and certificates out."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, final

import numpy as np
from rich.console import Console

from littlestone.cli.text import print_certificate
from littlestone.learner import Learner
from littlestone.streams.files import Reader
from littlestone.theory import certify
from littlestone.theory.evidence import Comparison

if TYPE_CHECKING:
    from littlestone.ledger import Ledger
    from littlestone.theory import Certificate

_SHOWN = 3


@final
@dataclass(frozen=True)
class Output:
    """What a run leaves behind."""

    model: str | None
    predictions: str | None
    as_json: bool
    quiet: bool


@final
class Progress:
    """A line whenever the number of examples has doubled: error so far and since the last line."""

    def __init__(self, console: Console, *, labels: bool) -> None:
        self._console = console
        self._labels = labels
        self._next = 1
        self._last: tuple[int, float] = (0, 0.0)
        self.curve: list[tuple[int, float]] = []
        measure = "error" if labels else "loss"
        console.print(f"{'examples':>12} {measure:>12} {'since last':>12} {'updates':>12}", style="dim", highlight=False)

    def after(self, ledger: Ledger, *, last: bool = False) -> None:
        """Prints a line if it is time, or if it is the last."""
        rounds, _ = self._last
        if ledger.rounds == rounds or (ledger.rounds < self._next and not last):
            return
        total = float(ledger.mistakes) if self._labels else ledger.loss
        lately = (total - self._last[1]) / (ledger.rounds - rounds)
        line = f"{ledger.rounds:>12,} {total / ledger.rounds:>12.6f} {lately:>12.6f} {ledger.updates:>12,}"
        self._console.print(line, highlight=False)
        self.curve.append((ledger.rounds, total / ledger.rounds))
        self._last, self._next = (ledger.rounds, total), 2 * ledger.rounds


def learn(
    learner: Learner,
    readers: list[Reader],
    *,
    passes: int,
    compare: bool,
    iid: bool,
    output: Output,
    ignore_weights: bool = False,
) -> None:
    """Learns the files in order, as many times as there are passes, and says what came of it."""
    console = Console(stderr=True, quiet=output.quiet)
    progress = Progress(console, labels="labels" in learner.rule.learns())
    begin = time.perf_counter()
    done = _learn_passes(learner, readers, passes, progress, output.predictions, ignore_weights=ignore_weights)
    progress.after(learner.ledger, last=True)
    seconds = time.perf_counter() - begin
    if output.model is not None:
        learner.save(output.model)
    certificates = _certificates(learner, readers, done, compare=compare, iid=iid)
    skipped = sum(reader.skipped for reader in readers)
    if output.as_json:
        print(json.dumps(_summary(learner, certificates, seconds, done, skipped)))
        return
    console.print(f"\n{learner.ledger}, {seconds:.2f} s", highlight=False)
    for reader in readers:
        for bad in reader.bad_lines[:_SHOWN]:
            console.print(f"skipped: {bad}", style="yellow", highlight=False, markup=False)
    if skipped:
        console.print(f"{skipped:,} malformed lines skipped", style="yellow", highlight=False)
    for certificate in certificates:
        print_certificate(console, certificate)


def _learn_passes(
    learner: Learner,
    readers: list[Reader],
    passes: int,
    progress: Progress,
    predictions: str | None,
    *,
    ignore_weights: bool,
) -> int:
    """Learns until the passes are done or one makes no update; returns how many there were."""
    keep = () if predictions is None else ("score",)
    with _writing(predictions) as file:
        for done in range(1, passes + 1):
            before = learner.ledger.updates
            if done > 1:
                learner.next_pass()
            for reader in readers:
                for X, y in reader:
                    weights = np.ones(len(X)) if ignore_weights else None
                    columns = learner.learn_many(X, y, weights, keep=keep)
                    progress.after(learner.ledger)
                    if file is not None and done == 1:
                        write_predictions(file, learner, columns["score"].astype(np.float64))
            if learner.ledger.updates == before:
                return done
    return passes


def write_predictions(file: IO[str], learner: Learner, scores: np.ndarray[tuple[int, ...], np.dtype[np.float64]]) -> None:
    """A line a row: the label and the score, or the score alone where the learner learns targets."""
    if "labels" not in learner.rule.learns():
        file.writelines(f"{score:.9g}\n" for score in scores)
        return
    labels = learner.label_values(np.where(scores < 0, -1, 1).astype(np.int8))
    shown = (f"{label:g}" if isinstance(label, float) else str(label) for label in labels.tolist())
    file.writelines(f"{label}\t{score:.9g}\n" for label, score in zip(shown, scores.tolist(), strict=True))


@contextmanager
def _writing(path: str | None) -> Iterator[IO[str] | None]:
    if path is None:
        yield None
        return
    with Path(path).open("w", encoding="utf-8") as file:
        yield file


def _certificates(learner: Learner, readers: list[Reader], passes: int, *, compare: bool, iid: bool) -> list[Certificate]:
    """The risk bound where the rows were declared i.i.d., and what can be proved against the averaged weights."""
    found = [learner.ledger.risk_bound()] if iid and passes == 1 and "labels" in learner.rule.learns() else []
    if not compare:
        return found
    mean = learner.averaged().state.w
    fixed = learner.with_weights(mean)
    for _ in range(passes):
        for reader in readers:
            for X, y in reader:
                fixed.learn_many(X, y)
    return found + certify(learner, against=Comparison(mean, fixed.ledger))[:_SHOWN]


def _summary(learner: Learner, certificates: list[Certificate], seconds: float, passes: int, skipped: int) -> dict[str, object]:
    return {
        "rule": learner.rule.name(),
        "ledger": learner.ledger.to_dict(),
        "passes": passes,
        "seconds": seconds,
        "skipped": skipped,
        "certificates": [certificate.to_dict() for certificate in certificates],
    }
