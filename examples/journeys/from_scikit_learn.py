"""A pipeline of scikit-learn with an estimator of this library in the place of `SGDClassifier(loss="hinge")`.

Usage: python examples/journeys/from_scikit_learn.py
"""

from __future__ import annotations

from sklearn.datasets import load_breast_cancer
from sklearn.linear_model import SGDClassifier
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from littlestone.sklearn import AROWClassifier, PassiveAggressiveClassifier

X, y = load_breast_cancer(return_X_y=True)
for model in (SGDClassifier(loss="hinge", random_state=0), AROWClassifier(random_state=0)):
    accuracy = cross_val_score(make_pipeline(StandardScaler(), model), X, y, cv=5).mean()
    print(f"{type(model).__name__}: accuracy {accuracy:.3f}")

# Parameters are searched for as ever.
pipeline = make_pipeline(StandardScaler(), PassiveAggressiveClassifier(random_state=0, max_iter=20, tol=None))
search = GridSearchCV(pipeline, {"passiveaggressiveclassifier__C": [0.001, 0.01, 0.1]}, cv=5).fit(X, y)
print(f"best C: {search.best_params_['passiveaggressiveclassifier__C']}, accuracy {search.best_score_:.3f}")

# A stream: rows in the order given, the progressive error for nothing, and what theory knows of it.
stream = PassiveAggressiveClassifier(C=0.01)
rows = StandardScaler().fit_transform(X)
for begin in range(0, len(X), 100):
    stream.partial_fit(rows[begin : begin + 100], y[begin : begin + 100], classes=[0, 1])
ledger = stream.ledger_
print(f"progressive error {ledger.error_rate:.2%}, the majority label {ledger.baselines['majority label']:.2%}")
print(*str(stream.learner_.ledger.risk_bound()).splitlines()[:1])
