"""Hypothesis profiles: the default is quick and repeatable, "stress" (make stress) looks much further. Ctrl-C is heard."""

from __future__ import annotations

import os
import signal

from hypothesis import HealthCheck, Phase, settings

_PHASES = (Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink)
_SLOW = [HealthCheck.too_slow]  # how busy the machine is says nothing of the code
settings.register_profile(
    "default", max_examples=10, deadline=None, derandomize=True, phases=_PHASES, suppress_health_check=_SLOW
)
settings.register_profile("stress", max_examples=200, deadline=None, suppress_health_check=_SLOW)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))

# what was started in the background may have been told to ignore Ctrl-C, and its children with it: the tests press it
signal.signal(signal.SIGINT, signal.default_int_handler)
