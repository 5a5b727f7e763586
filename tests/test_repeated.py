"""What `make stress` does to the tests: properties again and again, what takes minutes first."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import repeated
from repeated import again_and_again

TESTS = Path(__file__).parent


def test_a_property_is_tried_until_its_time_is_over_and_once_at_least() -> None:
    tried = list[int]()
    again_and_again(tried.append, 60.0)(1)
    assert tried == [1] * repeated.TIMES
    again_and_again(tried.append, 0.0)(2)
    assert tried == [1] * repeated.TIMES + [2]


MODULE = """
import pytest
from hypothesis import given, strategies as st

seen = set()

def test_short():
    print("short")

@pytest.mark.parametrize("rule", "ab")
@given(number=st.integers(0, 10**9))
def test_property(rule, number):
    seen.add(number)

def test_others_every_time(tmp_path):
    print("others" if len(seen) > 50 else "few", len(seen))

@pytest.mark.stress
def test_long():
    print("long")
"""

CONFTEST = """
import sys
from importlib import util

sys.path.insert(0, {0!r})
spec = util.spec_from_file_location("those", {1!r})
those = util.module_from_spec(spec)
spec.loader.exec_module(those)
pytest_collection_modifyitems = those.pytest_collection_modifyitems
"""


def said(folder: Path, profile: str) -> list[str]:
    (folder / "test_module.py").write_text(MODULE)
    (folder / "conftest.py").write_text(CONFTEST.format(str(TESTS), str(TESTS / "conftest.py")))
    (folder / "pytest.ini").write_text("[pytest]\nmarkers = stress\n")
    command = [sys.executable, "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", "-p", "no:randomly", str(folder)]
    environment = {**os.environ, "HYPOTHESIS_PROFILE": profile}
    ended = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    return [word for word in ended.stdout.replace(".", " ").split() if word in {"short", "long", "few", "others"}]


def test_under_stress_properties_see_more_and_what_takes_minutes_goes_first(tmp_path: Path) -> None:
    assert said(tmp_path, "default") == ["long", "short", "few"]
    assert said(tmp_path, "stress") == ["long", "short", "others"]
