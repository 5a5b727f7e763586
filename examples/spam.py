"""A stream of messages, some of them spam: each is judged, then learned; at the end, the words that decided.

Usage: python examples/spam.py [sms_spam.tsv.gz]        (label TAB message; without a file, messages are made up)
"""

from __future__ import annotations

import gzip
import sys

import numpy as np

import littlestone as ls

SPAM = ["free", "prize", "win", "cash", "claim", "now", "urgent", "offer", "call", "txt", "reply", "guaranteed"]
HAM = ["lunch", "tomorrow", "meeting", "home", "love", "thanks", "sorry", "later", "dinner", "see", "you", "there"]
BOTH = ["the", "a", "to", "is", "it", "and", "for", "on", "at", "we", "can", "will", "just", "ok", "so", "please"]


def messages() -> tuple[list[str], list[str]]:
    """The messages of a file; or four thousand of ten words, of which three are typical. One in fifty is labelled wrongly."""
    if len(sys.argv) > 1:
        with gzip.open(sys.argv[1], "rt", encoding="utf-8") as lines:
            given, read = zip(*(line.rstrip("\n").split("\t", 1) for line in lines), strict=True)
        return list(read), list(given)
    rng = np.random.default_rng(0)
    spam = rng.random(4000) < 0.3
    texts = [" ".join([*rng.choice(BOTH, 7), *rng.choice(SPAM if is_spam else HAM, 3)]) for is_spam in spam]
    return texts, ["spam" if is_spam else "ham" for is_spam in spam ^ (rng.random(4000) < 0.02)]


texts, labels = messages()
features = ls.features.Text(words=(1, 2), bits=None, normalize="l2", bias=True)
learner = ls.Learner(ls.PassiveAggressive(variant="PA-I", C=0.5), labels=("ham", "spam"))
learner.learn_many(features(texts), labels)
print(f"{learner.ledger}; always 'ham' would be wrong {labels.count('spam') / len(labels):.2%} of the time")
ranked = sorted(learner.weights, key=learner.weights.__getitem__)
print("ham: ", *map(repr, ranked[:6]))
print("spam:", *map(repr, ranked[-6:]))
