"""Every guarantee by its id."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias, final

from littlestone.errors import UnknownName

if TYPE_CHECKING:
    import numpy.typing as npt

    from littlestone.rule import Rule
    from littlestone.theory.conformal import CoverageGuarantee
    from littlestone.theory.counterfactual import CounterfactualGuarantee
    from littlestone.theory.demonstrations import Demonstration
    from littlestone.theory.dimension import MistakeChain
    from littlestone.theory.equilibria import DeviationGuarantee
    from littlestone.theory.evidence import LinearGuarantee
    from littlestone.theory.expert_evidence import ExpertGuarantee
    from littlestone.theory.flagging import FlagGuarantee
    from littlestone.theory.games import GameGuarantee
    from littlestone.theory.interleaved import InterleavedGuarantee
    from littlestone.theory.kernels import KernelGuarantee
    from littlestone.theory.masters import MasterGuarantee
    from littlestone.theory.mixing import MixedGuarantee
    from littlestone.theory.multiclass import MulticlassGuarantee
    from littlestone.theory.one_versus_rest import RestGuarantee
    from littlestone.theory.paths import PathGuarantee
    from littlestone.theory.pool import PoolGuarantee
    from littlestone.theory.risk import RiskGuarantee
    from littlestone.theory.uniclass import UniclassGuarantee

AnyGuarantee: TypeAlias = (
    "LinearGuarantee | ExpertGuarantee | GameGuarantee | KernelGuarantee | UniclassGuarantee | MulticlassGuarantee "
    "| DeviationGuarantee | CounterfactualGuarantee | FlagGuarantee | CoverageGuarantee | PathGuarantee | PoolGuarantee "
    "| RestGuarantee | MasterGuarantee | MixedGuarantee | InterleavedGuarantee"
)
AnyStatement: TypeAlias = "AnyGuarantee | RiskGuarantee | Demonstration"


# The same theorem in other words.
_ALIASES = {"blum.5.10": "mohri.8.8", "lecture.1": "mohri.8.8", "mohri.ex8.2": "mohri.8.8"}


@final
class Theory(Mapping[str, "AnyStatement"]):
    """Every statement of the sources by its id: `ls.theory["mohri.8.8"]`. The families are loaded when first asked for.

    Guarantees about runs, bounds on risks, and statements that can only be demonstrated on an instance.
    """

    @cached_property
    def linear(self) -> dict[str, LinearGuarantee]:
        """The guarantees about linear rules."""
        from littlestone.theory import adaptive, multiplicative, online_svm, passive_aggressive, perceptron, ridge, winnow

        families = (
            perceptron.GUARANTEES,
            passive_aggressive.GUARANTEES,
            adaptive.GUARANTEES,
            ridge.GUARANTEES,
            online_svm.GUARANTEES,
            winnow.GUARANTEES,
            multiplicative.GUARANTEES,
        )
        return {guarantee.id: guarantee for family in families for guarantee in family}

    @cached_property
    def guarantees(self) -> Mapping[str, AnyGuarantee]:
        """The statements that are inequalities about a run."""
        from littlestone.theory import (
            conformal,
            counterfactual,
            equilibria,
            experts,
            flagging,
            games,
            interleaved,
            kernels,
            masters,
            mixing,
            multiclass,
            one_versus_rest,
            paths,
            pool,
            uniclass,
        )

        others: list[AnyGuarantee] = [*experts.GUARANTEES, *games.GUARANTEES, *kernels.GUARANTEES, *uniclass.GUARANTEES]
        others += [
            *equilibria.GUARANTEES,
            *counterfactual.GUARANTEES,
            *flagging.GUARANTEES,
            *conformal.GUARANTEES,
            *paths.GUARANTEES,
            *multiclass.GUARANTEES,
            *one_versus_rest.GUARANTEES,
            *pool.GUARANTEES,
            *masters.GUARANTEES,
            *mixing.GUARANTEES,
            *interleaved.GUARANTEES,
        ]
        return {**self.linear, **{guarantee.id: guarantee for guarantee in others}}

    @cached_property
    def statements(self) -> Mapping[str, AnyStatement]:
        """Every statement by its id."""
        from littlestone.theory import generalization
        from littlestone.theory.demonstrations import DEMONSTRATIONS

        risks = {risk.id: risk for risk in generalization.GUARANTEES}
        return {**self.guarantees, **risks, **DEMONSTRATIONS}

    def __getitem__(self, key: str) -> AnyStatement:
        """The statement of this id.

        Raises:
            UnknownName: if there is none.
        """
        try:
            return self.statements[_ALIASES.get(key, key)]
        except KeyError:
            raise UnknownName(f"there is no theorem {key!r}; there are {', '.join(self.statements)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self.statements)

    def __len__(self) -> int:
        return len(self.statements)

    def __repr__(self) -> str:
        """How many there are and what they are called; `print(ls.theory[id])` says what one of them says."""
        return f"{len(self)} statements: {', '.join(self)}"

    def about(self, rule: Rule) -> list[LinearGuarantee]:
        """The guarantees that speak of a linear rule."""
        return [guarantee for guarantee in self.linear.values() if guarantee.speaks_of(rule)]

    def vc_dimension(self, hypotheses: npt.ArrayLike) -> int:
        """The VC dimension of a small class, a row per hypothesis and a column per point (see `theory.dimension`)."""
        from littlestone.theory.dimension import vc_dimension

        return vc_dimension(hypotheses)

    def littlestone_dimension(self, hypotheses: npt.ArrayLike) -> int:
        """The Littlestone dimension of a small class: the mistakes of the best deterministic learner."""
        from littlestone.theory.dimension import littlestone_dimension

        return littlestone_dimension(hypotheses)

    def halving_mistakes(self, hypotheses: npt.ArrayLike, *, prune: str = "mistake") -> int:
        """The most mistakes that Halving can be made to make on a small class."""
        from littlestone.theory.dimension import halving_mistakes

        return halving_mistakes(hypotheses, prune=prune)

    def mistake_chain(self, hypotheses: npt.ArrayLike) -> MistakeChain:
        """VC dimension ≤ Littlestone dimension ≤ mistakes of Halving ≤ log2 of the size (mohri.8.2)."""
        from littlestone.theory.dimension import mistake_chain

        return mistake_chain(hypotheses)


theory = Theory()
