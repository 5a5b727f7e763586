"""What makes a command start sooner."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def quick_imports() -> Iterator[None]:
    """For imports before a run whose loops are the core's own.

    What imports allocate stays, so that to look for garbage among it is in vain; and NumPy's linear algebra would start a
    thread a core, which for a while does nothing but ask for work, at the cost of the threads that parse.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()
