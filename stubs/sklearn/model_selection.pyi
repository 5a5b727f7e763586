import numpy as np
import numpy.typing as npt
from numpy.random import RandomState

def train_test_split(
    *arrays: npt.NDArray[np.intp],
    test_size: float,
    random_state: int | RandomState | None,
    stratify: npt.NDArray[np.generic] | None,
) -> list[npt.NDArray[np.intp]]: ...
