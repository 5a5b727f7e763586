"""Any rule as an estimator of River: `learn_one`, `predict_one`, pipelines, progressive validation.

>>> import littlestone as ls
>>> from river import datasets, evaluate, metrics, preprocessing
>>> from littlestone.river import Classifier
>>> model = preprocessing.StandardScaler() | Classifier(ls.PassiveAggressive(variant="PA-I", C=0.1))
>>> score = evaluate.progressive_val_score(datasets.Phishing(), model, metrics.Accuracy())
>>> score.get() > 0.85
True
"""

from littlestone.river.classifier import Classifier
from littlestone.river.conformal import ConformalClassifier, ConformalRegressor
from littlestone.river.detector import Detector
from littlestone.river.regressor import Regressor

__all__ = ["Classifier", "ConformalClassifier", "ConformalRegressor", "Detector", "Regressor"]
