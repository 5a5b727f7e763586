import numpy as np
import numpy.typing as npt

def check_classification_targets(y: npt.NDArray[np.generic]) -> None: ...
