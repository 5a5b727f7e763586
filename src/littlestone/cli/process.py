"""The command `littlestone` as a process of its own: soon at work, and soon gone."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from io import BufferedWriter, FileIO, TextIOWrapper
from typing import NoReturn

from littlestone.cli.imports import leave_cores_to_the_core, quick_imports


def entry() -> NoReturn:
    """Runs the command and ends the process; to tidy up its memory object by object would take longer than some commands."""
    _open_streams()
    if sys.argv[1:2] == ["learn"]:
        leave_cores_to_the_core()
    with quick_imports():
        from littlestone.cli.early import begin_early

        begin_early(sys.argv[1:])
        from littlestone.cli.plain import is_plain, learn_plainly

    code = 0
    try:
        if not (is_plain(sys.argv[1:]) and learn_plainly(sys.argv[2:])):
            _main()
    except SystemExit as ended:
        code = _exit_code(ended)
    os._exit(_flushed(code))


def _main() -> None:
    with quick_imports():
        from littlestone.cli.main import main

    main()


def _open_streams() -> None:
    """A stream that is closed gets an end that leads nowhere, before a file takes its number; no letter stops the others."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # the lowest number that is free, which is this one
    if sys.stdout is None:
        sys.stdout = _writer(1)
    if sys.stderr is None:
        sys.stderr = _writer(2)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _writer(number: int) -> TextIOWrapper:
    return TextIOWrapper(BufferedWriter(FileIO(number, "w", closefd=False)), encoding="utf-8")


def _flushed(code: int) -> int:
    """The exit code, which is not 0 where the last of the output found no room."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:  # whoever read it has seen enough
        return code
    except (OSError, ValueError) as error:
        with suppress(OSError, ValueError):
            print(f"Error: standard output: {getattr(error, 'strerror', error)}", file=sys.stderr)
        return code or 1
    finally:
        with suppress(OSError, ValueError):
            sys.stderr.flush()
    return code


def _exit_code(ended: SystemExit) -> int:
    """As the interpreter takes it: nothing is 0, a number itself, and a text is shown and is 1."""
    if ended.code is None or isinstance(ended.code, int):
        return ended.code or 0
    print(ended.code, file=sys.stderr)
    return 1
