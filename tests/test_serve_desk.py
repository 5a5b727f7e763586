"""The desk over disks that are full or fail, with requests on their way to one another; alarms of drift; the vendored files."""

from __future__ import annotations

import asyncio
import hashlib
import math
from collections.abc import Awaitable, Callable, Coroutine
from http import HTTPStatus
from pathlib import Path

import numpy as np
import pytest

import littlestone as ls
from littlestone.serve.desk import Desk
from littlestone.serve.drift import Drift, Trial
from littlestone.serve.entries import Entry, Feedback, Learn, Limits, Predict, Row
from littlestone.serve.errors import RefusalError
from littlestone.serve.folder import Folder
from littlestone.serve.host import Reply
from littlestone.serve.models import ServedLearner
from littlestone.serve.paired import Paired
from power import SimulatedDisk
from test_serve_host import same


def with_desk(path: Path, work: Callable[[Desk], Coroutine[None, None, None]], *, disk: SimulatedDisk | None = None) -> None:
    """Runs some work at a desk, over a simulated disk if one is given."""

    async def run() -> None:
        folder = Folder(path)
        if not folder.snapshots():
            folder.begin(ServedLearner(ls.Learner(ls.Perceptron())))
        host, _ = folder.restore()
        real = folder.disk
        if disk is not None:
            folder.__dict__["disk"] = disk
        desk = Desk(folder, host, segment=2048, keep_journal=True)
        folder.disk = real
        await work(desk)
        await desk.close()

    asyncio.run(run())


async def answer(desk: Desk, entry: Entry) -> Reply:
    return await desk.submitted(entry)


async def settled(*replies: Awaitable[Reply]) -> list[Reply | BaseException]:
    return await asyncio.gather(*replies, return_exceptions=True)


def versions(replies: list[Reply | BaseException]) -> list[int | HTTPStatus]:
    """The number of each record, or the status of a refusal."""
    return [r.status if isinstance(r, RefusalError) else getattr(r, "model_version", 422) for r in replies]


def test_requests_on_their_way_are_decided_in_their_order(tmp_path: Path) -> None:
    async def work(desk: Desk) -> None:
        row: Row = {"a": 1.0}
        together = await settled(
            answer(desk, Learn(row, "x", key="k")),
            answer(desk, Learn(row, "x", key="k")),
            answer(desk, Learn(row, "y", key="k")),
            answer(desk, Predict(row, "p")),
            answer(desk, Feedback("p", "y")),
            answer(desk, Feedback("p", "y")),
            answer(desk, Feedback("p", "x")),
            answer(desk, Learn(row, "a third label")),
        )
        assert versions(together) == [1, 1, 422, 4, 5, 5, 409, 422]
        assert "third" in str(together[7])
        assert desk.host.live.counts()[0] == 2
        assert desk.host.sequence == 8
        assert desk.queued == 0
        assert await desk.snapshot() == 8

    with_desk(tmp_path / "m", work)
    again, _ = Folder(tmp_path / "m").restore()
    assert (again.sequence, again.live.counts()[0]) == (8, 2)


def test_an_answer_that_cannot_be_given_keeps_nobody_else_from_theirs(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def work(desk: Desk) -> None:
        def broken(_: object) -> None:
            raise ValueError("the connection is not what it was")

        first, between, second = answer(desk, Learn({"a": 1.0}, "x")), Learn({"a": 1.0}, "y"), Learn({"a": 2.0}, "x")
        waiting = asyncio.ensure_future(first)
        await asyncio.sleep(0)
        assert desk.submit(between, broken) is None
        assert versions(await settled(waiting, answer(desk, second))) == [1, 3]
        assert [record.message for record in caplog.records] == ["an answer could not be given"]
        assert desk.host.live.counts()[0] == 3

    with_desk(tmp_path / "m", work)


def test_a_full_disk_refuses_and_goes_on_when_there_is_room(tmp_path: Path) -> None:
    disk = SimulatedDisk(room=4096)

    async def work(desk: Desk) -> None:
        taken = 0
        for number in range(200):
            (reply,) = await settled(answer(desk, Learn({"a": float(number)}, number % 2)))
            if isinstance(reply, BaseException):
                break
            taken = reply.model_version
        assert versions([reply]) == [HTTPStatus.SERVICE_UNAVAILABLE]
        assert "no room for another segment" in str(reply)
        assert 0 < taken < 200
        assert desk.stopped is None
        assert desk.host.live.predict({"a": 1.0}) in (0, 1)
        assert desk.host.live.counts()[0] == taken
        disk.room = None
        assert (await answer(desk, Learn({"a": 1.0}, 1))).model_version == taken + 1

    with_desk(tmp_path / "m", work, disk=disk)


def test_a_sync_that_fails_stops_learning_for_good(tmp_path: Path) -> None:
    disk = SimulatedDisk()

    async def work(desk: Desk) -> None:
        assert (await answer(desk, Learn({"a": 1.0}, 1))).model_version == 1
        disk.broken_syncs = True
        failed = await settled(*(answer(desk, Learn({"a": 1.0}, 1)) for _ in range(3)))
        assert versions(failed) == [503, 503, 503]
        disk.broken_syncs = False
        with pytest.raises(RefusalError, match=r"the disk failed \(Input/output error\); nothing is learned until"):
            await answer(desk, Learn({"a": 1.0}, 1))
        assert desk.host.live.counts()[0] == 1
        assert desk.host.live.predict({"a": 1.0}) == 1

    with_desk(tmp_path / "m", work, disk=disk)


def test_limits_that_changed_are_the_first_thing_written(tmp_path: Path) -> None:
    async def limited() -> None:
        folder = Folder(tmp_path / "m")
        folder.begin(ServedLearner(ls.Learner(ls.Perceptron())))
        host, _ = folder.restore()
        desk = Desk(folder, host, limits=Limits(waiting=1))
        await answer(desk, Predict({"a": 1.0}, "first"))
        await answer(desk, Predict({"a": 1.0}, "second"))
        await answer(desk, Learn({"a": 1.0}, 1))
        assert (desk.host.sequence, desk.host.book.waiting) == (4, 1)
        await desk.close()

    asyncio.run(limited())
    again, _ = Folder(tmp_path / "m").restore()
    assert again.book.limits == Limits(waiting=1)
    assert again.book.find("second") is not None


def test_a_snapshot_while_learning_goes_on_is_of_one_moment(tmp_path: Path) -> None:
    async def work(desk: Desk) -> None:
        for burst in range(5):
            learns = [answer(desk, Learn({f"f{k}": 1.0}, k % 2)) for k in range(40)]
            together = await asyncio.gather(desk.snapshot(), *learns)
            assert isinstance(together[0], int)
            assert 40 * burst <= together[0] <= 40 * (burst + 1)

    with_desk(tmp_path / "m", work)
    folder = Folder(tmp_path / "m")
    host, _ = folder.restore()
    oracle = ServedLearner(ls.Learner(ls.Perceptron()))
    for _ in range(5):
        for k in range(40):
            oracle.learn({f"f{k}": 1.0}, k % 2)
    assert same(host.live, oracle)


# Drift.


def alarms(rates: list[float], seed: int, block: int = 64) -> Drift:
    """The watch over a stream with a rate of mistakes that changes."""
    rng = np.random.default_rng(seed)
    watch, rounds, mistakes = Drift(), 0, 0
    for rate in rates:
        rounds += block
        mistakes += int(rng.binomial(block, rate))
        watch.note(rounds, mistakes)
    return watch


def test_an_alarm_is_ever_false_as_seldom_as_it_says() -> None:
    """On 60 streams of 19,200 rounds that do not get worse: 1 % of them, and what chance adds to it."""
    raised = sum(alarms([0.2 if k % 2 else 0.25] * 300, seed=k).alarms > 0 for k in range(60))
    assert raised <= 4  # 0.6 are expected at most; more than 4 has probability below 0.001


def test_a_learner_that_gets_better_raises_no_alarm_and_one_that_gets_worse_does() -> None:
    better = [0.5 - 0.4 * k / 500 for k in range(500)]
    assert alarms(better, seed=0).alarms == 0
    worse = alarms([*better, *[0.25] * 100], seed=0)
    assert worse.alarms == 1
    assert worse.last is not None
    assert worse.last.before < 0.25
    assert 500 * 64 < worse.last.rounds <= 600 * 64
    assert alarms([*[0.01] * 500, *[0.05] * 50], seed=1).alarms == 1


def test_the_capital_of_a_trial_by_hand() -> None:
    """One mistake in one round against a ceiling of one half: the mean of q/c over the twelve q."""
    trial = Trial(0, 0, 0.5, 1.0)
    ratios = [(0.5 + 0.5 * 2.0**-k) / 0.5 for k in range(1, 13)]
    assert trial.capital(1, 1) == pytest.approx(math.log(sum(ratios) / 12.0), abs=1e-12)
    assert trial.capital(1, 0) == pytest.approx(math.log(sum(2.0 - r for r in ratios) / 12.0), abs=1e-12)
    # Under the ceiling the expected capital is 1: the bets are fair.
    assert 0.5 * math.exp(trial.capital(1, 1)) + 0.5 * math.exp(trial.capital(1, 0)) == pytest.approx(1.0, abs=1e-12)


def test_the_evidence_of_a_pair_is_a_fair_bet() -> None:
    """The mean of the capital over all coin tosses is 1 at every length."""
    for n in range(1, 9):
        total = 0.0
        for k in range(n + 1):
            pair = Paired(rounds=n, live_better=n - k, shadow_better=k)
            total += math.comb(n, k) / 2.0**n * pair.evidence
        assert total == pytest.approx(1.0, abs=1e-12)


def test_vendored_files_are_what_they_were() -> None:
    folder = Path(ls.__file__).parent / "serve" / "vendor" / "uplot"
    listed = [line.split() for line in (folder / "VERSION").read_text().splitlines() if len(line.split("  ")) == 2]
    assert {name for _, name in listed} | {"LICENSE", "VERSION"} == {path.name for path in folder.iterdir()}
    for checksum, name in listed:
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == checksum
