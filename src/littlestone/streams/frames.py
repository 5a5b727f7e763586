"""Where the frames of zstd data end: a decoder that reads a stream takes the end of its bytes for the end of the last frame.

Source: RFC 8878, section 3.1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, final

_PASSED_OVER = range(0x184D2A50, 0x184D2A60)
_MAGIC_BYTES, _SIZE_BYTES, _BLOCK_BYTES = 4, 4, 3
_DICTIONARY_BYTES = (0, 1, 2, 4)
_CONTENT_BYTES = (0, 2, 4, 8)
_CHECKSUM_BYTES = 4
_REPEATED = 1
"""The kind of block that holds one byte, whatever its length."""


@final
class _Step(NamedTuple):
    """So many bytes are passed over, and the head behind them is read."""

    passed: int
    length: int
    read: Callable[[int], _Step]


@final
class Frames:
    """Follows the bytes of frames from head to head, without looking into their blocks."""

    def __init__(self) -> None:
        self._step = _Step(0, _MAGIC_BYTES, self._magic)
        self._passed = 0
        self._head = b""
        self._checksum = 0

    @property
    def whole(self) -> bool:
        """Whether the bytes so far end where a frame does."""
        return self._step.read == self._magic and self._passed == self._step.passed and not self._head

    def watched(self, blocks: Iterable[bytes]) -> Iterator[bytes]:
        """The blocks, followed on their way."""
        for block in blocks:
            self._follow(memoryview(block))
            yield block

    def _follow(self, rest: memoryview) -> None:
        while rest:
            passed = min(self._step.passed - self._passed, len(rest))
            self._passed, rest = self._passed + passed, rest[passed:]
            if self._passed < self._step.passed:
                return
            missing = self._step.length - len(self._head)
            self._head, rest = self._head + rest[:missing], rest[missing:]
            if len(self._head) < self._step.length:
                return
            self._step = self._step.read(int.from_bytes(self._head, "little"))
            self._passed, self._head = 0, b""

    def _magic(self, number: int) -> _Step:
        if number in _PASSED_OVER:
            return _Step(0, _SIZE_BYTES, self._size)
        return _Step(0, 1, self._descriptor)

    def _size(self, number: int) -> _Step:
        return _Step(number, _MAGIC_BYTES, self._magic)

    def _descriptor(self, flags: int) -> _Step:
        one_segment = flags >> 5 & 1
        self._checksum = _CHECKSUM_BYTES if flags >> 2 & 1 else 0
        content = _CONTENT_BYTES[flags >> 6] or one_segment
        return _Step(1 - one_segment + _DICTIONARY_BYTES[flags & 3] + content, _BLOCK_BYTES, self._block)

    def _block(self, head: int) -> _Step:
        last, kind, size = head & 1, head >> 1 & 3, head >> 3
        length = 1 if kind == _REPEATED else size
        return _Step(length + self._checksum, _MAGIC_BYTES, self._magic) if last else _Step(length, _BLOCK_BYTES, self._block)
