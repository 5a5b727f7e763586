"""Zero-sum games by regret minimisation, and equilibria of general games from the same play."""

from littlestone.games.best_response import BestResponse
from littlestone.games.counterfactual import CounterfactualPlay, counterfactual_play
from littlestone.games.efg import read_extensive
from littlestone.games.equilibrium import Equilibrium, equilibrium
from littlestone.games.extensive import EXTENSIVE_METHODS, ExtensiveSolution, solve_extensive
from littlestone.games.files import GameFile, read_game
from littlestone.games.methods import METHODS
from littlestone.games.nash import Equilibria, NashEquilibrium, equilibria
from littlestone.games.optimistic_hedge import OptimisticHedge
from littlestone.games.play import Play, play
from littlestone.games.poker import kuhn_poker, leduc_poker
from littlestone.games.predictive_regret_matching_plus import PredictiveRegretMatchingPlus
from littlestone.games.regret_matching_plus import RegretMatchingPlus
from littlestone.games.solution import History, Solution
from littlestone.games.solve import solve
from littlestone.games.swap_regret_matching import SwapRegretMatching
from littlestone.games.trees import Chance, End, ExtensiveGame, Treeplex, Turn

RULES = (RegretMatchingPlus, PredictiveRegretMatchingPlus, OptimisticHedge, BestResponse, SwapRegretMatching)
"""The expert rules that come from games."""

__all__ = [
    "EXTENSIVE_METHODS",
    "METHODS",
    "RULES",
    "BestResponse",
    "Chance",
    "CounterfactualPlay",
    "End",
    "Equilibria",
    "Equilibrium",
    "ExtensiveGame",
    "ExtensiveSolution",
    "GameFile",
    "History",
    "NashEquilibrium",
    "OptimisticHedge",
    "Play",
    "PredictiveRegretMatchingPlus",
    "RegretMatchingPlus",
    "Solution",
    "SwapRegretMatching",
    "Treeplex",
    "Turn",
    "counterfactual_play",
    "equilibria",
    "equilibrium",
    "kuhn_poker",
    "leduc_poker",
    "play",
    "read_extensive",
    "read_game",
    "solve",
    "solve_extensive",
]
