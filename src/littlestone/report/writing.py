"""From runs to a report or figures."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from littlestone import outputs
from littlestone.conformal.run import ConformalRun
from littlestone.errors import InvalidData, NotApplicable
from littlestone.experts.mixture import Mixture
from littlestone.experts.run import ExpertRun
from littlestone.games.solution import Solution
from littlestone.learner import Learner
from littlestone.report.sections import Section
from littlestone.run import Run

if TYPE_CHECKING:
    from littlestone.report.origin import Provenance
    from littlestone.theory.expert_evidence import Sequence as SequenceOfExperts
    from littlestone.theory.proofs import Against

Subject: TypeAlias = "Run | Learner | ExpertRun | Mixture | Solution | ConformalRun | Section"


def section(of: Subject, *, title: str | None = None, lead: str = "", against: Against | SequenceOfExperts = None) -> Section:
    """What a report says of one run.

    Args:
        of: a run or a learner, an expert run or a mixture, or the solution of a game. A learner and a mixture know only
            their totals, so they have no curves.
        title: a headline; None is the name of the rule or method.
        lead: a sentence or two under it.
        against: what `ls.certify` compares with.

    Example:
        >>> import littlestone as ls
        >>> run = ls.run(ls.Perceptron(), [[1.0, 0.0], [0.0, 1.0]] * 20, [+1, -1] * 20)
        >>> [chart.name for chart in section(run, against="best").charts]
        ['learning-curve', 'bounds-mistakes', 'bounds-loss']
    """
    if isinstance(of, Section):
        return of
    if isinstance(of, Solution):
        from littlestone.report.games import game_section

        return game_section(of, title=title or "A zero-sum game", lead=lead)
    if isinstance(of, ConformalRun):
        from littlestone.report.conformal import conformal_section

        return conformal_section(of, title=title or type(of.rule).__name__, lead=lead)
    if isinstance(of, ExpertRun | Mixture):
        return _of_experts(of, title, lead, against)
    return _of_rows(of, title, lead, against)


def _of_rows(of: Run | Learner, title: str | None, lead: str, against: Against | SequenceOfExperts) -> Section:
    from littlestone.report.linear import linear_section, study
    from littlestone.theory.expert_evidence import Sequence as Experts

    if isinstance(against, Experts):
        raise NotApplicable("against is a sequence of experts; expected a run of Fixed or a vector")
    return linear_section(study(of, against), title=title or type(of.rule).__name__, lead=lead)


def _of_experts(of: ExpertRun | Mixture, title: str | None, lead: str, against: Against | SequenceOfExperts) -> Section:
    from littlestone.report.experts import expert_section
    from littlestone.theory import certify

    return expert_section(of, certify(of, against=against), title=title or type(of.rule).__name__, lead=lead)


def write_report(
    of: Subject | Sequence[Subject],
    path: str | os.PathLike[str],
    *,
    title: str | None = None,
    against: Against | SequenceOfExperts = None,
    origin: Provenance | None = None,
) -> Path:
    """Writes a report: one HTML file, without scripts, that opens offline.

    It has the learning curve with its confidence band, what was counted against the bounds over time, regrets and weights
    of experts, the bracket of a game, the band of intervals, the certificates with their theorems, and the largest weights.
    Curves are drawn by running the rule over the rows again. Needs matplotlib and latex2mathml (the extra `report`).

    Args:
        of: a run or a learner, an expert run or a mixture, the solution of a game, a section, or several of them.
        path: the file; it is replaced if it exists.
        title: the headline; None is that of the first section.
        against: what `ls.certify` compares with.
        origin: the command and the files to name (see `littlestone.report.provenance`).

    Raises:
        NotApplicable: if there is no report of it, or a package is missing.
        OSError: if the file cannot be written.

    Example:
        >>> import littlestone as ls, tempfile, pathlib
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "game.html"
        >>> ls.write_report(ls.solve([[0, -1, 2], [1, 0, -1], [-1, 1, 0]]), path).read_text()[:15]
        '<!DOCTYPE html>'
    """
    from littlestone.report.origin import provenance
    from littlestone.report.page import page

    check_packages()
    sections = [section(one, against=against) for one in _several(of)]
    text = page(title or sections[0].title, sections, origin or provenance())
    outputs.write(path, [text.encode()])
    return Path(path)


def draw_figures(
    of: Subject | Sequence[Subject], directory: str | os.PathLike[str], *, against: Against | SequenceOfExperts = None
) -> list[Path]:
    """Draws every figure of a report into a directory, as PNG and as SVG; needs matplotlib (the extra `report`).

    Args:
        of: as for `ls.write_report`.
        directory: where the files go; it is made if there is none.
        against: what `ls.certify` compares with.

    Raises:
        NotApplicable: if there are no figures of it, or matplotlib is missing.
        OSError: if a file cannot be written.
    """
    from littlestone.report.drawing import check_matplotlib, save_figures

    check_matplotlib()
    sections = [section(one, against=against) for one in _several(of)]
    Path(directory).mkdir(parents=True, exist_ok=True)
    paths = list[Path]()
    for number, one in enumerate(sections, start=1):
        prefix = f"{number}-" if len(sections) > 1 else ""
        for chart in one.charts:
            paths += save_figures(chart, Path(directory), prefix + chart.name)
    return paths


def check_packages() -> None:
    """Raises what a missing package would raise later.

    Raises:
        NotApplicable: naming what to install.
    """
    from littlestone.report.drawing import check_matplotlib
    from littlestone.report.mathematics import check_latex

    check_matplotlib()
    check_latex()


def _several(of: object) -> list[Subject]:
    several = list(of) if isinstance(of, list | tuple) else [of]
    known = [one for one in several if isinstance(one, Run | Learner | ExpertRun | Mixture | Solution | ConformalRun | Section)]
    if len(known) < len(several):
        kind = next(type(one).__name__ for one in several if one not in known)
        raise NotApplicable(f"there is no report of a {kind}; expected a run, a learner, a mixture or a solution")
    if not known:
        raise InvalidData("there is nothing to report; expected at least one run")
    return known
