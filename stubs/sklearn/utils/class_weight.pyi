from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

def compute_sample_weight(
    class_weight: Mapping[object, float] | str | None, y: npt.NDArray[np.generic]
) -> npt.NDArray[np.float64]: ...
