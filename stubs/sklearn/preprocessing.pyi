from sklearn.base import BaseEstimator

class StandardScaler(BaseEstimator):
    def __init__(self, *, with_mean: bool = True) -> None: ...
