"""The rules as estimators of scikit-learn: `fit`, `partial_fit`, `predict`, and a certificate of what was learned.

>>> from littlestone.sklearn import PassiveAggressiveClassifier
>>> model = PassiveAggressiveClassifier(random_state=0).fit([[0.0, 1.0], [1.0, 0.0]], ["ham", "spam"])
>>> model.predict([[0.0, 2.0]]), model.ledger_.mistakes
(array(['ham'], dtype='<U4'), 2)
"""

from importlib.util import find_spec

if find_spec("sklearn") is None:
    raise ModuleNotFoundError("littlestone.sklearn needs scikit-learn; pip install 'littlestone[sklearn]'", name="sklearn")

from littlestone.sklearn.kernels import (
    KernelPassiveAggressiveClassifier,
    KernelPassiveAggressiveRegressor,
    KernelPerceptronClassifier,
)
from littlestone.sklearn.linear import (
    AROWClassifier,
    BatchPassiveAggressiveClassifier,
    BatchPassiveAggressiveRegressor,
    ExponentiatedUpdateClassifier,
    MarginPerceptronClassifier,
    MultiplicativePassiveAggressiveClassifier,
    MultiplicativePassiveAggressiveRegressor,
    OnlineSVMClassifier,
    PerceptronClassifier,
    RandomizedExponentiatedUpdateClassifier,
    RandomizedPerceptronClassifier,
    SignedExponentiatedUpdateClassifier,
    SignedWinnowClassifier,
    WinnowClassifier,
)
from littlestone.sklearn.multiclass import MulticlassPassiveAggressiveClassifier, MulticlassPerceptronClassifier
from littlestone.sklearn.passive_aggressive import PassiveAggressiveClassifier, PassiveAggressiveRegressor
from littlestone.sklearn.uniclass import (
    AdaptiveUniclassDetector,
    BatchUniclassDetector,
    KernelUniclassDetector,
    MultiplicativeUniclassDetector,
    RadiusUniclassDetector,
    UniclassDetector,
)

ESTIMATORS = (
    PerceptronClassifier,
    RandomizedPerceptronClassifier,
    MarginPerceptronClassifier,
    OnlineSVMClassifier,
    PassiveAggressiveClassifier,
    PassiveAggressiveRegressor,
    BatchPassiveAggressiveClassifier,
    BatchPassiveAggressiveRegressor,
    AROWClassifier,
    WinnowClassifier,
    SignedWinnowClassifier,
    ExponentiatedUpdateClassifier,
    SignedExponentiatedUpdateClassifier,
    RandomizedExponentiatedUpdateClassifier,
    MultiplicativePassiveAggressiveClassifier,
    MultiplicativePassiveAggressiveRegressor,
    MulticlassPerceptronClassifier,
    MulticlassPassiveAggressiveClassifier,
    KernelPerceptronClassifier,
    KernelPassiveAggressiveClassifier,
    KernelPassiveAggressiveRegressor,
    UniclassDetector,
    AdaptiveUniclassDetector,
    RadiusUniclassDetector,
    KernelUniclassDetector,
    MultiplicativeUniclassDetector,
    BatchUniclassDetector,
)
"""Every estimator, in the order of the rules."""

__all__ = [
    "ESTIMATORS",
    "AROWClassifier",
    "AdaptiveUniclassDetector",
    "BatchPassiveAggressiveClassifier",
    "BatchPassiveAggressiveRegressor",
    "BatchUniclassDetector",
    "ExponentiatedUpdateClassifier",
    "KernelPassiveAggressiveClassifier",
    "KernelPassiveAggressiveRegressor",
    "KernelPerceptronClassifier",
    "KernelUniclassDetector",
    "MarginPerceptronClassifier",
    "MulticlassPassiveAggressiveClassifier",
    "MulticlassPerceptronClassifier",
    "MultiplicativePassiveAggressiveClassifier",
    "MultiplicativePassiveAggressiveRegressor",
    "MultiplicativeUniclassDetector",
    "OnlineSVMClassifier",
    "PassiveAggressiveClassifier",
    "PassiveAggressiveRegressor",
    "PerceptronClassifier",
    "RadiusUniclassDetector",
    "RandomizedExponentiatedUpdateClassifier",
    "RandomizedPerceptronClassifier",
    "SignedExponentiatedUpdateClassifier",
    "SignedWinnowClassifier",
    "UniclassDetector",
    "WinnowClassifier",
]
