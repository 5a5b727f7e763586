"""The estimators beside scikit-learn's: `fit` (ten passes, shuffled, with an intercept) and `predict`, in turns.

    python bench/estimators.py [--repeats 5]

The data are read from LITTLESTONE_DATA, or from shared/data beside the project; what is not there is left out. scikit-learn's
side is `SGDClassifier` with PA-I's steps, which is what its `PassiveAggressiveClassifier` is made of. NumPy's linear
algebra has one thread, as in bench/linear.py.
"""

from __future__ import annotations

import argparse
import gzip
import importlib
import os
import warnings
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Protocol

import numpy as np
from scipy.sparse import csr_matrix

from littlestone.arrays import FloatArray
from littlestone.sklearn import PassiveAggressiveClassifier
from turns import fastest, without_idle_threads

DATA = Path(os.environ.get("LITTLESTONE_DATA", Path(__file__).parents[2] / "shared" / "data"))
PASSES = 10
OFTEN = 10
"""`predict` takes less than a hundredth of what `fit` takes, and is repeated so many times as often."""


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
    path = DATA / "vw" / "imdb.vw.gz"
    if path.exists():
        lines = gzip.decompress(path.read_bytes()).decode("utf-8").splitlines()
        labels, texts = zip(*(line.split(" |t ", 1) for line in lines), strict=True)
        vectors = importlib.import_module("sklearn.feature_extraction.text").TfidfVectorizer()
        yield "imdb, tf-idf of words", vectors.fit_transform(texts), np.array(labels), 1.0
    path = DATA / "libsvm" / "news20.t.svm.gz"
    if path.exists():
        X, y = narrow(*load(str(path)))
        tfidf = importlib.import_module("sklearn.feature_extraction.text").TfidfTransformer().fit_transform(X)
        yield "news20, tf-idf, one class against the rest", tfidf, np.asarray(y == y[0]), 1.0


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
        fit = fastest([partial(model.fit, X, y) for model in (ours, theirs)], repeats)
        predict = fastest([partial(model.predict, X) for model in (ours, theirs)], OFTEN * repeats)
        right = [float(np.mean(model.predict(X) == y)) for model in (ours, theirs)]
        print(
            f"{name:44}{fit[0] * 1e3:7.1f}ms{fit[1] * 1e3:7.1f}ms{fit[1] / fit[0]:7.2f}"
            f"{predict[0] * 1e3:8.2f}ms{predict[1] * 1e3:7.2f}ms{predict[1] / predict[0]:7.2f}{right[0]:8.4f}{right[1]:8.4f}"
        )


if __name__ == "__main__":
    without_idle_threads()
    main()
