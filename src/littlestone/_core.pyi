"""
The compiled core of littlestone: checked batches, the loop of each protocol, running totals.
"""

from collections.abc import (
    Callable,
    Hashable,
    Iterable,
    Mapping,
    Sequence
)
import enum
from typing import Annotated, Final, overload

import numpy
from numpy.typing import NDArray


def version() -> str:
    """The version of the library."""

def work_beside_others(beside: bool) -> bool:
    """
    Says whether this thread is one of several that keep the cores busy, so that none is taken to help it; returns what was said before.
    """

class Row:
    """
    One row of a batch, for rules written in Python; its sums have the order of the compiled loop.
    """

    def dot(self, w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> float:
        """The dot product with w."""

    def add_to(self, w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], step: float) -> None:
        """w += step * x, in place."""

    @property
    def norm_squared(self) -> float: ...

    @property
    def largest_entry(self) -> float: ...

    @property
    def width(self) -> int: ...

    @property
    def missing(self) -> int:
        """Values left out of the row."""

    @property
    def batch(self) -> Batch:
        """The batch that the row is in."""

    @property
    def number(self) -> int:
        """Which row of the batch it is."""

    @property
    def object(self) -> object:
        """What the row stands for, in a batch of objects."""

    @property
    def indices(self) -> NDArray[numpy.int64]:
        """The features that are present, as integers."""

    @property
    def values(self) -> NDArray[numpy.float64]:
        """Their values."""

    @property
    def extent(self) -> int:
        """
        One more than the largest feature that is present, or that a dict names with a zero.
        """

class Batch:
    """
    Rows that have been checked once: sparse or dense, read from the caller's arrays without a copy.
    """

    def __len__(self) -> int: ...

    def __getitem__(self, arg: int, /) -> Row: ...

    @property
    def width(self) -> int: ...

    @property
    def entries(self) -> int:
        """Stored values."""

    def csr(self, rows: NDArray[numpy.int64]) -> tuple[NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.float64]]:
        """
        A copy of some rows as the arrays (start, index, value) of a CSR matrix.
        """

    def in_order(self, order: NDArray[numpy.int64]) -> Batch:
        """
        These rows in another order, or some of them, read from the same arrays.
        """

    def note_missing(self, counts: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Says how many values were left out of each row."""

    def begin_ahead(self) -> None:
        """
        From now on one thread goes ahead of all calls that learn the rows one after another, until `end_ahead`.
        """

    def end_ahead(self) -> None:
        """Ends what `begin_ahead` began."""

    def check(self) -> None:
        """
        Checks every row now; without it a row is checked just before it is used.
        """

    @property
    def norm_squared(self) -> NDArray[numpy.float64]:
        """The squared Euclidean norm of each row."""

    @property
    def largest_entry(self) -> NDArray[numpy.float64]:
        """The largest magnitude in each row."""

    @property
    def row_hash(self) -> NDArray[numpy.uint64]:
        """
        A hash of each row's nonzeros with their columns, or names: the same however the row is stored.
        """

def empty_batch() -> Batch:
    """A batch of no rows, to be filled by Features.encode_row."""

def sparse_batch(start: NDArray[numpy.int32] | NDArray[numpy.int64], index: NDArray[numpy.int32] | NDArray[numpy.int64], value: NDArray[numpy.float32] | NDArray[numpy.float64], width: int, *, constant: bool = False) -> Batch:
    """
    A batch over the arrays of a CSR matrix; with `constant`, every row has a 1 behind its columns.
    """

def object_batch(objects: list[object]) -> Batch:
    """A batch of objects that only a kernel of the caller's can read."""

def dense_batch(matrix: NDArray[numpy.float32] | NDArray[numpy.float64], names: NDArray[numpy.uint64] | None = None, *, constant: bool = False) -> Batch:
    """
    A batch over a two-dimensional array; `names` has the hash of each column's name (Features.hashes).
    """

class Outcomes:
    """The outcomes of a batch: labels, targets or intervals."""

    def __len__(self) -> int: ...

    def label(self, t: int) -> int:
        """-1 or +1, and 0 where the outcome is not a label."""

    def number(self, t: int) -> int:
        """The number of the class, and -1 where the outcome is none."""

    def weight(self, t: int) -> float:
        """How much the round counts: 1 unless it was said."""

    def weighted(self, weights: NDArray[numpy.float64]) -> Outcomes:
        """The same outcomes with an importance weight a round."""

    def in_order(self, order: NDArray[numpy.int64]) -> Outcomes:
        """The outcomes in another order, or some of them."""

    def interval(self, t: int, label: Callable[[int], Interval], target: Callable[[float], Interval]) -> Interval:
        """
        The interval of a round; the two functions give it for a label and for a target.
        """

def labels(sign: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Outcomes: ...

def targets(value: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Outcomes: ...

def intervals(low: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], high: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], low_open: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], high_open: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Outcomes: ...

def one_label(sign: int) -> Outcomes: ...

def classes(number: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> Outcomes: ...

def one_class(number: int) -> Outcomes: ...

def one_target(target: float) -> Outcomes: ...

def permutation(seed: int, count: int) -> NDArray[numpy.int64]:
    """The numbers below `count` in an order drawn from a seed."""

def uniform(seed: int, draw: int) -> float:
    """Draw number `draw` of a seed, in [0, 1)."""

def norm_squared(w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> float:
    """The squared Euclidean norm, in the order of the compiled loop."""

class Calibration:
    """The slope that turns scores into log-odds, bound to its numbers."""

    def __init__(self, *, slope: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], variance: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], lead: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], leads: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], learns: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

    def chances(self, scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], count: int, out: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """
        The probabilities for so many scores per row, one behind another; of one score those of two labels.
        """

    def foretell(self, trial: Trial, scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], before: int) -> Trial:
        """
        The round with the probability that the truth was given; of classes that were there before it.
        """

    def learn(self, weight: float) -> None:
        """Learns what was foretold last."""

def calibrated(calibration: Calibration, loop: Loop) -> Loop:
    """The loop, whose rounds have probabilities."""

class IntervalDescent:
    """
    Dual coordinate descent for the comparator that keeps its scores in the intervals.
    """

    def __init__(self, *, w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], dual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], margin: float, epsilon: float, cap: float, ridge: float) -> None: ...

    block: Final[int] = ...
    """Rows a block."""

    def sweep(self, batch: Batch, outcomes: Outcomes, blocks: Annotated[NDArray[numpy.uint32], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None:
        """Visits every row of the listed blocks once."""

    def gain(self, outcomes: Outcomes) -> float:
        """The part of the dual objective that is linear in the dual numbers."""

class LossKind(enum.Enum):
    given = 0

    zero_one = 1

    absolute = 2

    square = 3

    percentage = 4

    pinball = 5

    log = 6

    brier = 7

class LossSpec:
    """
    A loss of the compiled loop; low above high or nan says that no range is declared.
    """

    def __init__(self, kind: LossKind, *, quantile: float = 0.5, low: float = float('nan'), high: float = float('nan')) -> None: ...

    def of(self, x: float, y: float) -> float: ...

    def gradient(self, x: float, y: float) -> float: ...

class ExpertTotals:
    """The running totals of a run of an expert rule."""

    def __init__(self, experts: int, low: float = 0.0) -> None: ...

    def copy(self) -> ExpertTotals: ...

    def restore(self, saved: ExpertTotals) -> None: ...

    def parts(self) -> dict[str, list[float]]:
        """
        Every total as it is kept, so that it can be stored and restored exactly.
        """

    @staticmethod
    def from_parts(parts: dict[str, list[float]]) -> ExpertTotals: ...

    def record(self, *, losses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], awake: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], own: float, mistaken: bool, variance: float, least: float, most: float, range: float, mean: float) -> None:
        """Adds one round."""

    @property
    def rounds(self) -> int: ...

    @property
    def mistakes(self) -> int: ...

    @property
    def loss(self) -> float: ...

    @property
    def variance(self) -> float: ...

    @property
    def smallest_loss(self) -> float: ...

    @property
    def largest_loss(self) -> float: ...

    @property
    def largest_range(self) -> float: ...

    @property
    def low(self) -> float: ...

    @property
    def above_mean(self) -> float: ...

    @property
    def scale(self) -> float: ...

    @scale.setter
    def scale(self, arg: float, /) -> None: ...

    @property
    def charged(self) -> float: ...

    @charged.setter
    def charged(self, arg: float, /) -> None: ...

    @property
    def losses(self) -> NDArray[numpy.float64]: ...

    @property
    def squares(self) -> NDArray[numpy.float64]: ...

    @property
    def asleep(self) -> NDArray[numpy.float64]: ...

    @property
    def asleep_loss(self) -> NDArray[numpy.float64]: ...

class Pace:
    """How the learning rate goes with the rounds."""

    @staticmethod
    def fixed(eta: float) -> Pace: ...

    @staticmethod
    def doubling(log_experts: float) -> Pace: ...

    @staticmethod
    def doubling_beta(log_experts: float) -> Pace: ...

    @staticmethod
    def anytime(log_experts: float) -> Pace: ...

    def rate(self, rounds: float) -> float:
        """The rate after so many rounds."""

class CompiledExperts:
    """An expert rule bound to the arrays of a state."""

def hedge(*, losses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], log_prior: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], rounds: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], pace: Pace) -> CompiledExperts: ...

def randomized_hedge(*, losses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], log_prior: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], rounds: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], pace: Pace, seed: int) -> CompiledExperts: ...

def brier_aggregation(*, losses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], log_prior: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], rounds: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], eta: float) -> CompiledExperts: ...

@overload
def majority(*, mistakes: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], beta: float, always: bool) -> CompiledExperts: ...

@overload
def majority(*, w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], known: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> Loop: ...

def multiplicative(*, log_weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], beta: float) -> CompiledExperts: ...

def polynomial(*, regrets: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], alpha: float) -> CompiledExperts: ...

def fixed_share(*, shares: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], eta: float, alpha: float) -> CompiledExperts: ...

def adahedge(*, losses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], gap: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> CompiledExperts: ...

def ml_pol(*, regrets: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], inverse_rates: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], largest: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> CompiledExperts: ...

def ml_prod(*, log_weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], rates: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], squares: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], largest: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> CompiledExperts: ...

def ml_ewa(*, regrets: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], squares: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> CompiledExperts: ...

def boa(*, regrets: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], squares: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> CompiledExperts: ...

def internal_regret(*, swaps: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], size: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], rounds: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], pace: Pace) -> CompiledExperts: ...

def swap_regret(*, swaps: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], size: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], log_weights: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], step: float) -> CompiledExperts: ...

def perturbed_leader(*, losses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], rounds: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], pace: Pace, seed: int) -> CompiledExperts: ...

def calibrated_exponential_weights(*, regrets: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], losses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], grid: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], best: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], start: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> CompiledExperts: ...

def calibrated_fixed_share(*, shares: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], losses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], grid: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], best: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], start: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], alphas: Sequence[float]) -> CompiledExperts: ...

def gradient_descent(*, point: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], largest: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], rounds: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], paid: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], power: float, centred: bool) -> CompiledExperts: ...

def regularized_leader(*, losses: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], squares: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], paid: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> CompiledExperts: ...

def ridge_weights(*, inverse: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], moments: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], scale: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], squares: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], paid: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], largest: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], ridge: float) -> CompiledExperts: ...

class ExpertLoop:
    """An expert rule, its loss and the rounds."""

    def __init__(self, compiled: CompiledExperts, loss: LossSpec, *, unit: bool, votes: bool, squares: bool, gradient: bool, sleepers: bool = True) -> None: ...

    def learn(self, advice: NDArray[numpy.float64] | NDArray[numpy.float32], outcomes: NDArray[numpy.float64] | None, totals: ExpertTotals, *, prediction: NDArray[numpy.float64] | None = None, loss: NDArray[numpy.float64] | None = None, weights: NDArray[numpy.float64] | None = None) -> None:
        """Learns the rows in order."""

    @property
    def torn(self) -> bool:
        """Whether a round was begun and not ended: never."""

    def learn_row(self, advice: NDArray[numpy.float64] | list[float | None] | tuple[float | None, ...], outcome: float, totals: ExpertTotals) -> float:
        """Learns one round; returns what was predicted."""

    def predict_row(self, advice: NDArray[numpy.float64] | list[float | None] | tuple[float | None, ...]) -> float:
        """What would be predicted."""

    def weights_row(self, advice: NDArray[numpy.float64] | list[float | None] | tuple[float | None, ...]) -> NDArray[numpy.float64]:
        """The weights among those that give advice."""

def exp(x: float) -> float:
    """The exponential of the compiled loops, for x <= 709."""

class Features:
    """Names of features and their numbers, in the order of first appearance."""

    def __init__(self, *, skips_missing: bool = False) -> None: ...

    def __len__(self) -> int: ...

    def names(self) -> list[str | int]: ...

    def hashes(self) -> NDArray[numpy.uint64]:
        """A hash of each name, the same in every process."""

    def numbers(self, names: Iterable[str | int], grow: bool) -> NDArray[numpy.int64]:
        """
        The numbers of many names, -1 for a name not seen before unless it is added.
        """

    @property
    def numbered(self) -> bool:
        """
        Whether the first name is the number of a column, or there is none yet.
        """

    def truncate(self, size: int) -> None:
        """Forgets the names from number `size` on."""

    @property
    def longest_search(self) -> int:
        """How many slots the longest look-up of a name visits."""

    def encode(self, dicts: Iterable[dict[str | int, float]], grow: bool) -> Batch:
        """A batch with a row a dict."""

    def encode_columns(self, columns: Batch, grow: bool) -> Batch:
        """
        The rows of a batch of columns by number, with the numbers for names; a 0 is not there.
        """

    def encode_row(self, x: dict[str | int, float], grow: bool, into: Batch) -> None:
        """Makes `into`, a batch of no one else, the batch of one row."""

class FeatureTable:
    """Columns of numbers, categories and texts that become rows of features."""

    def __init__(self, rows: int, *, norm: int, skips_missing: bool) -> None: ...

    def add_numbers(self, name: str, values: NDArray[numpy.float64]) -> None:
        """A column of numbers, nan where there is none."""

    def add_categories(self, name: str, values: list[object]) -> None:
        """A column of categories, None or nan where there is none."""

    def add_text(self, name: str, values: list[object], *, words_least: int, words_most: int, characters_least: int, characters_most: int, lowercase: bool) -> None:
        """
        A column of texts: runs of so many words and characters; none where the most is 0.
        """

    def add_cross(self, columns: Sequence[int]) -> None:
        """The products of the features of these columns."""

    def chunk(self, hasher: Hasher) -> Chunk:
        """The rows; at most one is malformed, and it is the last."""

    def columns(self, hasher: Hasher) -> list[tuple[str, int]]:
        """The name of every feature and its column by hash."""

class Game:
    """A payoff matrix, or two functions that stand for one."""

    @property
    def rows(self) -> int: ...

    @property
    def columns(self) -> int: ...

    def times(self, q: NDArray[numpy.float64]) -> NDArray[numpy.float64]:
        """A q, summed in float64."""

    def transposed_times(self, p: NDArray[numpy.float64]) -> NDArray[numpy.float64]:
        """pᵀA, summed in float64."""

    def measured(self, p: NDArray[numpy.float64], q: NDArray[numpy.float64]) -> tuple[float, float, float, float, float]:
        """
        The smallest and the largest of A q, those of pᵀA, and pᵀA q, summed in float64.
        """

    def restricted(self, rows: NDArray[numpy.bool_], columns: NDArray[numpy.bool_], used_rows: NDArray[numpy.bool_], used_columns: NDArray[numpy.bool_], *, zero: float, unit: float) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64], float]:
        """
        An equilibrium of (A − zero)/unit between some actions by the simplex method, which starts from those that are in use, and its gap.
        """

    def of_few_features(self, rows: NDArray[numpy.bool_], columns: NDArray[numpy.bool_], *, most: int, zero: float, unit: float) -> bool:
        """
        Whether the payoffs between some actions have no higher rank than that, a constant counted and what is below a hundredth of their range not, and are not 0 for the most part.
        """

    def short_copy(self, *, zero: float, unit: float) -> Game:
        """
        A copy (A − zero)/unit in 16 bits, for payoffs that are at most unit/2 from zero; it multiplies strategies, which it rounds to as many bits.
        """

    def summary(self, sign: float) -> tuple[float, float, tuple[int, int] | None]:
        """
        The smallest and the largest payoff, and the row and column of an equilibrium without mixing, if there is one; the sign is +1 where the row player maximises, and -1 where it minimises.
        """

def matrix_game(batch: Batch, transposed: bool) -> Game:
    """The game of a batch's rows."""

def function_game(times: Callable[[NDArray[numpy.float64]], NDArray[numpy.float64]], transposed_times: Callable[[NDArray[numpy.float64]], NDArray[numpy.float64]], rows: int, columns: int) -> Game:
    """The game of two functions, A@q and p@A."""

class Duel:
    """Two players of a zero-sum game and the averages of what they played."""

    def play(self, game: Game, rounds: int, gap: float, whole: bool = True) -> None:
        """
        Plays until the gap of the averages is reached, at most so many rounds; unless it is to be the whole game, actions that fall far behind leave it, and the gap is that of the others.
        """

    @property
    def narrowed(self) -> bool:
        """Whether actions have left."""

    @property
    def rounds(self) -> int: ...

    @property
    def payoff(self) -> float:
        """The mean of p_tᵀ A q_t."""

    @property
    def bracket(self) -> tuple[float, float]: ...

    @property
    def history(self) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64], NDArray[numpy.float64]]:
        """
        Rounds, and the ends of the bracket after them: a point whenever the rounds have grown by a quarter, and the last.
        """

    @property
    def strategies(self) -> tuple[NDArray[numpy.float64], NDArray[numpy.float64]]:
        """The averages as distributions, to the last bit that a sum can tell."""

    @property
    def row(self) -> NDArray[numpy.float64]: ...

    @property
    def column(self) -> NDArray[numpy.float64]: ...

class ExtensiveDuel(Duel):
    """Two players of a zero-sum game with turns."""

    @property
    def immediate_regret(self) -> float:
        """
        The mean regrets at the decision points, where they are above 0, added up.
        """

def cfr(*, row_parent: NDArray[numpy.int64], row_first: NDArray[numpy.int64], column_parent: NDArray[numpy.int64], column_first: NDArray[numpy.int64], power: float, alternate: bool) -> ExtensiveDuel: ...

def cfr_plus(*, row_parent: NDArray[numpy.int64], row_first: NDArray[numpy.int64], column_parent: NDArray[numpy.int64], column_first: NDArray[numpy.int64], power: float, alternate: bool) -> ExtensiveDuel: ...

def predictive_cfr_plus(*, row_parent: NDArray[numpy.int64], row_first: NDArray[numpy.int64], column_parent: NDArray[numpy.int64], column_first: NDArray[numpy.int64], power: float, alternate: bool, trust: float) -> ExtensiveDuel: ...

def regret_matching_plus(*, rows: int, columns: int, sign: float, power: float) -> Duel: ...

def predictive_regret_matching_plus(*, rows: int, columns: int, sign: float, power: float, trust: float, fading: float) -> Duel: ...

def optimistic_hedge(*, rows: int, columns: int, sign: float, power: float) -> Duel: ...

def hedge_against_best_response(*, rows: int, columns: int, sign: float, eta: float, range: float) -> Duel: ...

def hedge_self_play(*, rows: int, columns: int, sign: float, row_eta: float, column_eta: float, range: float) -> Duel: ...

class Interval:
    """An interval of acceptable scores, each end open or closed."""

    def __init__(self, low: float, high: float, low_open: bool = False, high_open: bool = False) -> None: ...

    @property
    def low(self) -> float: ...

    @property
    def high(self) -> float: ...

    @property
    def low_open(self) -> bool: ...

    @property
    def high_open(self) -> bool: ...

    @staticmethod
    def open_half_line(label: int) -> Interval:
        """(0, inf) for +1, (-inf, 0) for -1."""

    @staticmethod
    def half_line(label: int, margin: float) -> Interval:
        """[margin, inf) for +1, (-inf, -margin] for -1."""

    @staticmethod
    def around(target: float, epsilon: float) -> Interval:
        """[target - epsilon, target + epsilon]."""

class Trial:
    """
    One round before its update: score, interval and where the score stands to it.
    """

    def __init__(self, score: float, interval: Interval, tolerance: float, row: object, label: int, *, weight: float = 1.0, missing: int = 0, truth: int = -1, log_odds: bool = False) -> None: ...

    @staticmethod
    def forecast(score: float, row: Row, label: int, *, weight: float, chance: float) -> Trial:
        """
        A round whose loss is the log loss of the probability that the label was given.
        """

    @property
    def weight(self) -> float:
        """How much the round counts."""

    @property
    def truth(self) -> int:
        """The number of the class, and -1 where outcomes are no classes."""

    @property
    def score(self) -> float: ...

    @property
    def interval(self) -> Interval: ...

    @property
    def label(self) -> int: ...

    @property
    def side(self) -> int:
        """
        +1 when the score must rise, -1 when it must fall, 0 when it is accepted (after the tolerance).
        """

    @property
    def distance(self) -> float:
        """How far the score is outside the interval (after the tolerance)."""

    @property
    def loss(self) -> float:
        """How far the score is outside the interval, without a tolerance."""

class Step:
    """What an update did."""

    @staticmethod
    def stay() -> Step:
        """Nothing moved."""

    @staticmethod
    def by(size: float) -> Step:
        """The weights moved by size * x, and nothing else did."""

    @staticmethod
    def otherwise(size: float) -> Step:
        """The state moved in another way; the size is a measure of it."""

    @staticmethod
    def cannot() -> Step:
        """A loss that no weights could have avoided; nothing moved."""

    @property
    def size(self) -> float: ...

    @property
    def moved(self) -> bool: ...

    @property
    def impossible(self) -> bool: ...

    @property
    def along(self) -> bool:
        """Whether size * x is the whole change of the weights."""

class Decision:
    """
    What was predicted: the sign, and the probability with which it could have been +1.
    """

    def __init__(self, sign: int, chance_positive: float, randomized: bool) -> None: ...

    @staticmethod
    def by_sign(score: float) -> Decision:
        """The sign of the score, +1 at 0."""

    @property
    def sign(self) -> int: ...

    @property
    def chance_positive(self) -> float: ...

    @property
    def randomized(self) -> bool: ...

class Totals:
    """The running totals of a run."""

    def __init__(self) -> None: ...

    def record(self, trial: Trial, decision: Decision, step: Step) -> None:
        """Adds one round."""

    def witness(self, batch: Batch, outcomes: Outcomes, begin: int, end: int) -> None:
        """Adds rows to the fingerprints."""

    def merge(self, other: Totals) -> None:
        """Adds the totals of another stretch of the stream."""

    @staticmethod
    def mistaken(trial: Trial, decision: Decision) -> bool: ...

    def copy(self) -> Totals:
        """Totals of their own with the same numbers."""

    def parts(self) -> dict[str, float | tuple[float, ...]]:
        """
        Every total, sums as (total, correction), so that it can be stored and restored exactly.
        """

    @staticmethod
    def from_parts(parts: dict[str, float | tuple[float, ...]]) -> Totals: ...

    @staticmethod
    def kinds() -> dict[str, str]:
        """What kind of total each is, which says how two of them merge."""

    @staticmethod
    def declared() -> list[tuple[str, int | float, str]]:
        """
        Every total: its name, its value before the first round, and words where it is shown.
        """

    @property
    def weight(self) -> float:
        """The weights of the rounds."""

    @property
    def weighted_loss(self) -> float:
        """The losses, each times the weight of its round."""

    @property
    def weighted_mistakes(self) -> float:
        """The weights of the mistakes."""

    @property
    def rounds(self) -> int: ...

    @property
    def mistakes(self) -> int: ...

    @property
    def updates(self) -> int: ...

    @property
    def impossible(self) -> int: ...

    @property
    def loss(self) -> float: ...

    @property
    def loss_squared(self) -> float: ...

    @property
    def tolerated_loss(self) -> float: ...

    @property
    def expected_mistakes(self) -> float: ...

    @property
    def largest_loss(self) -> float: ...

    @property
    def zero_loss(self) -> float: ...

    @property
    def zero_loss_squared(self) -> float: ...

    @property
    def forecasts(self) -> int: ...

    @property
    def log_loss(self) -> float: ...

    @property
    def brier(self) -> float: ...

    @property
    def tenths(self) -> tuple[tuple[int, int, float], ...]: ...

    @property
    def positives(self) -> int: ...

    @property
    def shown_errors(self) -> int: ...

    @property
    def two_labels(self) -> int: ...

    @property
    def missed(self) -> int: ...

    @property
    def false_alarms(self) -> int: ...

    @property
    def pairs(self) -> int: ...

    @property
    def ordered(self) -> float: ...

    @property
    def negative_score(self) -> float: ...

    @property
    def positive_score(self) -> float: ...

    @property
    def majority_errors(self) -> int: ...

    @property
    def last_label_errors(self) -> int: ...

    @property
    def targets(self) -> int: ...

    @property
    def absolute_error(self) -> float: ...

    @property
    def squared_error(self) -> float: ...

    @property
    def target(self) -> float: ...

    @property
    def target_squared(self) -> float: ...

    @property
    def mean_error(self) -> float: ...

    @property
    def last_value_error(self) -> float: ...

    @property
    def last_outcome(self) -> float: ...

    @property
    def smallest_margin(self) -> float: ...

    @property
    def largest_norm_squared(self) -> float: ...

    @property
    def largest_update_norm_squared(self) -> float: ...

    @property
    def largest_update_entry(self) -> float: ...

    @property
    def update_norm_squared(self) -> float: ...

    @property
    def step_loss(self) -> float: ...

    @property
    def largest_entry(self) -> float: ...

    @property
    def missing(self) -> int: ...

    @property
    def extra_weight(self) -> float: ...

    @property
    def extra_loss(self) -> float: ...

    @property
    def extra_mistakes(self) -> float: ...

    @property
    def smallest_weight(self) -> float: ...

    @property
    def largest_weight(self) -> float: ...

    @property
    def witnessed(self) -> int: ...

    @property
    def fingerprint(self) -> int: ...

    @property
    def sequence(self) -> int: ...

    @property
    def other_updates(self) -> int: ...

class Average:
    """The arrays that keep the sum of the weights over the rounds."""

    def __init__(self, drift: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], settled: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], mass: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None: ...

class RoundColumns:
    """Arrays to be filled, one value per round; None for what is not kept."""

    def __init__(self, count: int, *, score: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')] | None = None, loss: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')] | None = None, step: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')] | None = None, mistake: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')] | None = None, update: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')] | None = None, shown: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')] | None = None) -> None: ...

    def write(self, t: int, trial: Trial, decision: Decision, step: Step, shows: int | None = None) -> None: ...

def is_wild(batch: Batch, outcomes: Outcomes, totals: Totals) -> bool:
    """
    Whether a value, target or weight among these rows, or those before, is so large that a sum of them may be none.
    """

class Loop:
    """A rule bound to the arrays of a state."""

    def learn(self, batch: Batch, outcomes: Outcomes, totals: Totals, columns: RoundColumns, begin: int, end: int) -> None:
        """Learns the rows from begin to end in order."""

    def learn_row(self, batch: Batch, outcomes: Outcomes, totals: Totals) -> tuple[float, int]:
        """
        Learns the only row of a batch; returns its score and the sign that was predicted.
        """

    def score(self, batch: Batch, out: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """Fills out with the scores of the rows."""

    def judge(self, batch: Batch, out: Annotated[NDArray[numpy.int32], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """
        Fills out with the sign of each row's score, 0 for 0; of many classes the first with the largest.
        """

    def score_row(self, batch: Batch) -> tuple[float, int]:
        """Score and predicted sign of the only row of a batch."""

    @property
    def scores(self) -> int:
        """How many scores a row has."""

    @property
    def torn(self) -> bool:
        """Whether a round was begun and not ended: never."""

    def signs(self, scores: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], out: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu')]) -> None:
        """
        Fills out with what would be predicted for the scores, were they those of the next rounds.
        """

def perceptron(*, w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], eta: float, tolerance: float, average: Average | None = None) -> Loop: ...

def randomized_perceptron(*, w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], draws: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], eta: float, seed: int, average: Average | None = None) -> Loop: ...

def margin_perceptron(*, w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], norm_squared: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], since_refresh: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], rho: float, average: Average | None = None) -> Loop: ...

def online_svm(*, v: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], scale: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], rounds: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], eta: float, C: float, shrink_at_kink: bool, average: Average | None = None) -> Loop: ...

def passive_aggressive(*, w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], margin: float, epsilon: float, average: Average | None = None) -> Loop: ...

def passive_aggressive_capped(*, w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], margin: float, epsilon: float, C: float, average: Average | None = None) -> Loop: ...

def passive_aggressive_relaxed(*, w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], margin: float, epsilon: float, gamma: float, average: Average | None = None) -> Loop: ...

def batch_passive_aggressive(*, w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], margin: float, epsilon: float, beta: float, average: Average | None = None) -> Loop: ...

def arow(*, w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], precision: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], r: float, average: Average | None = None) -> Loop: ...

def online_ridge(*, w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], root: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], sums: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], residual: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], log_det: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], largest_target: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], forward: bool) -> Loop: ...

def ada_grad(*, w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], squares: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], low: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], high: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], slack: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], eta: float, logistic: bool, average: Average | None = None) -> Loop: ...

def square_ada_grad(*, w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], squares: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], low: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], high: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], slack: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], eta: float, average: Average | None = None) -> Loop: ...

def full_arow(*, w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], root: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], log_det: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], r: float, average: Average | None = None) -> Loop: ...

def logistic_filter(*, w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], root: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> Loop: ...

def naive_bayes(*, w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], positive: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], negative: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], totals: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> Loop: ...

def last_label(*, w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], known: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> Loop: ...

def running_mean(*, w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], known: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> Loop: ...

def last_value(*, w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], known: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> Loop: ...

def markov(*, w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], known: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], order: int, decay: float) -> Loop: ...

def fixed(*, w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], margin: float, epsilon: float, logistic: bool, average: Average | None = None) -> Loop: ...

class DictRounds:
    """
    Dicts and known labels straight into a loop; None where the long way is to be taken.
    """

    def __init__(self, loop: Loop, features: Features, totals: Totals, numbers: dict[Hashable, int], labels: list[Hashable], until: int) -> None: ...

    def learn(self, x: object, y: object) -> Hashable | None:
        """
        One round: learns the dict and returns the label that was predicted before.
        """

    def predict(self, x: object) -> Hashable | None:
        """The label for a dict."""

    def fits(self, x: object, y: object) -> bool:
        """
        Whether the dict and the label can be learned, as far as the short way can tell. Nothing changes.
        """

    def close(self) -> None:
        """From now on every answer is None."""

class VoteRounds:
    """
    Dicts and known labels straight into the loops of a master's learners and of its vote; None where the long way is to be taken.
    """

    def __init__(self, ways: list[DictRounds], loop: Loop, totals: Totals, labels: list[Hashable], wrong: NDArray[numpy.float64], until: int) -> None: ...

    def learn(self, x: object, y: object) -> Hashable | None:
        """
        One round of all: learns the dict and returns the label that was predicted before.
        """

    def predict(self, x: object) -> Hashable | None:
        """The label for a dict."""

    def close(self) -> None:
        """From now on every answer is None."""

def multiclass_perceptron(*, w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], met: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], room: int, eta: float, share: str, average: Average | None = None) -> Loop: ...

def multiclass_passive_aggressive(*, w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], met: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], room: int, margin: float, average: Average | None = None) -> Loop: ...

def multiclass_passive_aggressive_capped(*, w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], met: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], room: int, margin: float, C: float, average: Average | None = None) -> Loop: ...

def multiclass_passive_aggressive_relaxed(*, w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], met: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], room: int, margin: float, gamma: float, average: Average | None = None) -> Loop: ...

def multiclass_fixed(*, w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], met: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], room: int, margin: float, average: Average | None = None) -> Loop: ...

def one_versus_rest(*, loops: list[Loop], states: list[list[NDArray[numpy.float64]]], met: NDArray[numpy.float64], margin: float) -> Loop:
    """
    Binary learners side by side: the first for a class that was not met yet, then one per class.
    """

def kernel_one_versus_rest(*, loops: list[Loop], expansions: list[Expansion], met: NDArray[numpy.float64], margin: float) -> Loop:
    """The same for learners with a kernel."""

class KernelFunction:
    """A kernel that the core evaluates."""

    @staticmethod
    def linear() -> KernelFunction:
        """x.z"""

    @staticmethod
    def polynomial(gamma: float, constant: float, degree: int) -> KernelFunction:
        """(gamma x.z + constant)^degree"""

    @staticmethod
    def gaussian(gamma: float) -> KernelFunction:
        """exp(-gamma |x-z|^2)"""

    @staticmethod
    def laplace(gamma: float) -> KernelFunction:
        """exp(-gamma |x-z|_1)"""

class Expansion:
    """w = sum_p alpha_p phi(x_p): the state of a kernel rule."""

    def __init__(self, kernel: KernelFunction, *, budget: int, project: bool) -> None: ...

    def copy(self) -> Expansion: ...

    def restore(self, saved: Expansion) -> None: ...

    def take(self, saved: Expansion) -> None:
        """Becomes what a copy is that is of no more use then."""

    def look(self, batch: Batch, t: int) -> None:
        """Evaluates the kernel between a row and every point."""

    def hold(self, batch: Batch) -> None:
        """Every row becomes a point of its own, with coefficient 0."""

    def replay(self, batch: Batch, *, signs: Annotated[NDArray[numpy.int8], dict(shape=(None,), order='C', device='cpu', writable=False)], first: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], update: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu', writable=False)], step: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)], later: Annotated[NDArray[numpy.int64], dict(shape=(None,), order='C', device='cpu')], own: Annotated[NDArray[numpy.uint8], dict(shape=(None,), order='C', device='cpu')], begin: int, end: int) -> None:
        """
        Scores rows of a run again, each by every hypothesis until then, and counts what they get wrong.
        """

    def score(self) -> float:
        """w.phi(x) of the row last looked at."""

    def self(self) -> float:
        """K(x, x) of the row last looked at."""

    def values(self) -> NDArray[numpy.float64]:
        """K(x, x_p) of the row last looked at, for every point p."""

    def add(self, step: float) -> None:
        """w += step * phi(x), within the budget."""

    def shrink(self, factor: float) -> None:
        """w *= factor."""

    def mirror(self) -> None:
        """w *= -1, in the average too."""

    def begin_round(self) -> None: ...

    def points(self) -> tuple[NDArray[numpy.int64], NDArray[numpy.int64], NDArray[numpy.float64]]:
        """
        The support points as the arrays (start, index, value) of a CSR matrix.
        """

    def coefficients(self) -> NDArray[numpy.float64]:
        """The coefficient of each point in w."""

    def averaged(self) -> NDArray[numpy.float64]:
        """The coefficient of each point in the mean of the w used so far."""

    def parts(self) -> dict[str, NDArray[numpy.float64]]:
        """Everything that decides how the expansion goes on, as arrays by name."""

    def refill(self, parts: dict[str, NDArray[numpy.float64]]) -> None:
        """Makes an empty expansion what `parts` told of."""

    @property
    def budget(self) -> int: ...

    @property
    def project(self) -> bool: ...

    def set_coefficients(self, values: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu', writable=False)]) -> None: ...

    def __len__(self) -> int: ...

    @property
    def norm_squared(self) -> float: ...

    @property
    def self_sum(self) -> float: ...

    @property
    def distortion(self) -> float: ...

    @property
    def rounds(self) -> float: ...

    @property
    def dropped(self) -> int: ...

def kernel_perceptron(w: Expansion, *, eta: float) -> Loop: ...

def kernel_passive_aggressive(w: Expansion, *, margin: float, epsilon: float) -> Loop: ...

def kernel_passive_aggressive_capped(w: Expansion, *, margin: float, epsilon: float, C: float) -> Loop: ...

def kernel_passive_aggressive_relaxed(w: Expansion, *, margin: float, epsilon: float, gamma: float) -> Loop: ...

def kernel_uniclass(w: Expansion, *, epsilon: float) -> Loop: ...

def kernel_fixed(w: Expansion, *, margin: float, epsilon: float) -> Loop: ...

def uniclass(*, v: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], scale: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], norm_squared: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], since_refresh: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], rounds: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], epsilon: float, beta: float) -> Loop: ...

def adaptive_uniclass(*, w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], variance: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], rounds: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threshold: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], largest: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], flag: float, eta: float) -> Loop: ...

def adaptive_kernel_uniclass(*, w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], variance: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], points: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], rounds: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], threshold: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], largest: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], budget: int, seed: int, flag: float, eta: float) -> Loop: ...

def radius_uniclass(*, w: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], lift: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], rounds: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], bound: float, cap: float, relaxation: float) -> Loop: ...

def multiplicative_uniclass(*, theta: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], power: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], seen: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], order: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], count: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], rest: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], shift: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], total: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], squares: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], epsilon: float) -> Loop: ...

class Pool:
    """What a pool for labels has learned."""

    def __init__(self, *, narrow_views: bool, members: list[float], threshold: float, largest_weight: float) -> None: ...

    @property
    def narrow_views(self) -> bool: ...

    @property
    def members(self) -> list[float]:
        """1 of every member that takes part, 0 of the others."""

    @members.setter
    def members(self, arg: list[float], /) -> None: ...

    @property
    def threshold(self) -> float: ...

    @property
    def largest_weight(self) -> float: ...

    @property
    def classes(self) -> int:
        """How many scores a row has."""

    def parts(self) -> dict[str, NDArray[numpy.float64]]:
        """Everything, as arrays."""

    def refill(self, arrays: dict[str, NDArray[numpy.float64]]) -> None:
        """Takes over what another one had."""

    def copy(self) -> Pool:
        """One of its own that knows the same."""

    def restore(self, saved: Pool) -> None:
        """Back to a copy made earlier, which is given up by it."""

    def counts(self) -> NDArray[numpy.float64]:
        """In how many rows each feature was met."""

    def keep(self, places: NDArray[numpy.int64]) -> None:
        """
        Forgets all features but those at these places, which they have in this order from now on.
        """

    def accounts(self) -> dict[str, list[float]]:
        """
        Weights and log losses of the experts, class by class: of members and of views.
        """

    def explain(self, batch: Batch) -> tuple[list[int], list[tuple[float, NDArray[numpy.float64], float]]]:
        """
        Of the first row: its features, counted from 1; and of every score what it is, what each member says of the constant and the features, and the rest.
        """

    def heaviness(self, number: int) -> NDArray[numpy.float64]:
        """
        Of every feature, what a value as large as usual adds to the log-odds of a class.
        """

    def loop(self) -> Loop:
        """The loop that learns by it."""

class TargetPool:
    """What a pool for targets has learned."""

    def __init__(self, *, narrow_views: bool) -> None: ...

    @property
    def narrow_views(self) -> bool: ...

    def parts(self) -> dict[str, NDArray[numpy.float64]]:
        """Everything, as arrays."""

    def refill(self, arrays: dict[str, NDArray[numpy.float64]]) -> None:
        """Takes over what another one had."""

    def copy(self) -> TargetPool:
        """One of its own that knows the same."""

    def counts(self) -> NDArray[numpy.float64]:
        """In how many rows each feature was met."""

    def keep(self, places: NDArray[numpy.int64]) -> None:
        """
        Forgets all features but those at these places, which they have in this order from now on.
        """

    def accounts(self) -> dict[str, list[float]]:
        """
        Weights and sums of squared errors of the experts: of members and of views.
        """

    def explain(self, batch: Batch) -> tuple[list[int], list[tuple[float, NDArray[numpy.float64], float]]]:
        """
        Of the first row: its features, counted from 1; and of every score what it is, what each member says of the constant and the features, and the rest.
        """

    def heaviness(self) -> NDArray[numpy.float64]:
        """
        Of every feature, what a value as large as usual adds to the prediction.
        """

    def restore(self, saved: TargetPool) -> None:
        """Back to a copy made earlier, which is given up by it."""

    def loop(self) -> Loop:
        """The loop that learns by it."""

class Chunk:
    """
    Rows read from a piece of text, their labels, and the lines that could not be read.
    """

    def __len__(self) -> int: ...

    @property
    def width(self) -> int:
        """One more than the largest index."""

    @property
    def lines(self) -> int:
        """How many lines were read."""

    @property
    def start(self) -> NDArray[numpy.int32]:
        """The offsets of the rows."""

    @property
    def index(self) -> NDArray[numpy.int32]:
        """The features of the rows."""

    @property
    def value(self) -> NDArray[numpy.float64]:
        """Their values."""

    @property
    def label(self) -> NDArray[numpy.float64]:
        """The labels that are numbers; nan where there is none or it is a word."""

    @property
    def label_bytes(self) -> bytes:
        """A copy of them, eight bytes each."""

    @property
    def has_words(self) -> bool:
        """Whether a label is a word, and no number."""

    @property
    def unlabelled(self) -> bool:
        """Whether a label is no number."""

    def labels_unlike(self, known: Sequence[float], most: int) -> list[float]:
        """
        The labels that are other numbers than these, in the order in which they come first, at most so many.
        """

    def signs(self, negative: float, positive: float) -> Outcomes:
        """The labels as outcomes of a rule of two."""

    @property
    def weighed(self) -> bool:
        """Whether a row has another weight than 1."""

    @property
    def weight(self) -> NDArray[numpy.float64]:
        """The weights of the rows; empty if every one is 1."""

    @property
    def missing(self) -> NDArray[numpy.uint32]:
        """How many values of each row are not there; empty if every one is."""

    @property
    def lacks(self) -> bool:
        """Whether a value is not there."""

    @property
    def first_missing(self) -> str:
        """What the first of them is called."""

    @property
    def words(self) -> list[tuple[int, str]]:
        """Labels that are words, with their rows."""

    @property
    def tags(self) -> list[tuple[int, str]]:
        """Tags, with their rows."""

    @property
    def names(self) -> list[str]:
        """The names of the features, where they are known by name."""

    @property
    def hashed_names(self) -> dict[int, str]:
        """
        The names of hashed features by their column, where they were to be kept.
        """

    @property
    def malformed(self) -> list[tuple[int, str, str]]:
        """
        The lines that could not be read: number from 0, what was expected, what was found.
        """

    @property
    def named(self) -> bool:
        """Whether the features are known by name."""

    @property
    def ended(self) -> bool:
        """Whether the mark at the end of a cache was seen."""

    def batch(self, width: int) -> Batch:
        """The rows as a batch of this width, over the chunk's own arrays."""

    def chosen(self, rows: Sequence[int]) -> Chunk:
        """Some of the rows as a chunk of their own, in this order."""

    def renumbered(self, numbers: NDArray[numpy.int64], width: int) -> Batch:
        """
        The rows as a batch with the named features under these numbers; -1 leaves one out.
        """

def unlike(values: NDArray[numpy.float64], known: Sequence[float], most: int) -> list[float]:
    """
    The values that are other numbers than these, in the order in which they come first, at most so many.
    """

class CsvTable:
    """The columns of a CSV file: what each is, and how fields are separated."""

    def __init__(self, separator: str, quotes: bool, names: Sequence[str], columns: Sequence[int], missing: Sequence[str], header: bytes = ...) -> None: ...

    def settle(self, text: bytes | memoryview | NDArray[numpy.uint8]) -> None:
        """
        Lets the first records of the text decide which columns hold numbers, dates and categories.
        """

    @property
    def with_commas(self) -> list[int]:
        """The columns of numbers that have a comma for their point."""

    @property
    def kinds(self) -> list[int]:
        """The kind of each column."""

    def first_record(self, text: bytes | memoryview | NDArray[numpy.uint8]) -> tuple[list[str], int]:
        """The fields of the first record, and where it ends."""

class Hasher:
    """
    How features become indices: by position or name, or hashed to so many bits.
    """

    def __init__(self, *, bits: int | None, hash_all: bool, constant: bool, interactions: Sequence[str] = [], names: bool = False, indicates: bool = False) -> None: ...

class Parser:
    """A format bound to one file."""

    def parse(self, text: bytes | memoryview | NDArray[numpy.uint8]) -> Chunk:
        """The rows of a piece of whole records."""

    def cut(self, text: bytes | memoryview | NDArray[numpy.uint8]) -> int:
        """Where the last whole record ends; 0 if none does."""

def svmlight_parser(hasher: Hasher, skips: bool) -> Parser:
    """For lines `label index:value ...`."""

def vowpal_parser(hasher: Hasher, skips: bool) -> Parser:
    """For lines `label weight 'tag |namespace name:value ...`."""

def csv_parser(table: CsvTable, hasher: Hasher, skips: bool) -> Parser:
    """For records of comma-separated values."""

def json_parser(label: str, weight: str, ignored: Sequence[str], hasher: Hasher, skips: bool, held: Mapping[str, int] = {}, missing: Sequence[str] = []) -> Parser:
    """For an object per line."""

def cache_parser(named: bool) -> Parser:
    """For records of a cache."""

def cache_record(chunk: Chunk) -> bytes:
    """A chunk as it is kept in a cache."""

def cache_end() -> bytes:
    """What stands at the end of a cache."""

class Pipeline:
    """
    A file read and parsed by threads ahead of whoever asks for its chunks.
    """

    def __init__(self, descriptor: int, parser: Parser, *, chunk: int, ahead: int, record: int, workers: int) -> None: ...

    def next(self, name: str) -> Chunk | None:
        """
        The next chunk in the order of the file, or None at its end; the file is named where it cannot be read.
        """

    def close(self) -> None:
        """Ends the threads."""

def columns_chunk(numbers: Sequence[tuple[str, NDArray[numpy.float64]]], categories: Sequence[tuple[str, NDArray[numpy.int32], list[str]]], labels: NDArray[numpy.float64], weights: NDArray[numpy.float64] | None, hasher: Hasher, skips: bool) -> Chunk:
    """
    Rows of columns: numbers (nan for none) and categories by their numbers (-1 for none).
    """

def lists_chunk(start: NDArray[numpy.int32], index: NDArray[numpy.int64], value: NDArray[numpy.float64], labels: NDArray[numpy.float64], weights: NDArray[numpy.float64] | None, hasher: Hasher, skips: bool) -> Chunk:
    """Rows in CSR form, of any order."""

def feature_hash(name: bytes, seed: int = 0, hash_all: bool = False) -> int:
    """
    The number of a name in Vowpal Wabbit's scheme, before it is cut to bits; the seed is the namespace's.
    """

def checksum(data: NDArray[numpy.uint8]) -> int:
    """XXH64 of the bytes."""

def read_number(text: str) -> float | None:
    """The number a text is, or None."""

class View:
    """Running scales bound to the arrays that they are kept in."""

    def learn(self, batch: Batch, outcomes: Outcomes, begin: int, end: int) -> Batch:
        """
        Rows as a rule is shown them, each once the scales have taken it in; those of weight 0 they do not keep.
        """

    def show(self, batch: Batch, begin: int, end: int) -> Batch:
        """Each of the rows as it would be shown if it came next."""

def max_scale(*, largest: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> View: ...

def mean_square_scale(*, mean: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], count: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> View: ...

def gauge(*, level: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], count: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> View: ...

def standard_scale(*, mean: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], squares: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], rounds: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> View: ...

def evidence(*, positive: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], negative: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], totals: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], met: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')]) -> View: ...

def cut_columns(*, samples: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], noted: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], cuts: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], bins: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], same: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], place: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], rounds: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], paired: bool) -> View: ...

def chain(views: list[View]) -> View:
    """Views one behind another, each on what the one before shows."""

def behind(view: View, loop: Loop) -> Loop:
    """The loop, whose rule sees rows through the view."""

class LogWeights:
    """The arrays of log-weights and of their normaliser."""

    def __init__(self, *, theta: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], lean: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], weigh: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], shift: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], total: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], correction: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], slack: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], anchor: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], members: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], log_size: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], U: float) -> None: ...

def winnow(*, weights: LogWeights, eta: float, tie_tol: float, average: Average | None = None) -> Loop: ...

def signed_winnow(*, weights: LogWeights, eta: float, tie_tol: float, average: Average | None = None) -> Loop: ...

def exponentiated_update(*, weights: LogWeights, eta: float, tolerance: float, tie_tol: float, average: Average | None = None) -> Loop: ...

def signed_exponentiated_update(*, weights: LogWeights, eta: float, tolerance: float, tie_tol: float, average: Average | None = None) -> Loop: ...

def randomized_exponentiated_update(*, weights: LogWeights, draws: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], eta: float, seed: int, average: Average | None = None) -> Loop: ...

def multiplicative_passive_aggressive(*, weights: LogWeights, largest_spread: Annotated[NDArray[numpy.float64], dict(shape=(None,), order='C', device='cpu')], margin: float, epsilon: float, average: Average | None = None) -> Loop: ...

def first_negative(batch: Batch) -> tuple[int, int, float] | None:
    """Row, feature and value of the first value below 0, or None."""
