"""Statements of the sources that are no inequality about a run: each is shown on an instance of any size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

from littlestone.errors import InvalidParameter
from littlestone.theory import instances
from littlestone.theory.instances import Relation


@final
@dataclass(frozen=True, kw_only=True)
class Demonstration:
    """A statement, and a function that shows it on an instance of a given size.

    Example:
        >>> from littlestone.theory.demonstrations import DEMONSTRATIONS
        >>> for shown in DEMONSTRATIONS["mohri.ex8.1"].show(5):
        ...     print(shown)
        updates until every row is right = (4^N − 1)/3: 341 = 341
    """

    id: str
    source: str
    statement: str
    latex: str
    size: int
    """Of the instance that is shown when no other is asked for."""
    instance: Callable[[int], tuple[Relation, ...]]

    def __str__(self) -> str:
        shown = "\n".join(f"  {line}" for line in self.show())
        return f"{self.id}: {self.source}: {self.statement}\n{shown}"

    def show(self, size: int | None = None) -> tuple[Relation, ...]:
        """Both sides of the statement on an instance.

        Raises:
            InvalidParameter: if the size is not a whole number, at least 1.
        """
        if size is not None and (not isinstance(size, int) or isinstance(size, bool) or size < 1):
            raise InvalidParameter(f"size is {size!r}; size must be a whole number, at least 1")
        return self.instance(self.size if size is None else size)


DEMONSTRATIONS: dict[str, Demonstration] = {
    shown.id: shown
    for shown in (
        Demonstration(
            id="mohri.8.2",
            source="Mohri et al., theorem 8.2",
            statement="The VC dimension is at most the mistakes of the best deterministic learner (the Littlestone dimension), "
            "these are at most those of Halving, and these at most log2|H|.",
            latex=r"\mathrm{VCdim}(H) \le \mathrm{opt}(H) \le M_{\mathrm{Halving}}(H) \le \log_2|H|",
            size=7,
            instance=instances.chain,
        ),
        Demonstration(
            id="mohri.det",
            source="Mohri et al., section 8.2.3",
            statement="Every deterministic learner has a regret of at least ⌈T/2⌉ on the sequence that always says the other "
            "label, against the two constant experts.",
            latex=r"R_T \ge \lceil T/2 \rceil",
            size=101,
            instance=instances.anti_prediction,
        ),
        Demonstration(
            id="mohri.8.5",
            source="Mohri et al., theorem 8.5",
            statement="Against a fair coin and two experts every learner has an expected regret of at least √(T/8). Errata: "
            "the printed √T/8 is true and 2.8 times weaker than what its proof gives.",
            latex=r"\mathbb{E}[R_T] = \tfrac12\,\mathbb{E}\Bigl|\sum_t\sigma_t\Bigr| \ge \sqrt{T/8}",
            size=100,
            instance=instances.coin,
        ),
        Demonstration(
            id="mohri.ex8.4",
            source="Mohri et al., exercise 8.4",
            statement="The order of theorem 8.5 is right and its constant is not: √(T/8) is attained at T = 2 only, while the "
            "best learner for two experts promises exactly the regret of the coin.",
            latex=r"\min_{\mathcal A}\max R_T = \tfrac12\,\mathbb{E}\Bigl|\sum_t\sigma_t\Bigr| \sim \sqrt{T/(2\pi)}",
            size=8,
            instance=instances.minimax,
        ),
        Demonstration(
            id="mohri.8.9",
            source="Mohri et al., theorem 8.9",
            statement="The expected risk of the Perceptron cycled over m independent rows until it is right is at most the "
            "expectation of min(M, r²/ρ²)/(m + 1) over m + 1 rows: leave one out.",
            latex=r"\mathbb{E}[R(h_S)] \le \mathbb{E}\Bigl[\frac{\min(M(S),\,r_S^2/\rho_S^2)}{m+1}\Bigr]",
            size=2,
            instance=instances.leave_one_out,
        ),
        Demonstration(
            id="mohri.8.10",
            source="Mohri et al., theorem 8.10",
            statement="The expected risk of the hard-margin machine on m independent rows is at most the expected number of "
            "support vectors on m + 1 rows over m + 1; the support of one dual solution is enough.",
            latex=r"\mathbb{E}[R(h_S)] \le \mathbb{E}\Bigl[\frac{N_{SV}(S)}{m+1}\Bigr]",
            size=2,
            instance=instances.support_vectors,
        ),
        Demonstration(
            id="mohri.ex8.1",
            source="Mohri et al., exercise 8.1, corrected",
            statement="On N rows in N dimensions the Perceptron can need (4^N − 1)/3 updates, far more than the 2^N asked for. "
            "Errata: row i has i − 1 leading components, not i; as printed two updates are enough.",
            latex=r"M = (4^N-1)/3",
            size=6,
            instance=instances.exponentially_many,
        ),
        Demonstration(
            id="mohri.ex8.3",
            source="Mohri et al., exercise 8.3",
            statement="The bound r²/ρ² of the Perceptron is attained by the unit vectors.",
            latex=r"M = T = r^2/\rho^2",
            size=50,
            instance=instances.tight_margin,
        ),
        Demonstration(
            id="mohri.ex8.5",
            source="Mohri et al., exercise 8.5",
            statement="The on-line SVM as printed rests at a margin of exactly 1, which is no subgradient step unless w is a "
            "multiple of yx between 0 and C.",
            latex=r"y\,w\cdot x=1 \implies w_{t+1}=w_t",
            size=5,
            instance=instances.resting_point,
        ),
        Demonstration(
            id="mohri.8.23",
            source="Mohri et al., equation 8.23",
            statement="The Perceptron is stochastic subgradient descent on [−y·w·x]₊ that takes −yx at the kink.",
            latex=r"w_{t+1}=w_t-\eta\,g_t,\quad g_t\in\partial[-y_t\,w\cdot x_t]_+",
            size=200,
            instance=instances.subgradient,
        ),
        Demonstration(
            id="lecture.1vc",
            source="the lecture on Perceptron and Winnow, corollary of theorem 1",
            statement="Vectors of the unit ball that vectors of the unit ball label in all ways with margin δ are at most 1/δ² "
            "many, or the Perceptron would make more mistakes on them than it can.",
            latex=r"n \le 1/\delta^2",
            size=5,
            instance=instances.shattered,
        ),
        Demonstration(
            id="bylander.4",
            source="Bylander 1998, observation 4",
            statement="A classification run with m mistakes holds its mistaken trials, on which the absolute-loss version goes "
            "through the same weights with a loss of at least m.",
            latex=r"m \le L(P;S')",
            size=300,
            instance=instances.mistakes_alone,
        ),
        Demonstration(
            id="bylander.10",
            source="Bylander 1998, observation 10",
            statement="With a tolerance of ½ the loss is at least the expected mistakes of the randomised classifier.",
            latex=r"\mathbb{E}[M] \le L_{1/2}",
            size=300,
            instance=instances.random_labels,
        ),
        Demonstration(
            id="bylander.L1",
            source="Bylander 1998, lemma 1",
            statement="Where the score is below the interval, the loss exceeds that of u by at most u·x − w·x, and where it is "
            "above, by at most w·x − u·x.",
            latex=r"\hat y<I \implies L(w)-L(u) \le u\cdot x-\hat y",
            size=300,
            instance=instances.linear_regret,
        ),
        Demonstration(
            id="bylander.A1",
            source="Bylander 1998, lemma A1",
            statement="For w ≥ 0 with Σw = U and |x| ≤ X: log Σ(wᵢ/U)exp(ηxᵢ) ≤ ηw·x/U + η²X²/2.",
            latex=r"\log\sum_i\tfrac{w_i}{U}e^{\eta x_i} \le \tfrac{\eta\,w\cdot x}{U}+\tfrac{\eta^2X^2}{2}",
            size=2000,
            instance=instances.exponential_sum,
        ),
    )
}
