"""Hypothesis profiles: the default is quick and repeatable, "stress" (make stress) looks further. Ctrl-C is heard.

Under stress a property is tried again and again, each time with other examples: up to twenty times, as long as it has time.
So cheap ones see many examples, and a dear one for each of fifty rules does not take an hour. What takes minutes goes first.
"""

from __future__ import annotations

import os
import signal

import pytest
from hypothesis import HealthCheck, Phase, settings

from repeated import repeat_properties

_STRESS = os.environ.get("HYPOTHESIS_PROFILE") == "stress"
_PHASES = (Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink)
_SLOW = [HealthCheck.too_slow]  # how busy the machine is says nothing of the code
settings.register_profile(
    "default", max_examples=10, deadline=None, derandomize=True, phases=_PHASES, suppress_health_check=_SLOW
)
settings.register_profile("stress", max_examples=10, deadline=None, derandomize=False, suppress_health_check=_SLOW)
settings.load_profile("stress" if _STRESS else "default")

# what was started in the background may have been told to ignore Ctrl-C, and its children with it: the tests press it
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One worker begins with what takes minutes; the others take what is short from its end."""
    items.sort(key=lambda item: item.get_closest_marker("stress") is None)
    if _STRESS:
        repeat_properties(items)
