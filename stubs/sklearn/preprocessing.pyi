import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator

class StandardScaler(BaseEstimator):
    def __init__(self, *, with_mean: bool = True) -> None: ...
    def fit_transform(self, X: object) -> npt.NDArray[np.float64]: ...
