"""What a server refuses, and with which status."""

from __future__ import annotations

from http import HTTPStatus

import msgspec

from littlestone.errors import LittlestoneError

UNREADABLE = (msgspec.MsgspecError, UnicodeError, RecursionError)
"""What msgspec raises at bytes and values that are not what is expected."""

_LONGEST = 700
"""Letters of a sentence: names that a request brings may be as long as its body."""


def sentence_of(error: LittlestoneError) -> str:
    """What is answered, and not much longer than a sentence."""
    said = str(error).encode("utf-8", "backslashreplace").decode("utf-8")
    return said if len(said) <= _LONGEST else f"{said[: _LONGEST // 2]} ... {said[-_LONGEST // 2 :]}"


class RefusalError(LittlestoneError):
    """A request that is refused: one sentence, the status, and a word for the metrics."""

    def __init__(self, status: HTTPStatus, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status
        self.reason = reason


def malformed(sentence: str) -> RefusalError:
    """What cannot be read."""
    return RefusalError(HTTPStatus.BAD_REQUEST, "malformed", sentence)


def unfit(sentence: str) -> RefusalError:
    """What can be read, and not learned."""
    return RefusalError(HTTPStatus.UNPROCESSABLE_ENTITY, "unfit", sentence)


def unknown(sentence: str) -> RefusalError:
    """What is not there."""
    return RefusalError(HTTPStatus.NOT_FOUND, "unknown", sentence)


def unavailable(sentence: str) -> RefusalError:
    """What cannot be done now."""
    return RefusalError(HTTPStatus.SERVICE_UNAVAILABLE, "unavailable", sentence)
