"""Every guarantee by its id."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeAlias, final

from littlestone.errors import UnknownName
from littlestone.rule import Rule
from littlestone.theory import experts, passive_aggressive, perceptron
from littlestone.theory.evidence import LinearGuarantee
from littlestone.theory.expert_evidence import ExpertGuarantee

AnyGuarantee: TypeAlias = LinearGuarantee | ExpertGuarantee


@final
class Theory(Mapping[str, AnyGuarantee]):
    """The guarantees, looked up by id: `ls.theory["mohri.8.8"]`."""

    def __init__(self, *linear: tuple[LinearGuarantee, ...], experts: tuple[ExpertGuarantee, ...] = ()) -> None:
        self._linear = [guarantee for family in linear for guarantee in family]
        self._guarantees: dict[str, AnyGuarantee] = {guarantee.id: guarantee for guarantee in self._linear}
        self._guarantees.update({guarantee.id: guarantee for guarantee in experts})

    def __getitem__(self, key: str) -> AnyGuarantee:
        """The guarantee of this id.

        Raises:
            UnknownName: if there is none.
        """
        try:
            return self._guarantees[key]
        except KeyError:
            raise UnknownName(f"there is no guarantee {key!r}; there are {', '.join(self._guarantees)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._guarantees)

    def __len__(self) -> int:
        return len(self._guarantees)

    def about(self, rule: Rule) -> list[LinearGuarantee]:
        """The guarantees that speak of a linear rule."""
        return [guarantee for guarantee in self._linear if guarantee.speaks_of(rule)]


theory = Theory(perceptron.GUARANTEES, passive_aggressive.GUARANTEES, experts=experts.GUARANTEES)
