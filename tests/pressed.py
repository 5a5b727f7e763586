"""Ctrl-C pressed after so much work of this process: a machine that is busy elsewhere cannot make it come too early."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator


@contextlib.contextmanager
def ctrl_c(*, after: float) -> Iterator[None]:
    """Presses once within the block, after this many seconds of the processor's time."""
    before = signal.signal(signal.SIGPROF, lambda *_: signal.raise_signal(signal.SIGINT))
    signal.setitimer(signal.ITIMER_PROF, after)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
