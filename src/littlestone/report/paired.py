"""The section of a comparison of two models: their difference between the ends of its confidence sequence."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, final

from littlestone.report.chart import Band, Chart, Line, Role, as_array
from littlestone.report.sections import Bars, Fact, Section, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from littlestone.theory.paired import PairedComparison

_PROMISE = (
    "With probability {:g}, at all times at once, the mean over the rounds of the expected difference given the past lies "
    "between the ends. Nothing is assumed of the rows but that neither model had learned them."
)
WORDS = {"first": "The first is proved better.", "second": "The second is proved better.", None: "Neither is proved better."}


@final
class PairStanding(NamedTuple):
    """A comparison after so many rounds."""

    rounds: int
    difference: float
    low: float
    high: float

    @staticmethod
    def of(pair: PairedComparison) -> PairStanding:
        """At this moment."""
        return PairStanding(pair.rounds, pair.difference, pair.low, pair.high)


def pair_facts(pair: PairedComparison) -> tuple[Fact, ...]:
    """What is known of the difference."""
    return (
        Fact("mean difference", number(pair.difference), "first minus second, per round"),
        Fact("at least", number(pair.low), f"but for a chance of {pair.delta:g}, at all times"),
        Fact("at most", number(pair.high)),
        Fact("rounds", f"{pair.rounds:,}", f"{pair.discordant:,} in which they differed"),
    )


def pair_section(pair: PairedComparison, names: Sequence[str], rules: Sequence[str], course: Sequence[PairStanding]) -> Section:
    """The section, with the course of the comparison as far as it was noted."""
    pairs = zip(names, rules, strict=True)
    lead = "; ".join(f"the {word}: {name}, {rule}" for word, (name, rule) in zip(("first", "second"), pairs, strict=True))
    return Section(
        title=WORDS[pair.better],
        lead=f"{lead}. Every row was judged before anybody learned it.",
        facts=pair_facts(pair),
        charts=(_sequence(pair, course),) if len(course) > 1 else (),
        tables=(Bars("Mean loss", ("model", "per row"), tuple(zip(names, pair.means, strict=True))),),
        certificates=(),
        notes=(_PROMISE.format(1.0 - pair.delta),),
    )


def _sequence(pair: PairedComparison, course: Sequence[PairStanding]) -> Chart:
    rounds = as_array([one.rounds for one in course])
    low, high = as_array([one.low for one in course]), as_array([one.high for one in course])
    return Chart(
        name="difference",
        title="Who is better",
        words=f"The mean loss of the first minus that of the second, after {pair.rounds:,} rows between {number(pair.low)} and "
        f"{number(pair.high)}. Below 0 the first is better; a band that does not hold 0 proves it.",
        x_label="rounds",
        y_label="mean difference",
        lines=(Line("first minus second", rounds, as_array([one.difference for one in course]), Role.MEASURED, 0),),
        bands=(Band(f"{1.0 - pair.delta:.0%}, at all times", rounds, low, high, 0),),
        log_x=True,
        zero=True,
    )
