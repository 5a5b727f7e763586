"""What takes the place of scikit-learn's `SGDClassifier(loss="hinge")`: accuracy on rows held out, defaults on both sides.

    python bench/hinge.py

Three splits of each data set, four fifths to learn; PA-I has C = 0.01, the middle of what is good on these sets, and the others
no parameter that was chosen. The data are read from LITTLESTONE_DATA, or from shared/data beside the project.
"""

from __future__ import annotations

import gzip
import importlib
import os
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

import numpy as np

from littlestone import sklearn as ls

DATA = Path(os.environ.get("LITTLESTONE_DATA", Path(__file__).parents[2] / "shared" / "data"))
SEEDS = range(3)

Labels = np.ndarray[tuple[int], np.dtype[np.generic]]


def samples() -> Iterator[tuple[str, object, Labels]]:
    """A name, rows and labels each."""
    load = importlib.import_module("sklearn.datasets").load_svmlight_file
    for name, file in (("a9a", "a9a"), ("w8a", "w8a.shuf")):
        X, y = load(str(DATA / "libsvm" / f"{file}.svm.gz"))
        X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)  # scikit-learn's side takes no others
        yield name, X, y
    lines = gzip.decompress((DATA / "text" / "sms_spam.tsv.gz").read_bytes()).decode("utf-8").splitlines()
    labels, texts = zip(*(line.split("\t", 1) for line in lines), strict=True)
    vectorizer = importlib.import_module("sklearn.feature_extraction.text").HashingVectorizer(n_features=2**18)
    yield "sms", vectorizer.transform(texts), np.array(labels)


class Model(Protocol):
    """What both sides have."""

    def fit(self, X: object, y: object) -> Model:
        """Learns."""
        ...

    def predict(self, X: object) -> Labels:
        """Labels."""
        ...


def models() -> dict[str, Callable[[int], Model]]:
    """Of a seed, each model."""
    sgd = importlib.import_module("sklearn.linear_model").SGDClassifier
    dummy = importlib.import_module("sklearn.dummy").DummyClassifier
    return {
        '`SGDClassifier(loss="hinge")`': lambda seed: sgd(loss="hinge", random_state=seed),
        "`AROWClassifier()`": lambda seed: ls.AROWClassifier(random_state=seed),
        "`PassiveAggressiveClassifier(C=0.01, average=True)`": lambda seed: ls.PassiveAggressiveClassifier(
            C=0.01, average=True, random_state=seed
        ),
        "`PassiveAggressiveClassifier(C=0.01)`": lambda seed: ls.PassiveAggressiveClassifier(C=0.01, random_state=seed),
        "`OnlineSVMClassifier()`": lambda seed: ls.OnlineSVMClassifier(random_state=seed),
        "the most frequent label": lambda _: dummy(),
    }


def main() -> None:
    """Prints the table."""
    split = importlib.import_module("sklearn.model_selection").train_test_split
    found: dict[str, list[str]] = {name: [] for name in models()}
    names = []
    for name, X, y in samples():
        names.append(name)
        for label, make in models().items():
            scores = []
            for seed in SEEDS:
                A, B, a, b = split(X, y, test_size=0.2, random_state=seed)
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    scores.append(float((make(seed).fit(A, a).predict(B) == b).mean()))
            found[label].append(f"{np.mean(scores):.2%}")
    print("| | " + " | ".join(names) + " |")
    print("|---" * (len(names) + 1) + "|")
    for label, row in found.items():
        print(f"| {label} | " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
