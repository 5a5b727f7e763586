"""Who may do what: tokens from a file or the environment, compared in a time that says nothing of them."""

from __future__ import annotations

import hmac
import os
import re
from http import HTTPStatus
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias, cast, final

from littlestone.errors import InvalidData
from littlestone.serve.errors import RefusalError

Right: TypeAlias = Literal["read", "learn"]
"""Whatever is written into the journal needs "learn", and so does whatever changes the model or its snapshots."""

VARIABLE = "LITTLESTONE_TOKEN"
_LINE = re.compile(r"(?:(?P<name>[A-Za-z0-9_.-]{1,64}):(?P<right>read|learn):)?(?P<token>[!-~]{16,512})")


@final
class Token(NamedTuple):
    """A secret, and what whoever knows it may do."""

    name: str
    right: Right
    secret: bytes


@final
class Tokens:
    """The tokens of a server; without any, everybody who can reach it may do everything."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens

    def __bool__(self) -> bool:
        return bool(self._tokens)

    @staticmethod
    def found(path: str | None) -> Tokens:
        """Those of a file, a line each: `NAME:read:SECRET`, `NAME:learn:SECRET`, or a secret alone, which may learn.

        Without a file, the environment variable LITTLESTONE_TOKEN is one that may learn.

        Raises:
            InvalidData: naming the line that is none of these.
        """
        if path is None:
            given = os.environ.get(VARIABLE)
            return Tokens([]) if given is None else Tokens([_token(given, f"the environment variable {VARIABLE}")])
        lines = Path(path).read_text("utf-8").splitlines()
        written = [(number, line.strip()) for number, line in enumerate(lines, 1)]
        tokens = [_token(line, f"{path}, line {number}") for number, line in written if line and not line.startswith("#")]
        if not tokens:
            raise InvalidData(f"{path} has no token; a line is NAME:read:SECRET, NAME:learn:SECRET or a secret")
        return Tokens(tokens)

    def name(self, authorization: bytes | None, right: Right) -> str:
        """Who it is that asks with this header.

        Raises:
            RefusalError: 401 if the token is not known, 403 if it may not do this.
        """
        if not self._tokens:
            return "-"
        given = (authorization or b"").removeprefix(b"Bearer ")
        # Every token is compared, whichever fits: the time does not say which, or how much of it was right.
        fitting = [token for token in self._tokens if hmac.compare_digest(token.secret, given)]
        if not fitting:
            raise RefusalError(HTTPStatus.UNAUTHORIZED, "token", "the token is not known; send Authorization: Bearer TOKEN")
        if right == "learn" and fitting[0].right != "learn":
            raise RefusalError(HTTPStatus.FORBIDDEN, "token", f"the token {fitting[0].name} may read, and not learn")
        return fitting[0].name


def _token(line: str, where: str) -> Token:
    found = _LINE.fullmatch(line)
    if found is None:
        raise InvalidData(
            f"{where}: no token; expected NAME:read:SECRET, NAME:learn:SECRET or a secret of 16 characters or more"
        )
    return Token(found["name"] or "token", cast("Right", found["right"] or "learn"), found["token"].encode())
