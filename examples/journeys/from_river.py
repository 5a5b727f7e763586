"""River's pipelines, metrics and meta-estimators around rules of this library, beside River's own learner.

Usage: python examples/journeys/from_river.py
"""

from __future__ import annotations

from itertools import islice

from river import datasets, ensemble, evaluate, linear_model, metrics, preprocessing

import littlestone as ls
from littlestone.river import Classifier

rows = list(islice(datasets.Phishing(), 1000))
models = {
    "River's PAClassifier": linear_model.PAClassifier(C=0.1, mode=1),
    "PA-I": Classifier(ls.PassiveAggressive(variant="PA-I", C=0.1)),
    "the pool": Classifier(ls.Pool()),
    "a bag of five": ensemble.ADWINBaggingClassifier(Classifier(ls.AROW()), n_models=5, seed=1),
}
for name, model in models.items():
    score = metrics.Accuracy() + metrics.ROCAUC()
    evaluate.progressive_val_score(rows, preprocessing.StandardScaler() | model, score)
    accuracy, area = (metric.get() for metric in score)
    print(f"{name}: accuracy {accuracy:.3f}, area under the curve {area:.3f}")

# The same stream without a pipeline: the ledger is the progressive validation, and there is a proof.
learner = ls.Learner()
for x, y in rows:
    learner.learn_one(x, y)
print(learner.ledger)
print(*str(learner.certify()[0]).splitlines()[:1])
