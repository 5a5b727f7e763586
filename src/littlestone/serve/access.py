"""The access log: time, method, path, status and the name of the token; never a row, never a query."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TextIO, final

_LONGEST = 200


@final
class AccessLog:
    """Lines that are written about once a second."""

    def __init__(self, path: Path) -> None:
        self._file: TextIO = path.open("a", encoding="utf-8")
        self._lines: list[str] = []

    def note(self, method: str, path: str, status: int, who: str) -> None:
        """One request."""
        moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
        shown = path[:_LONGEST].encode("unicode_escape").decode("ascii").replace(" ", "%20")
        self._lines.append(f"{moment} {method} {shown} {status} {who}\n")

    def flush(self) -> None:
        """Writes what was noted."""
        if self._lines:
            self._file.writelines(self._lines)
            self._file.flush()
            self._lines.clear()

    def close(self) -> None:
        """Writes the rest."""
        self.flush()
        self._file.close()
