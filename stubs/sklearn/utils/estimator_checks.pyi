from collections.abc import Mapping
from typing import Literal, TypedDict

from sklearn.base import BaseEstimator

class CheckResult(TypedDict):
    check_name: str
    status: Literal["passed", "failed", "xfail", "skipped"]
    exception: Exception | None
    expected_to_fail_reason: str | None

def check_estimator(
    estimator: BaseEstimator,
    *,
    expected_failed_checks: Mapping[str, str] | None = None,
    on_skip: Literal["warn"] | None = "warn",
    on_fail: Literal["raise", "warn"] | None = "raise",
) -> list[CheckResult]: ...
