"""Features from texts and tables, made in the core: hashed to so many columns, or by name.

    >>> import littlestone as ls
    >>> features = ls.features.Text(words=(1, 2), bits=None)
    >>> features(["The cat sat", "the dog"]).names
    ['the', 'the cat', 'cat', 'cat sat', 'sat', 'the dog', 'dog']
    >>> learner = ls.Learner(ls.Perceptron())
    >>> columns = learner.learn_many(features(["buy now", "see you"]), ["spam", "ham"])
    >>> learner.predict_one(features.one("buy it"))
    'spam'

A maker of features is a frozen value without a memory. With `bits`, a feature is hashed to one of 2^bits columns, and the
learner never grows. With `bits=None`, rows carry the names of their features, and it is the learner that gathers them: its
vocabulary grows with the stream.

Scales have a memory, and stand in front of a rule: `ls.Learner(rule, view=ls.features.StandardScale())` (see `ls.views`). They
are steps: `ls.features.Gauge() | ls.features.MaxScale()`.
"""

from littlestone.features.columns import Columns
from littlestone.features.maker import Maker
from littlestone.features.text import Text
from littlestone.views import Chain, Gauge, MaxScale, RootMeanSquareScale, StandardScale

__all__ = ["Chain", "Columns", "Gauge", "Maker", "MaxScale", "RootMeanSquareScale", "StandardScale", "Text"]
