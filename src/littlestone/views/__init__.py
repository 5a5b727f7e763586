"""What a rule is shown of a row: scales, bins, cells and evidence, kept in the same pass, compiled, and saved with the model.

    >>> import littlestone as ls
    >>> learner = ls.Learner(ls.PassiveAggressive(), view=ls.features.MaxScale(), labels=(-1, 1))
    >>> learner.learn_many([[2e9, 0.1], [1e9, -0.3]], [1, -1])
    2 rounds learned: 0 errors, 2 updates

A view is a frozen value, as a rule is, and its statistics are arrays that move with the rounds. They take a row in before it is
shown, with its own value: so the first row is sound, no value is far from 1, and what is predicted for a row is what its
round will say. A feature that is always the same is shown as 1, or -1. Scoring changes nothing: a row is shown as if it
came next.

Views are steps: `Gauge() | MaxScale()` shows the second what the first shows (`--view gauge,max`).

`Bins` and `Pairs` cut columns into further features, which a linear rule needs to see what is not linear; `Evidence` lets
features weigh more that speak for a label. All three are parts of the pool (`ls.Pool`), for any rule.

The theorems speak of the rows as they are shown: norms and margins in the ledger are theirs, and comparators are measured on
them. The fingerprint is of the rows before.
"""

from littlestone.views.chain import NAMES, Chain, view_named
from littlestone.views.cuts import Bins, Pairs
from littlestone.views.evidence import Evidence
from littlestone.views.scales import Gauge, MaxScale, RootMeanSquareScale, StandardScale
from littlestone.views.view import Statistics, View, checked

__all__ = [
    "NAMES",
    "Bins",
    "Chain",
    "Evidence",
    "Gauge",
    "MaxScale",
    "Pairs",
    "RootMeanSquareScale",
    "StandardScale",
    "Statistics",
    "View",
    "checked",
    "view_named",
]
