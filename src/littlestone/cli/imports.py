"""What makes a command start sooner."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from threading import Thread


@contextmanager
def quick_imports() -> Iterator[None]:
    """Imports without a look for garbage: what they allocate stays."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


_SOON = 2e-4
"""Seconds after which a thread that loads modules lets the one that learns have the interpreter for its next chunk."""


def meanwhile(*modules: str) -> None:
    """Loads modules that are needed in the end while the core works without the interpreter."""
    sys.setswitchinterval(min(_SOON, sys.getswitchinterval()))
    Thread(target=load, args=modules, daemon=True).start()


def load(*modules: str) -> None:
    """Loads modules now, which are used later."""
    for module in modules:
        import_module(module)


def leave_cores_to_the_core() -> None:
    """For a run whose loops are the core's own, to be said before NumPy is loaded.

    NumPy's linear algebra would start a thread per core, which for a while does nothing but ask for work, at the cost of the
    threads that parse.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
