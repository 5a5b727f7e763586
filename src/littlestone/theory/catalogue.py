"""Every guarantee by its id."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol, TypeAlias, final

from littlestone.errors import UnknownName
from littlestone.rule import Rule
from littlestone.theory import (
    dimension,
    experts,
    games,
    generalization,
    kernels,
    lower_bounds,
    multiplicative,
    passive_aggressive,
    perceptron,
    uniclass,
)
from littlestone.theory.demonstrations import DEMONSTRATIONS
from littlestone.theory.evidence import LinearGuarantee
from littlestone.theory.expert_evidence import ExpertGuarantee
from littlestone.theory.games import GameGuarantee

AnyGuarantee: TypeAlias = LinearGuarantee | ExpertGuarantee | GameGuarantee


class Statement(Protocol):
    """What every statement of the sources has, whatever it is about."""

    @property
    def id(self) -> str:
        """Its name here."""
        ...

    @property
    def source(self) -> str:
        """Where it comes from."""
        ...

    @property
    def statement(self) -> str:
        """The statement in words."""
        ...

    @property
    def latex(self) -> str:
        """The statement as a formula."""
        ...


# The same theorem in other words.
_ALIASES = {"blum.5.10": "mohri.8.8", "lecture.1": "mohri.8.8", "mohri.ex8.2": "mohri.8.8"}


@final
class Theory(Mapping[str, AnyGuarantee]):
    """The guarantees, looked up by id: `ls.theory["mohri.8.8"]`."""

    def __init__(
        self,
        *linear: tuple[LinearGuarantee, ...],
        experts: tuple[ExpertGuarantee, ...] = (),
        games: tuple[GameGuarantee, ...] = (),
    ) -> None:
        self.linear = {guarantee.id: guarantee for family in linear for guarantee in family}
        self._guarantees: dict[str, AnyGuarantee] = {**self.linear}
        self._guarantees.update({guarantee.id: guarantee for guarantee in experts})
        self._guarantees.update({guarantee.id: guarantee for guarantee in games})

    def __getitem__(self, key: str) -> AnyGuarantee:
        """The guarantee of this id.

        Raises:
            UnknownName: if there is none.
        """
        try:
            return self._guarantees[_ALIASES.get(key, key)]
        except KeyError:
            raise UnknownName(f"there is no guarantee {key!r}; there are {', '.join(self._guarantees)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._guarantees)

    def __len__(self) -> int:
        return len(self._guarantees)

    @property
    def statements(self) -> Mapping[str, Statement]:
        """Every statement by its id: guarantees about runs, bounds on risks, and what can only be demonstrated."""
        risks = {risk.id: risk for risk in generalization.GUARANTEES}
        projected = {guarantee.id: guarantee for guarantee in kernels.GUARANTEES}
        balls = {guarantee.id: guarantee for guarantee in uniclass.GUARANTEES}
        return {**self._guarantees, **projected, **balls, **risks, **DEMONSTRATIONS}

    vc_dimension = staticmethod(dimension.vc_dimension)
    littlestone_dimension = staticmethod(dimension.littlestone_dimension)
    halving_mistakes = staticmethod(dimension.halving_mistakes)
    mistake_chain = staticmethod(dimension.mistake_chain)
    coin_regret = staticmethod(lower_bounds.coin_regret)
    minimax_regret = staticmethod(lower_bounds.minimax_regret)

    def about(self, rule: Rule) -> list[LinearGuarantee]:
        """The guarantees that speak of a linear rule."""
        return [guarantee for guarantee in self.linear.values() if guarantee.speaks_of(rule)]


theory = Theory(
    perceptron.GUARANTEES,
    passive_aggressive.GUARANTEES,
    multiplicative.GUARANTEES,
    experts=experts.GUARANTEES,
    games=games.GUARANTEES,
)
