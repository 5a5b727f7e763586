"""Every command of docs/serving.md, in its order, in one shell; what the page says it prints, it prints."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from serving import free_port

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "serving.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(sh|text|python)\n(.*?)^```$", PAGE, flags=re.DOTALL | re.MULTILINE)

pytestmark = pytest.mark.skipif(
    shutil.which("curl") is None or shutil.which("openssl") is None, reason="the page uses curl and openssl"
)


def script() -> str:
    """The blocks one after another, with a line between them, by which what each prints can be told apart."""
    parts = ["set -e -m\ntrap 'kill $(jobs -p) 2> /dev/null || true' EXIT"]
    for number, (kind, text) in enumerate(BLOCKS):
        if kind == "sh" and not text.startswith("pip install"):
            # Answers of curl have no line end of their own.
            parts.append(re.sub(r"(curl --silent (?!--fail).*)", r"\1; echo", text.replace(" |\n  curl", " | curl")))
        elif kind == "python":
            parts.append(f"{sys.executable} - <<'END'\n{text}END")
        parts.append(f"echo '== {number}'")
    return "\n".join(parts)


def test_every_command_of_the_page(tmp_path: Path) -> None:
    assert len(BLOCKS) > 15
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    commands = script().replace("8000", str(free_port()))
    done = subprocess.run(
        ["bash", "-c", commands], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=280, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    printed = re.split(r"^== \d+$", done.stdout, flags=re.MULTILINE)
    for number, (kind, text) in enumerate(BLOCKS):
        if kind == "text":
            said = "".join(printed[:number])
            for line in text.splitlines():
                assert line in said, line
    assert "Answer(prediction='spam', model_version=8)\nspam\n" in done.stdout


def test_the_examples_name_flags_that_there_are() -> None:
    help_text = subprocess.run(
        [sys.executable, "-m", "littlestone", "serve", "--help"], check=True, capture_output=True, text=True
    ).stdout
    for name in ("Dockerfile", "littlestone.service"):
        flags = set(re.findall(r"--[a-z-]+", "\n".join(_commands(ROOT / "examples" / "serve" / name))))
        assert flags
        assert [flag for flag in flags if flag not in help_text] == []


def _commands(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").splitlines() if line.startswith(("ENTRYPOINT", "ExecStart"))]
