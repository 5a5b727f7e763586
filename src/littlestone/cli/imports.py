"""What makes a command start sooner."""

from __future__ import annotations

import gc
import os
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


def meanwhile(module: str) -> None:
    """Loads a module that is needed in the end while the core works without the interpreter."""
    Thread(target=import_module, args=(module,), daemon=True).start()


def leave_cores_to_the_core() -> None:
    """For a run whose loops are the core's own, to be said before NumPy is loaded.

    NumPy's linear algebra would start a thread per core, which for a while does nothing but ask for work, at the cost of the
    threads that parse.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
