"""Hypothesis profiles: the default is quick and repeatable, "stress" (make stress) looks much further."""

from __future__ import annotations

import os

from hypothesis import HealthCheck, Phase, settings

_PHASES = (Phase.explicit, Phase.reuse, Phase.generate, Phase.shrink)
settings.register_profile("default", max_examples=10, deadline=None, derandomize=True, phases=_PHASES)
settings.register_profile("stress", max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))
