from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
from numpy.random import RandomState
from sklearn.base import BaseEstimator

def train_test_split(
    *arrays: npt.NDArray[np.intp],
    test_size: float,
    random_state: int | RandomState | None,
    stratify: npt.NDArray[np.generic] | None,
) -> list[npt.NDArray[np.intp]]: ...
def cross_val_score(estimator: BaseEstimator, X: object, y: object, *, cv: int | None = None) -> npt.NDArray[np.float64]: ...

class GridSearchCV(BaseEstimator):
    best_params_: dict[str, object]
    best_score_: float
    def __init__(
        self, estimator: BaseEstimator, param_grid: Mapping[str, Sequence[object]], *, cv: int | None = None
    ) -> None: ...
    def fit(self, X: object, y: object) -> GridSearchCV: ...
