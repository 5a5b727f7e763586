"""Zero-sum games by regret minimisation, and equilibria of general games from the same play."""

from littlestone.games.best_response import BestResponse
from littlestone.games.equilibrium import Equilibrium, equilibrium
from littlestone.games.files import GameFile, read_game
from littlestone.games.methods import METHODS
from littlestone.games.nash import Equilibria, NashEquilibrium, equilibria
from littlestone.games.optimistic_hedge import OptimisticHedge
from littlestone.games.play import Play, play
from littlestone.games.predictive_regret_matching_plus import PredictiveRegretMatchingPlus
from littlestone.games.regret_matching_plus import RegretMatchingPlus
from littlestone.games.solution import History, Solution
from littlestone.games.solve import solve
from littlestone.games.swap_regret_matching import SwapRegretMatching

RULES = (RegretMatchingPlus, PredictiveRegretMatchingPlus, OptimisticHedge, BestResponse, SwapRegretMatching)
"""The expert rules that come from games."""

__all__ = [
    "METHODS",
    "RULES",
    "BestResponse",
    "Equilibria",
    "Equilibrium",
    "GameFile",
    "History",
    "NashEquilibrium",
    "OptimisticHedge",
    "Play",
    "PredictiveRegretMatchingPlus",
    "RegretMatchingPlus",
    "Solution",
    "SwapRegretMatching",
    "equilibria",
    "equilibrium",
    "play",
    "read_game",
    "solve",
]
