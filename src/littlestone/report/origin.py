"""Where a report comes from: the command, the versions, the files."""

from __future__ import annotations

import hashlib
import platform
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import final

import numpy as np

from littlestone import _core


@final
@dataclass(frozen=True)
class DataFile:
    """A file that was read, as one finds it again: name, size and SHA-256."""

    name: str
    size: int | None
    checksum: str


@final
@dataclass(frozen=True)
class Provenance:
    """What one needs to get the same report again."""

    command: str
    files: tuple[DataFile, ...]
    written: str
    versions: tuple[tuple[str, str], ...]


def provenance(command: Sequence[str] | None = None, files: Sequence[str] = ()) -> Provenance:
    """The command as one types it into a shell, and what it read; standard input has no checksum."""
    return Provenance(
        command="" if command is None else shlex.join(command),
        files=tuple(_described(name) for name in files),
        written=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
        versions=(
            ("littlestone", _core.version()),
            ("Python", platform.python_version()),
            ("NumPy", np.__version__),
            ("system", f"{platform.system()} {platform.machine()}"),
        ),
    )


def _described(name: str) -> DataFile:
    if name == "-":
        return DataFile("standard input", None, "not known: a stream is read once")
    if not Path(name).is_file():
        return DataFile(name, None, "not known: not a plain file")
    with Path(name).open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return DataFile(name, Path(name).stat().st_size, digest)
