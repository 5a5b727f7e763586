"""How theorems see the runs of a family of rules; every rule supplies its own (`LinearRule.proofs`)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import numpy.typing as npt

    from littlestone.learner import Learner
    from littlestone.rule import LinearRule
    from littlestone.run import Run
    from littlestone.theory.certificate import Certificate
    from littlestone.theory.evidence import Comparison, LinearGuarantee
    from littlestone.theory.lemmas import Checked, Lemmas
    from littlestone.theory.multiclass import MulticlassGuarantee

Against: TypeAlias = "Run | Comparison | npt.ArrayLike | Literal['best'] | None"
Beside: TypeAlias = "Run | npt.ArrayLike | None"
"""What an audit puts beside a run."""


class Proofs(ABC):
    """What a family of rules is compared with, its certificates, and its rounds one by one."""

    solves: ClassVar[bool] = True
    """Whether against="best" solves for the comparator of each theorem."""

    @abstractmethod
    def certificates(self, of: Run | Learner, against: Against) -> list[Certificate]:
        """Every guarantee that speaks of the rule, in any order."""

    @abstractmethod
    def rounds(self, run: Run, beside: Beside) -> Iterator[list[Checked]]:
        """The run once more by its definition: the lemmas of every round."""

    def weighed(self, rule: LinearRule) -> Mapping[str, LinearGuarantee | MulticlassGuarantee]:
        """The theorems that compare the rule with fixed weights over the features, by id."""
        return {}

    def lemmas(self, run: Run) -> Lemmas:
        """The lemmas about weights over the features, for whoever looks at single rounds."""
        return {}
