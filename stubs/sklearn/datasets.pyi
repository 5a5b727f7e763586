import numpy as np
import numpy.typing as npt

def make_blobs(
    n_samples: int = 100, n_features: int = 2, *, centers: int | None = None, cluster_std: float = 1.0, random_state: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]: ...
def make_regression(
    n_samples: int = 100, n_features: int = 100, *, noise: float = 0.0, random_state: int
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]: ...
def load_breast_cancer(*, return_X_y: bool) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]: ...
