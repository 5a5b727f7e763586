"""From an online learner to a batch predictor."""

from littlestone.convert.averages import average, averaged_survival, averaged_uniform
from littlestone.convert.batch import passive_aggressive_batch, passive_aggressive_batch_regression, uniclass_batch
from littlestone.convert.choices import longest_survivor, penalized_risk, random_stopping
from littlestone.convert.converted import Converted
from littlestone.convert.leave_one_out import LeaveOneOut, leave_one_out
from littlestone.convert.testing import controlled_testing
from littlestone.convert.voted import Voted, vote, voted

__all__ = [
    "Converted",
    "LeaveOneOut",
    "Voted",
    "average",
    "averaged_survival",
    "averaged_uniform",
    "controlled_testing",
    "leave_one_out",
    "longest_survivor",
    "passive_aggressive_batch",
    "passive_aggressive_batch_regression",
    "penalized_risk",
    "random_stopping",
    "uniclass_batch",
    "vote",
    "voted",
]
