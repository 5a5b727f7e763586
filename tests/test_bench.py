"""The table beside the peers, in small: it runs without any peer, and its page names no host and no path."""

from __future__ import annotations

import platform
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[1] / "bench" / "table.py"


def test_the_table_in_small(tmp_path: Path) -> None:
    page = tmp_path / "benchmarks.md"
    command = [sys.executable, str(SCRIPT), "--rows", "300", "--repeats", "1", "--only", "dense", "texts", "--write", str(page)]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    text = page.read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if "| littlestone, " in line]
    assert len(rows) == 2
    assert all(row in printed for row in rows)
    error = float(rows[0].split("|")[5])
    assert 0.0 < error < 0.5
    assert platform.node() not in text
    assert str(Path.home()) not in text


def test_the_race_of_servers_in_small() -> None:
    """The load of bench/serve.py keeps a server busy, and what it counts was answered."""
    script = str(SCRIPT.with_name("serve.py"))
    printed = subprocess.run([sys.executable, script, "--memory", "3000"], check=True, capture_output=True, text=True).stdout
    assert "2,700 learns: " in printed or "3,000 learns: " in printed
    assert "rows a second, 1,000 a request, durable" in printed
