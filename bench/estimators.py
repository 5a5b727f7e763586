"""The estimators beside scikit-learn's: `fit` (ten passes, shuffled, with an intercept) and `predict`, in turns.

    python bench/estimators.py [--repeats 5]

The data are read from LITTLESTONE_DATA, or from shared/data beside the project; what is not there is left out. scikit-learn's
side is `SGDClassifier` with PA-I's steps, which is what its `PassiveAggressiveClassifier` is made of.
"""

from __future__ import annotations

import argparse
import gzip
import importlib
import os
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Protocol

import numpy as np
from scipy.sparse import csr_matrix

from littlestone.arrays import FloatArray
from littlestone.sklearn import PassiveAggressiveClassifier

DATA = Path(os.environ.get("LITTLESTONE_DATA", Path(__file__).parents[2] / "shared" / "data"))
PASSES = 10


class Model(Protocol):
    """What both sides have."""

    def fit(self, X: object, y: object) -> object:
        """Learns."""
        ...

    def predict(self, X: object) -> np.ndarray[tuple[int], np.dtype[np.generic]]:
        """Labels."""
        ...


def narrow(X: csr_matrix[np.float64], y: FloatArray) -> tuple[csr_matrix[np.float64], FloatArray]:
    """scikit-learn learns sparse matrices with 32-bit indices alone."""
    X.indices, X.indptr = X.indices.astype(np.int32), X.indptr.astype(np.int32)
    return X, y


def samples() -> Iterator[tuple[str, object, np.ndarray[tuple[int], np.dtype[np.generic]], float]]:
    """A name, rows, labels and C each."""
    load = importlib.import_module("sklearn.datasets").load_svmlight_file
    for name, file, C in (("a9a", "a9a", 0.01), ("w8a", "w8a.shuf", 0.1), ("letter, 26 classes", "letter.scale", 0.1)):
        path = DATA / "libsvm" / f"{file}.svm.gz"
        if path.exists():
            X, y = narrow(*load(str(path)))
            yield name, X.toarray() if file.startswith("letter") else X, y, C
    path = DATA / "text" / "sms_spam.tsv.gz"
    if path.exists():
        lines = gzip.decompress(path.read_bytes()).decode("utf-8").splitlines()
        labels, texts = zip(*(line.split("\t", 1) for line in lines if "\t" in line), strict=True)
        vectors = importlib.import_module("sklearn.feature_extraction.text").TfidfVectorizer(ngram_range=(1, 2))
        yield "sms, tf-idf of words and pairs", vectors.fit_transform(texts), np.array(labels), 1.0
    path = DATA / "libsvm" / "news20.t.svm.gz"
    if path.exists():
        X, y = narrow(*load(str(path)))
        tfidf = importlib.import_module("sklearn.feature_extraction.text").TfidfTransformer().fit_transform(X)
        yield "news20, tf-idf, one class against the rest", tfidf, np.asarray(y == y[0]), 1.0


def seconds(what: Callable[[], object]) -> float:
    """How long it takes."""
    begin = time.perf_counter()
    what()
    return time.perf_counter() - begin


def main() -> None:
    """Prints a line a sample."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=5)
    repeats = parser.parse_args().repeats
    warnings.simplefilter("ignore")  # ten passes are few for scikit-learn
    theirs_of = importlib.import_module("sklearn.linear_model").SGDClassifier
    print(f"{'sample':44}{'fit':>9}{'theirs':>9}{'ratio':>7}{'predict':>10}{'theirs':>9}{'ratio':>7}{'accuracy':>16}")
    for name, X, y, C in samples():
        ours: Model = PassiveAggressiveClassifier(C=C, max_iter=PASSES, tol=None, random_state=0)
        theirs: Model = theirs_of(
            loss="hinge", penalty=None, learning_rate="pa1", eta0=C, max_iter=PASSES, tol=None, random_state=0
        )
        best = np.full((2, 2), np.inf)
        for _ in range(repeats):
            for side, model in enumerate((ours, theirs)):
                best[side, 0] = min(best[side, 0], seconds(partial(model.fit, X, y)))
                best[side, 1] = min(best[side, 1], seconds(partial(model.predict, X)))
        right = [float(np.mean(model.predict(X) == y)) for model in (ours, theirs)]
        fit, predict = best[:, 0], best[:, 1]
        print(
            f"{name:44}{fit[0] * 1e3:7.1f}ms{fit[1] * 1e3:7.1f}ms{fit[1] / fit[0]:7.2f}"
            f"{predict[0] * 1e3:8.2f}ms{predict[1] * 1e3:7.2f}ms{predict[1] / predict[0]:7.2f}{right[0]:8.4f}{right[1]:8.4f}"
        )


if __name__ == "__main__":
    main()
