"""Files out: whole or not at all, never in place of what is no file, and nothing left behind."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

import littlestone as ls
from littlestone import outputs


def learned(rows: int = 20) -> ls.Learner:
    learner = ls.Learner(ls.Perceptron(), labels=("a", "b"))
    learner.learn_many([{f"name{k}": 1.0} for k in range(rows)], ["a", "b"] * (rows // 2))
    return learner


def code(text: str, *args: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", text, *map(str, args)], capture_output=True, text=True, check=False)


# What is no plain file.


def test_a_symbolic_link_stays_and_its_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "store").mkdir()
    link, real = tmp_path / "m.lst", tmp_path / "store" / "real.lst"
    link.symlink_to("store/real.lst")
    for _ in range(2):  # the first time it points to nothing
        learned().save(link)
        assert link.is_symlink()
        assert ls.load(link).ledger == ls.load(real).ledger
    assert [path.name for path in (tmp_path / "store").iterdir()] == ["real.lst"]


def test_a_pipe_is_written_into(tmp_path: Path) -> None:
    pipe, copy = tmp_path / "pipe", tmp_path / "copy.lst"
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: copy.write_bytes(pipe.read_bytes()))
    reader.start()
    learned().save(pipe)
    reader.join()
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert ls.load(copy).ledger == learned().ledger


def test_a_device_stays_a_device(tmp_path: Path) -> None:
    device = tmp_path / "device"
    try:
        os.mknod(device, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
    except PermissionError:
        device = Path("/dev/null")
    learned().save(device)
    assert stat.S_ISCHR(device.stat().st_mode)


def test_a_disk_or_a_socket_is_refused(tmp_path: Path) -> None:
    import socket

    with socket.socket(socket.AF_UNIX) as there:
        there.bind(str(tmp_path / "s"))
        with pytest.raises(OSError, match="neither a file nor a pipe"):
            learned().save(tmp_path / "s")
    assert stat.S_ISSOCK((tmp_path / "s").stat().st_mode)


# Rights.


def test_a_file_that_nobody_may_write_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "m.lst"
    learned().save(path)
    before = path.read_bytes()
    path.chmod(0o444)
    with pytest.raises(PermissionError, match=r"m\.lst"):
        learned(40).save(path)
    with pytest.raises(PermissionError, match=r"m\.lst"):
        outputs.check_writable(path)
    assert path.read_bytes() == before


def test_the_rights_of_the_old_file_are_kept_and_a_new_one_follows_the_umask(tmp_path: Path) -> None:
    old, new = tmp_path / "old.lst", tmp_path / "new.lst"
    old.touch()
    old.chmod(0o640)
    mask = os.umask(0o027)
    try:
        learned().save(old)
        learned().save(new)
    finally:
        os.umask(mask)
    assert [stat.S_IMODE(path.stat().st_mode) for path in (old, new)] == [0o640, 0o640]


@pytest.mark.parametrize(("target", "words"), [("", "directory"), ("none/m.lst", "there is no such directory")])
def test_what_cannot_be_written_later_is_refused_now(tmp_path: Path, target: str, words: str) -> None:
    with pytest.raises(OSError, match=words):
        outputs.check_writable(tmp_path / target)


def test_a_check_leaves_nothing(tmp_path: Path) -> None:
    outputs.check_writable(tmp_path / "m.lst")
    assert list(tmp_path.iterdir()) == []


# Failures.


@pytest.mark.parametrize("step", ["write", "fsync", "replace"])
def test_a_failure_at_any_step_leaves_the_old_file_and_names_it(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "m.lst"
    learned().save(path)
    before = path.read_bytes()

    def fail(*_: object) -> int:
        raise OSError(28, "No space left on device")

    owner, name = {"write": (outputs._Named, "write"), "fsync": (os, "fsync"), "replace": (Path, "replace")}[step]
    monkeypatch.setattr(owner, name, fail)
    with pytest.raises(OSError, match="No space left") as failed:
        learned(400).save(path)
    monkeypatch.undo()
    assert step == "write" or failed.value.filename == str(path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["m.lst"]


def test_a_full_disk_names_the_file(tmp_path: Path) -> None:
    """A limit on the size of files fails in the middle of a write, as a full disk does."""
    ended = code(
        "import resource, sys, littlestone as ls\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))\n"
        "learner = ls.Learner(ls.Perceptron(), labels=('a', 'b'))\n"
        "learner.learn_many([{f'name{k}': 1.0} for k in range(5000)], ['a', 'b'] * 2500)\n"
        "try: learner.save(sys.argv[1])\n"
        "except OSError as error: print(error.filename)\n",
        tmp_path / "m.lst",
    )
    assert ended.stdout == f"{tmp_path / 'm.lst'}\n", ended.stderr
    assert list(tmp_path.iterdir()) == []


def test_an_error_of_the_writer_is_its_own(tmp_path: Path) -> None:
    path = tmp_path / "out"

    def write() -> None:
        with outputs.replacing(path) as file:
            file.write(b"half")
            raise BrokenPipeError(32, "Broken pipe")

    with pytest.raises(BrokenPipeError) as broken:
        write()
    assert broken.value.filename is None
    assert list(tmp_path.iterdir()) == []


# Leftovers.

HOLDS = (
    "import sys, time\nfrom littlestone import outputs\n"
    "with outputs.replacing(sys.argv[1]) as file:\n"
    "    file.write(b'x' * 100000)\n    print('there', flush=True)\n    time.sleep(60)\n"
)


def held(path: Path) -> subprocess.Popen[str]:
    writer = subprocess.Popen([sys.executable, "-c", HOLDS, str(path)], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    assert writer.stdout.readline() == "there\n"
    return writer


def temporaries(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if path.suffix == ".tmp"]


def test_what_a_killed_writer_leaves_is_removed_by_the_next_and_what_a_living_one_writes_is_not(tmp_path: Path) -> None:
    killed, living = held(tmp_path / "a"), held(tmp_path / "b")
    try:
        assert len(temporaries(tmp_path)) == 2
        killed.send_signal(signal.SIGKILL)
        killed.communicate()
        outputs.write(tmp_path / "c", [b"content"])
        assert len(temporaries(tmp_path)) == 1
    finally:
        living.kill()
        living.communicate()
    outputs.write(tmp_path / "c", [b"content"])
    assert [path.name for path in tmp_path.iterdir()] == ["c"]


def test_a_name_may_be_as_long_as_the_file_system_takes(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 251 + ".lst")
    learned().save(path)
    assert ls.load(path).ledger == learned().ledger


def test_writers_in_many_threads_do_not_meet(tmp_path: Path) -> None:
    path = tmp_path / "shared"
    texts = [bytes([65 + k]) * 100_000 for k in range(8)]
    threads = [threading.Thread(target=outputs.write, args=(path, [text])) for text in texts for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert path.read_bytes() in texts
    assert temporaries(tmp_path) == []


def test_a_planted_link_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even one who guesses the name of the temporary file gets nothing written through a link of that name."""
    victim = tmp_path / "victim"
    victim.write_text("precious")
    names = iter([b"\0" * 8, b"\1" * 8])
    monkeypatch.setattr(os, "urandom", lambda _: next(names))
    (tmp_path / f".littlestone-{'00' * 8}.tmp").symlink_to("victim")
    with pytest.raises(FileExistsError):
        outputs.write(tmp_path / "out", [b"text"])
    assert victim.read_text() == "precious"
