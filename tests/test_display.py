"""What notebooks show: every kind of thing as a small table that holds whatever text it holds as text."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import littlestone as ls
from littlestone.display import Displayed, Plotted
from littlestone.report.card import MOST, Card
from littlestone.report.figure import ShownFigure
from littlestone.streams.synthetic import linear_labels
from littlestone.theory.certificate import Certificates

RUDE = "<script>alert(1)</script>&\"'"
X, Y, U = linear_labels(rows=300, features=5, margin=0.1)
CHICKEN = [[0, 7], [2, 6]], [[0, 2], [7, 6]]


class Page(HTMLParser):
    """The tags and the text of what was shown; a tag that is not closed stays open."""

    def __init__(self, shown: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.open: list[str] = []
        self.text = ""
        self.cells: list[str] = []
        self.feed(shown)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert {name for name, _ in attrs} <= {"style", "class"}
        self.tags.add(tag)
        self.open.append(tag)
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data
        if self.open[-1] in ("td", "th"):
            self.cells[-1] += data


def learners() -> Iterator[Displayed]:
    run = ls.run(ls.Perceptron(), X, Y, keep=("mistake",))
    found = run.certify(against=U)
    assert isinstance(found, Certificates)
    yield from (run, run.ledger, run.learner, found, found[0], ls.compare(run))
    named = ls.Learner(labels=("ham", RUDE))
    named.learn_one({RUDE: 1.0}, RUDE)
    yield from (named, ls.Learner(), ls.run(ls.PassiveAggressiveRegression(), X, X @ U))
    yield from (ls.run(ls.AdaptiveUniclass(flag=0.05), X), ls.run(ls.MulticlassPerceptron(), X, np.where(Y > 0, RUDE, "b")))
    yield ls.epochs([(X[k::2], Y[k::2]) for k in range(2)], ls.Perceptron(), epochs=2)
    master = ls.Master([ls.Learner(ls.Perceptron(), labels=(-1, 1)), ls.Learner(ls.AROW(), labels=(-1, 1))], labels=(-1, 1))
    master.learn_many(X, Y.tolist())
    yield master
    events = [ls.PredictEvent(0, 1, {RUDE: 1.0}), ls.LabelEvent(1, 1, RUDE), ls.PredictEvent(2, 2, {"a": 1.0})]
    yield from (ls.replay(events, ls.Perceptron()), ls.Delayed(ls.Learner(ls.Perceptron())))


def experts() -> Iterator[Displayed]:
    draws = np.random.default_rng(0)
    run = ls.aggregate(None, draws.random((50, 3)), draws.random(50), experts=[RUDE, "b", "c"])
    mixture = ls.Mixture(ls.BOA(), experts=["a", RUDE])
    yield from (run, run.ledger, mixture)
    yield ls.interleave(ls.AdaHedge(), draws.random((50, 3)), draws.random(50), delay=2, experts=[RUDE, "b", "c"])
    yield ls.aggregate_quantiles(None, draws.random((50, 3, 3)).cumsum(axis=2), draws.random(50), levels=[0.1, 0.5, 0.9])
    yield ls.portfolio(ls.ExponentiatedGradient(), 1.0 + 0.1 * draws.random((30, 3)), assets=["x", RUDE, "z"])
    yield ls.aggregate_distributions(ls.BayesMixture(), draws.dirichlet([1, 1, 1], size=(20, 2)), draws.integers(0, 3, 20))
    band = ls.Conformal(coverage=0.9)
    yield from (band.learn_many(np.zeros(200), draws.normal(size=200)), band, band.ledger)
    paths = ls.ShortestPaths(ls.Network([("a", RUDE), (RUDE, "z"), ("a", "z")], source="a", target="z"))
    yield from (paths.learn_many(draws.random((20, 3)) * [[0.1, 0.1, 1.0]]), paths, paths.ledger)


def games() -> Iterator[Displayed]:
    draws = np.random.default_rng(0)
    yield from (ls.solve(draws.random((30, 40)), tol=1e-3), ls.solve([[1, 2], [3, 4]]))
    yield ls.solve_extensive(ls.kuhn_poker(), tol=1e-3)
    found = ls.equilibria(*CHICKEN)
    yield from (ls.equilibrium(*CHICKEN), found, found[0])
    yield ls.play([[1, 0], [0, 1]], ls.ExponentialWeights(horizon=50), ls.BestResponse(), 50, sense="min", alternate=True)
    yield ls.counterfactual_play(ls.kuhn_poker(), ls.RegretMatchingPlus(), ls.RegretMatchingPlus(), 20)


EVERYTHING = [*learners(), *experts(), *games()]


@pytest.mark.parametrize("shown", EVERYTHING, ids=lambda one: type(one).__name__)
def test_a_small_table_without_scripts_in_the_ink_of_the_page(shown: Displayed) -> None:
    html = shown._repr_html_()
    page = Page(html)
    assert page.tags <= {"div", "b", "table", "tbody", "tr", "td", "th"}
    assert not page.open
    assert len(page.cells) <= 6 * (MOST + 1)
    assert "object at 0x" not in page.text
    colours = set(re.findall(r"(?:color|background|solid):? ([^;\"]+)", html))
    assert colours <= {"inherit", "transparent", "rgba(128, 128, 128, 0.35)"}


def test_words_of_a_stranger_are_shown_as_words() -> None:
    rude = [shown for shown in EVERYTHING if RUDE in Page(shown._repr_html_()).text]
    kinds = {type(shown).__name__ for shown in rude}
    assert {"Learner", "Run", "ExpertRun", "Mixture", "ShortestPaths", "PathLedger"} <= kinds


def test_every_public_kind_that_can_be_shown_was_looked_at() -> None:
    public = {getattr(ls, name) for name in ls.__all__ if isinstance(getattr(ls, name), type)}
    kinds = {kind for kind in public if issubclass(kind, Displayed)}
    assert kinds <= {type(shown) for shown in EVERYTHING}
    assert len(kinds) >= 28


def test_the_numbers_are_those_of_the_ledger() -> None:
    run = ls.run(ls.Perceptron(), X, Y)
    cells = Page(run._repr_html_()).cells
    assert cells[cells.index("rounds") + 1] == "300"
    assert cells[cells.index("mistakes") + 1] == f"{run.ledger.mistakes}"
    assert cells[cells.index("updates") + 1] == f"{run.ledger.updates}"


def test_a_long_table_says_how_much_is_left_out() -> None:
    page = Page(Card("many", tuple((f"{k}", "1") for k in range(100)), ("name", "n" * 1000)).html())
    assert page.text.endswith("88 more")
    assert len(page.cells) == 2 * (MOST + 1)
    assert page.cells[1] == "n" * 299 + "…"


@pytest.mark.parametrize(
    "shown", [one for one in EVERYTHING if isinstance(one, Plotted | ls.Run)], ids=lambda one: type(one).__name__
)
def test_what_has_curves_draws_them_and_a_notebook_shows_the_figure(shown: Plotted | ls.Run, tmp_path: Path) -> None:
    figure = shown.plot(tmp_path / "curves.svg")
    assert (tmp_path / "curves.svg").read_bytes().startswith(b"<?xml")
    assert figure.axes
    assert all(axes.get_title(loc="left") for axes in figure.axes)
    assert isinstance(figure, ShownFigure)
    assert figure._repr_png_().startswith(b"\x89PNG")


def test_a_run_draws_its_bounds_beside_a_comparator() -> None:
    titles = [axes.get_title(loc="left") for axes in ls.run(ls.Perceptron(), X, Y).plot(against=U).axes]
    assert len(titles) > 1


def test_help_fits_two_screens() -> None:
    told = subprocess.run(
        [sys.executable, "-c", "import littlestone as ls; help(ls)"], capture_output=True, text=True, check=True
    )
    assert len(told.stdout.splitlines()) <= 130
    assert max(map(len, told.stdout.splitlines())) <= 128
    for name in ("Learner", "aggregate", "solve", "certify", "Conformal", "help(ls.Perceptron)"):
        assert name in told.stdout
    assert "Learner" in dir(ls)
    one = subprocess.run(
        [sys.executable, "-c", "import littlestone as ls; help(ls.Perceptron)"], capture_output=True, text=True, check=True
    )
    assert "Guarantee:" in one.stdout
