"""The command `littlestone` as a process of its own: soon at work, and soon gone."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import NoReturn

from littlestone.cli.imports import quick_imports


def entry() -> NoReturn:
    """Runs the command and ends the process; to tidy up its memory object by object would take longer than some commands."""
    with quick_imports():
        from littlestone.cli.early import begin_early

        begin_early(sys.argv[1:])
        from littlestone.cli.main import main

    code = 0
    try:
        main()
    except SystemExit as ended:
        code = _exit_code(ended)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # whoever read them has seen enough
            stream.flush()
    os._exit(code)


def _exit_code(ended: SystemExit) -> int:
    """As the interpreter takes it: nothing is 0, a number itself, and a text is shown and is 1."""
    if ended.code is None or isinstance(ended.code, int):
        return ended.code or 0
    print(ended.code, file=sys.stderr)
    return 1
