"""Answers on a slow pipe: whoever writes a line and waits gets its prediction before the next line is written."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import final

import pytest

import littlestone as ls
from littlestone.streams.ahead import as_they_come

PATIENCE = 60.0
"""Seconds after which an answer that did not come is a failure; an answer takes milliseconds."""


@final
class Asked:
    """A command to which lines are written one by one."""

    def __init__(self, *args: object) -> None:
        line = [sys.executable, "-m", "littlestone", *map(str, args)]
        self.process = subprocess.Popen(line, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.stopper = threading.Timer(PATIENCE, self.process.kill)
        self.stopper.start()

    def ask(self, line: str) -> str:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(line.encode())
        self.process.stdin.flush()
        return self.process.stdout.readline().decode()

    def end(self) -> int:
        assert self.process.stdin is not None
        self.process.stdin.close()
        code = self.process.wait()
        self.stopper.cancel()
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code


@pytest.fixture
def model(tmp_path: Path) -> Path:
    learner = ls.Learner(ls.Perceptron(), labels=("no", "yes"))
    for X, y in ls.read(io.BytesIO(b"a,b,label\n1,0,yes\n0,1,no\n"), format="csv"):
        learner.learn_many(X, y)
    learner.save(tmp_path / "m.lst")
    return tmp_path / "m.lst"


def test_predict_answers_line_by_line(model: Path) -> None:
    asked = Asked("predict", model, "-", "--format", "csv")
    assert asked.ask("a,b\n1,0\n") == "yes\t1\n"
    assert asked.ask("0,2\n") == "no\t-2\n"
    assert asked.ask("3,0\n") == "yes\t3\n"
    assert asked.end() == 0


def test_learn_answers_before_it_learns(tmp_path: Path) -> None:
    asked = Asked("learn", "-", "--format", "vw", "--rule", "perceptron", "--predictions", "-", "--model", tmp_path / "m.lst")
    assert asked.ask("1 | a\n").split("\t")[1] == "0\n"
    assert asked.ask("1 | a\n") == "1\t1\n"
    assert asked.ask("-1 | b\n").split("\t")[1] == "0\n"
    assert asked.ask("-1 | b\n") == "-1\t-1\n"
    assert asked.end() == 0
    assert ls.load(tmp_path / "m.lst").ledger.rounds == 4


def test_half_a_line_is_waited_for() -> None:
    read_end, write_end = os.pipe()
    os.write(write_end, b"a,label\n1,x\n2")

    def rest() -> None:
        os.write(write_end, b"5,y\n")
        os.close(write_end)

    writer = threading.Timer(0.6, rest)
    writer.start()
    with os.fdopen(read_end, "rb") as file:
        rows = [row for X, _ in ls.read(file, format="csv") for row in X.tocsr().toarray().ravel().tolist()]
    assert rows == [1.0, 25.0]


def test_blocks_are_put_together_and_pauses_are_told() -> None:
    whole = b"".join(bytes([k]) * 1000 for k in range(50))
    came = list(as_they_come((whole[k : k + 1000] for k in range(0, len(whole), 1000)), 10_000))
    assert b"".join(came) == whole
    assert max(map(len, came)) <= 11_000


def test_an_error_comes_where_its_block_would_have() -> None:
    def broken() -> Iterator[bytes]:
        yield b"one"
        raise ls.InvalidData("the second is gone")

    came = as_they_come(broken(), 1 << 20)
    assert next(came) == b"one"
    with pytest.raises(ls.InvalidData, match="the second is gone"):
        list(came)


def test_a_pipe_gives_the_numbers_of_the_file(tmp_path: Path) -> None:
    text = "a,b,label\n" + "".join(f"{k % 7},{k % 3},{'xy'[k % 2]}\n" for k in range(2000))
    (tmp_path / "t.csv").write_text(text)
    command = [sys.executable, "-m", "littlestone", "learn", "-", "--format", "csv", "--rule", "perceptron", "--quiet"]
    subprocess.run([*command, "--model", str(tmp_path / "p.lst")], input=text.encode(), check=True)
    alone = ls.Learner(ls.Perceptron(), missing="skip")
    for X, y in ls.read(tmp_path / "t.csv"):
        alone.learn_many(X, y)
    assert ls.load(tmp_path / "p.lst").weights == alone.weights
