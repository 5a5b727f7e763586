"""Parquet and Arrow files, as the extra `arrow`; pyarrow is imported only when one is read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, BinaryIO

from littlestone.errors import InvalidData

if TYPE_CHECKING:
    from littlestone.streams.files import Chunk
    from littlestone.streams.formats import Options


def arrow_chunks(file: BinaryIO, name: str, options: Options, size: int) -> Iterator[Chunk]:
    """The record batches of a file.

    Raises:
        InvalidData: always, so far.
    """
    raise InvalidData(f"{name} is an Arrow or Parquet file, which cannot be read yet")
