"""What needs an extra that is not installed is not collected; what was skipped is told last, and how to have it."""

from collections import Counter
from collections.abc import Generator
from importlib.util import find_spec

import pytest

collect_ignore = [] if find_spec("pyspark") is not None else ["src/littlestone/spark.py"]

_HOW = {
    "chromium": "install chromium and put it on the PATH (on Debian: apt install chromium)",
    "LITTLESTONE_DATA": "download the data sets into a folder and set LITTLESTONE_DATA to it",
    "data": "set LITTLESTONE_DATA to a folder of the data sets",
    "game": "set LITTLESTONE_DATA to a folder of the data sets",
    "csv": "set LITTLESTONE_DATA to a folder of the data sets",
    "Java": "install Java, then make spark",
    "PySpark": "make spark",
    "redis": "install redis-server (on Debian: apt install redis-server)",
    "openssl": "install openssl",
    "could not import": "pip install what could not be imported",
    "not installed": "run make test, which installs it",
}
"""What to do about a reason that holds the word."""


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Generator[None, None, None]:
    """The last lines: what was not run here, why, and how to have it."""
    yield
    reasons = Counter(
        str(report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr).removeprefix("Skipped: ")
        for report in terminalreporter.stats.get("skipped", [])
    )
    if not reasons:
        return
    terminalreporter.write_line(f"Not run here: {sum(reasons.values())} tests.")
    for reason, count in reasons.most_common():
        how = next(
            (what for word, what in _HOW.items() if word in reason), "nothing to install: this machine is of another kind"
        )
        terminalreporter.write_line(f"  {count}: {reason} -> {how}")
