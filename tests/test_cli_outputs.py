"""What commands write: nobody's file is overwritten, nothing is lost with the terminal, no text moves it."""

from __future__ import annotations

import os
import pty
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import littlestone as ls
from littlestone.cli.main import main

ROWS = b"1 1:1\n-1 2:1\n" * 50


def call(line: str) -> Result:
    """A command in this process, in the folder where it is."""
    result = CliRunner().invoke(main, shlex.split(line)[1:])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def refused(line: str, words: str) -> None:
    result = call(line)
    assert result.exit_code == 1, result.output
    assert words in result.stderr.strip().splitlines()[-1]


def shell(line: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
    """A line for the shell, with streams and a process of its own."""
    command = shlex.join([sys.executable, "-m", "littlestone"])
    return subprocess.run(["bash", "-c", line.replace("littlestone", command)], cwd=folder, capture_output=True, check=False)


def refused_in_shell(line: str, folder: Path, words: str) -> None:
    ended = shell(line, folder)
    message = ended.stderr.decode()
    assert ended.returncode == 1, message
    assert words in message.strip().splitlines()[-1]
    assert "Traceback" not in message


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.svm").write_bytes(ROWS)
    (tmp_path / "g.csv").write_text("1,-1\n-1,1\n")
    (tmp_path / "e.csv").write_text("a,b,y\n" + "1,2,1\n" * 20)
    (tmp_path / "notes.md").write_text("# Notes\n\nThe weights, as they were; kept.\n")
    return tmp_path


# Nobody's file is overwritten.


@pytest.mark.parametrize(
    "line",
    [
        "littlestone learn s.svm --quiet --predictions {}",
        "littlestone learn s.svm --quiet --model {}",
        "littlestone learn s.svm --quiet --report {}",
        "littlestone experts e.csv --truth y --predictions {}",
        "littlestone experts e.csv --truth y --report {}",
        "littlestone solve g.csv --figure {}",
        "littlestone solve g.csv --report {}",
        "littlestone demo --report {}",
    ],
)
def test_no_output_takes_the_place_of_an_input_or_of_something_else(line: str, folder: Path) -> None:
    os.link(folder / "s.svm", folder / "same.svm")
    (folder / "link.svm").symlink_to("s.svm")
    inputs = {"learn": ("s.svm", "same.svm", "link.svm"), "experts": ("e.csv",), "solve": ("g.csv",), "demo": ()}
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    for name in inputs[line.split()[1]]:
        refused(line.format(name), f"{name}, which is read too; choose another name, or say --force")
    refused(line.format("notes.md"), "notes.md, which holds something else")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_what_comes_by_standard_input_is_an_input(folder: Path) -> None:
    refused_in_shell("littlestone learn - --format svmlight --quiet --predictions s.svm < s.svm", folder, "which is read too")
    assert (folder / "s.svm").read_bytes() == ROWS


@pytest.mark.usefixtures("folder")
def test_two_outputs_have_two_names() -> None:
    refused("littlestone learn s.svm --model x --predictions ./x", "--predictions and --model are both ./x")
    assert call("littlestone learn s.svm --quiet --model /dev/null --predictions /dev/null").exit_code == 0


def test_the_same_command_can_be_run_again_and_force_replaces(folder: Path) -> None:
    line = "littlestone learn s.svm --quiet --model m.lst --predictions p.tsv --report r.html"
    for _ in range(2):
        ended = call(line)
        assert ended.exit_code == 0, ended.output
    assert call("littlestone learn s.svm --quiet --model notes.md --force").exit_code == 0
    assert ls.load(folder / "notes.md").ledger.rounds == 100
    assert call("littlestone learn s.svm --quiet --predictions s.svm --force").exit_code == 0
    assert len((folder / "s.svm").read_text().splitlines()) == 100


def test_a_model_that_goes_on_may_be_replaced_by_itself(folder: Path) -> None:
    assert call("littlestone learn s.svm --quiet --model m.lst").exit_code == 0
    assert call("littlestone learn s.svm --quiet --from m.lst --model m.lst").exit_code == 0
    assert ls.load(folder / "m.lst").ledger.rounds == 200
    refused("littlestone learn s.svm --quiet --from m.lst --predictions m.lst", "m.lst, which is read too")


def test_a_model_of_another_kind_is_not_replaced(folder: Path) -> None:
    learn, combine = "littlestone learn s.svm --quiet --model {}", "littlestone experts e.csv --truth y --model {}"
    for _ in range(2):
        assert call(learn.format("learner.lst")).exit_code == 0
        assert call(combine.format("mixture.lst")).exit_code == 0
    before = {path.name: path.read_bytes() for path in folder.glob("*.lst")}
    refused(learn.format("mixture.lst"), "mixture.lst, which holds something else and not the model of a learner")
    refused(combine.format("learner.lst"), "learner.lst, which holds something else and not a mixture of experts")
    assert {path.name: path.read_bytes() for path in folder.glob("*.lst")} == before
    assert call(combine.format("learner.lst") + " --force").exit_code == 0


def test_predictions_of_words_are_known_again(folder: Path) -> None:
    (folder / "w.csv").write_text("a,y\n1,New York\n2,Rome\n3,New York\n4,Rome\n")
    line = "littlestone learn w.csv --rule multiclass-perceptron --quiet --predictions p.txt"
    for _ in range(2):
        assert call(line).exit_code == 0
    assert set((folder / "p.txt").read_text().splitlines()) <= {"", "New York", "Rome"}


# Before the work, and whole.


def test_a_target_that_cannot_be_written_is_noticed_before_a_row_is_read(folder: Path) -> None:
    (folder / "m.lst").touch(mode=0o444)
    (folder / "bad.svm").write_text("no row at all\n")  # whoever read it first would say so
    for target in ("m.lst", "none/m.lst", "."):
        for flag in ("--model", "--predictions", "--report"):
            ended = call(f"littlestone learn bad.svm --quiet {flag} {target}")
            assert ended.exit_code == 1
            assert "no row" not in ended.stderr
            assert "Permission denied" in ended.stderr or "irectory" in ended.stderr


def test_predictions_of_a_run_that_fails_do_not_replace_the_old_ones(folder: Path) -> None:
    (folder / "p.tsv").write_text("1\t0.5\n")
    (folder / "bad.svm").write_bytes(ROWS + b"-1 2:x\n")
    refused("littlestone learn bad.svm --quiet --predictions p.tsv", "bad.svm, line 101")
    assert (folder / "p.tsv").read_text() == "1\t0.5\n"


def test_a_full_disk_names_the_file(folder: Path) -> None:
    refused("littlestone learn s.svm --quiet --model /dev/full", "/dev/full: No space left on device")
    refused_in_shell("littlestone learn s.svm --json > /dev/full", folder, "standard output: No space left on device")
    assert call("littlestone learn s.svm --quiet --model m.lst").exit_code == 0
    refused_in_shell("littlestone predict m.lst s.svm > /dev/full", folder, "standard output: No space left on device")
    assert shell("ulimit -f 1; littlestone learn s.svm --quiet --report r.html", folder).returncode == 1
    assert not (folder / "r.html").exists()


# Closed streams.


@pytest.mark.parametrize("closed", ["2>&1 | head -1", "2>&-", ">&-", ">&- 2>&-", "| true", "2> >(true)"])
def test_no_closed_stream_costs_the_model(closed: str, folder: Path) -> None:
    ended = shell(f"set -o pipefail; littlestone learn s.svm --model x.lst --predictions p.tsv {closed}", folder)
    assert b"Traceback" not in ended.stderr
    assert ended.returncode == 0, ended.stderr
    assert ls.load(folder / "x.lst").ledger.rounds == 100
    assert len((folder / "p.tsv").read_text().splitlines()) == 100


@pytest.mark.parametrize(
    ("line", "code"),
    [("rules >&-", 0), ("rules | head -1", 0), ("--help >&-", 0), ("learn - <&-", 1), ("inspect none.lst 2>&-", 1)],
)
def test_commands_without_their_streams_end_without_a_traceback(line: str, code: int, folder: Path) -> None:
    ended = shell(f"set -o pipefail; littlestone {line}", folder)
    assert ended.returncode == code, ended.stderr
    assert b"Traceback" not in ended.stderr


def test_predictions_that_nobody_reads_end_the_command(folder: Path) -> None:
    (folder / "h.svm").write_bytes(ROWS * 2000)
    assert call("littlestone learn s.svm --quiet --model m.lst").exit_code == 0
    ended = shell("littlestone predict m.lst h.svm | head -1", folder)
    assert ended.stdout.count(b"\n") == 1
    assert ended.stderr == b""


def test_too_little_memory_is_a_sentence(folder: Path) -> None:
    (folder / "wide.svm").write_text("1 2000000000:1\n")
    ended = shell("ulimit -v 4000000; littlestone learn wide.svm --quiet", folder)
    assert ended.returncode == 1
    assert b"Traceback" not in ended.stderr
    assert b"memory" in ended.stderr


# Texts.


def on_a_terminal(line: str, folder: Path) -> bytes:
    """What a terminal gets."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "littlestone", *shlex.split(line)]
    with subprocess.Popen(command, cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        parts = list[bytes]()
        while True:
            try:
                part = os.read(ours, 1 << 16)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            parts.append(part)
        process.wait()
    os.close(ours)
    return b"".join(parts)


def test_names_and_labels_do_not_move_a_terminal(folder: Path) -> None:
    (folder / "e.jsonl").write_text(
        '{"a\\u001b[31mEVIL":1,"label":"x\\u001b]0;t\\u0007"}\n{"b\\u202e":1,"label":"y\\nz"}\n' * 3
    )
    assert call("littlestone learn e.jsonl --rule perceptron --quiet --model e.lst").exit_code == 0
    for line in ("inspect e.lst", "learn e.jsonl", "predict e.lst e.jsonl", "learn $'x\x1b[2Jy.svm'", "inspect 'n\x1b[2J.lst'"):
        shown = on_a_terminal(line.replace("$", ""), folder)
        for evil in (b"\x1b[31m", b"\x1b]0", b"\x07", b"\x1b[2J", "\u202e".encode()):
            assert evil not in shown, line
    assert b"a\\x1b[31mEVIL" in on_a_terminal("inspect e.lst", folder)


def test_labels_cannot_forge_lines_of_predictions(folder: Path) -> None:
    (folder / "f.jsonl").write_text('{"a":1,"label":"x\\ty\\nz"}\n{"b":1,"label":"x\\\\ty"}\n' * 3)
    assert call("littlestone learn f.jsonl --quiet --model f.lst --predictions p.tsv").exit_code == 0
    printed = shell("littlestone predict f.lst f.jsonl", folder).stdout.decode()
    for text in ((folder / "p.tsv").read_text(), printed):
        lines = text.splitlines()
        assert len(lines) == 6
        assert {line.split("\t")[0] for line in lines} <= {"", "x\\ty\\nz", "x\\\\ty"}
        assert all(line.count("\t") == 1 for line in lines)


def test_names_that_are_not_utf8_are_read_written_and_shown(folder: Path) -> None:
    name = b"b\xff.svm"
    (folder / os.fsdecode(name)).write_bytes(ROWS)
    ended = shell("littlestone learn $'b\\xff.svm' --model $'m\\xfe.lst' --report $'r\\xfe.html'", folder)
    assert ended.returncode == 0, ended.stderr
    assert b"b\\xff.svm" in (folder / os.fsdecode(b"r\xfe.html")).read_bytes()
    assert ls.load(folder / os.fsdecode(b"m\xfe.lst")).ledger.rounds == 100
    refused_in_shell("littlestone learn $'none\\xff.svm'", folder, "none\\xff.svm cannot be read")
    refused_in_shell("littlestone solve $'none\\xff.csv'", folder, "none\\xff.csv cannot be read")


def test_letters_that_the_terminal_does_not_have_are_shown_as_escapes(folder: Path) -> None:
    (folder / "l.jsonl").write_text('{"a":1,"label":"寿司"}\n{"b":1,"label":"x\\ud800"}\n', encoding="utf-8")
    line = "PYTHONUTF8=0 PYTHONIOENCODING=ascii LC_ALL=C "
    assert shell(line + "littlestone learn l.jsonl --quiet --model l.lst --on-error skip", folder).returncode == 0
    for command in ("predict l.lst l.jsonl --on-error skip", "inspect l.lst", "inspect l.lst --json"):
        ended = shell(line + f"littlestone {command}", folder)
        assert ended.returncode == 0, ended.stderr
