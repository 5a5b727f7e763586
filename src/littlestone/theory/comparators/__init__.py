"""Comparators: the fixed vector that makes a theorem say most about a run, one file a program."""

from littlestone.theory.comparators.balls import EnclosingBall, nearest_centre, smallest_ball
from littlestone.theory.comparators.descent import Descent, NearOptimum
from littlestone.theory.comparators.entropy import entropy_balance, entropy_projection, relative_entropy
from littlestone.theory.comparators.nearest import max_margin, nearest, support
from littlestone.theory.comparators.path import balance, best_on_path
from littlestone.theory.comparators.simplex import GameValue, game_value, least_loss_on_simplex, max_margin_on_simplex
from littlestone.theory.comparators.trials import Trials

__all__ = [
    "Descent",
    "EnclosingBall",
    "GameValue",
    "NearOptimum",
    "Trials",
    "balance",
    "best_on_path",
    "entropy_balance",
    "entropy_projection",
    "game_value",
    "least_loss_on_simplex",
    "max_margin",
    "max_margin_on_simplex",
    "nearest",
    "nearest_centre",
    "relative_entropy",
    "smallest_ball",
    "support",
]
