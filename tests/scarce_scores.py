"""Scores many rows by two threads while every allocation of the core fails once, each in turn: a refusal, or the scores.

Run by a test in a process of its own, with scarce.cpp preloaded; prints how many failed.
"""

import ctypes

import numpy as np
from scipy.sparse import csr_array

import littlestone as ls
from littlestone import _core


def rows(count: int, *, ordered: bool) -> csr_array[np.float64]:
    """Thirty entries each, whose features increase or do not."""
    random = np.random.default_rng(0)
    places = np.argsort(random.random((count, 200)), axis=1)[:, :30].astype(np.int32)
    places = np.sort(places, axis=1) if ordered else places
    start = np.arange(0, 30 * count + 1, 30, dtype=np.int32)
    return csr_array((random.normal(size=30 * count), places.ravel(), start), shape=(count, 200))


def main() -> None:
    """A learner of two labels and one of many classes, rows in order and not."""
    refuse = ctypes.CDLL(None).refuse_after
    refuse.argtypes, refuse.restype = [ctypes.c_long], None
    assert len([_core.Totals() for _ in range(10_000)])  # the table of objects, which is not ours, has all its room
    failed = 0
    for rule in (ls.Perceptron(), ls.MulticlassPerceptron()):
        for ordered in (True, False):
            X = rows(8_000, ordered=ordered)
            learner = ls.Learner(rule)
            learner.learn_many(X, np.arange(8_000) % 2)
            expected = learner.predict_many(X).tolist()
            for count in range(10_000):
                refuse(count)
                try:
                    shown = learner.predict_many(X)
                except MemoryError:
                    refuse(-1)
                    failed += 1
                else:
                    refuse(-1)
                    assert shown.tolist() == expected
                    if count > 150:  # threads take blocks, and so memory, in an order of their own
                        break
    print(failed)


if __name__ == "__main__":
    main()
