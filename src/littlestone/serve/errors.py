"""What a server refuses, and with which status."""

from __future__ import annotations

from http import HTTPStatus

from littlestone.errors import LittlestoneError


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
