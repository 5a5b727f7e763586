"""The rules as estimators of scikit-learn: `fit`, `partial_fit`, `predict`, and a certificate of what was learned.

>>> from littlestone.sklearn import PassiveAggressiveClassifier
>>> model = PassiveAggressiveClassifier(random_state=0).fit([[0.0, 1.0], [1.0, 0.0]], ["ham", "spam"])
>>> model.predict([[0.0, 2.0]]), model.ledger_.mistakes
(array(['ham'], dtype='<U4'), 2)
"""

from importlib.util import find_spec

if find_spec("sklearn") is None:
    raise ModuleNotFoundError("littlestone.sklearn needs scikit-learn; pip install 'littlestone[sklearn]'", name="sklearn")

from littlestone.sklearn.made import estimators

ESTIMATORS = estimators()
"""Every estimator, in the order of the rules."""

# One per rule, each made of the rule's fields; `make stubs` writes them down for type checkers, as __init__.pyi.
globals().update({estimator.__name__: estimator for estimator in ESTIMATORS})
__all__ = ["ESTIMATORS", *sorted(estimator.__name__ for estimator in ESTIMATORS)]
