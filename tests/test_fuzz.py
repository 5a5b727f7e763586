"""Damaged files of every kind: a few seconds of them here, ten minutes in `make stress`."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest

TOOL = Path(__file__).parents[1] / "tools" / "fuzz_files.py"


def fuzz(*args: str) -> None:
    ended = subprocess.run([sys.executable, str(TOOL), *args], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.endswith("inputs, nothing found\n")


def test_damaged_files_are_read_or_refused() -> None:
    fuzz("--inputs", "6000")


@pytest.mark.stress
def test_damaged_files_are_read_or_refused_for_ten_minutes() -> None:
    """Others every time; the tool says which, and keeps what it found."""
    fuzz("--seconds", "600", "--seed", str(int(time.time())))


def test_what_is_found_is_told() -> None:
    """A reader that fails in its own way is noticed: the fuzzer has teeth."""
    code = (
        "import sys, runpy, littlestone as ls\n"
        "def fail(path): raise KeyError('foreign')\n"
        "ls.read_game = fail\n"
        f"sys.argv = ['fuzz', '--work', '--inputs', '200']\nrunpy.run_path({str(TOOL)!r}, run_name='__main__')\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "KeyError: 'foreign'" in ended.stderr
