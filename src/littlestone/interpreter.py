"""Which interpreters the core works in: those with the global interpreter lock.

The short ways of the core (one dict, one row of advice) rely on it in place of a lock of their own, and a process without it
would learn mixed rows in silence.
"""

import sys


def core_version() -> str:
    """The version of the core, which is loaded once the interpreter was found fit for it.

    Raises:
        ImportError: without the lock, with what to start instead.
    """
    # Where the function is not there, the lock is.
    if not getattr(sys, "_is_gil_enabled", lambda: True)():
        raise ImportError(
            "littlestone needs the global interpreter lock, which this free-threaded Python has switched off; "
            "start it with PYTHON_GIL=1 or -X gil=1, or use a Python that is not free-threaded"
        )
    from littlestone._core import version

    return version()
