"""From an online learner to a batch predictor."""

from littlestone.convert.averages import averaged_survival, averaged_uniform
from littlestone.convert.voted import Voted, voted

__all__ = ["Voted", "averaged_survival", "averaged_uniform", "voted"]
