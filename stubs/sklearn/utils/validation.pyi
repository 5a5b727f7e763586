from collections.abc import Sequence
from typing import Literal, overload

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator

@overload
def validate_data(
    estimator: BaseEstimator,
    /,
    X: object,
    *,
    reset: bool = True,
    accept_sparse: str | Sequence[str] | bool = False,
    dtype: object = "numeric",
    ensure_all_finite: bool | Literal["allow-nan"] = True,
) -> object: ...
@overload
def validate_data(
    estimator: BaseEstimator,
    /,
    X: object,
    y: object,
    *,
    reset: bool = True,
    accept_sparse: str | Sequence[str] | bool = False,
    dtype: object = "numeric",
    y_numeric: bool = False,
    ensure_all_finite: bool | Literal["allow-nan"] = True,
) -> tuple[object, npt.NDArray[np.generic]]: ...
def check_is_fitted(estimator: BaseEstimator) -> None: ...
