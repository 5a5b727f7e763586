"""The report: what is in it, that it stands alone, and that what a user named cannot run in it."""

from __future__ import annotations

import hashlib
import json
import math
import re
import struct
import tempfile
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import final
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import littlestone as ls
from littlestone.multiclass.support_sets import SupportSets
from littlestone.report import Section, provenance, section
from littlestone.report.chart import LONGEST, Chart, Line, Role, as_array
from littlestone.report.confusion import Confusion
from littlestone.report.curves import Recorder, Rerun, moments
from littlestone.report.drawing import DARK, LIGHT, Palette, inline_svg, short
from littlestone.report.elements import clean
from littlestone.report.linear import linear_section, study
from littlestone.report.mathematics import theorem
from littlestone.report.origin import DataFile, Provenance
from littlestone.report.page import page
from littlestone.report.sections import Bars, Fact, Matrix
from littlestone.report.study import Study
from littlestone.report.weights import largest
from littlestone.streams.synthetic import linear_labels, linear_targets, unit_vectors
from littlestone.theory import theory
from littlestone.theory.risk import anytime_bound

VOID = {"meta", "br", "hr", "img", "input", "link"}
KNOWN = frozenset(re.findall(r"\w+", "html head meta title style body header main section h1 h2 h3 h4 p dl dt dd div span"))
TABLE = frozenset(re.findall(r"\w+", "table caption thead tbody tr th td pre code footer"))
NASTY = '<script>alert("x")</script>'
NAMES = (NASTY, "$x^2$ _{y}", "_hidden", "a&b", "日本", "\x00\x1b[31m", "'\"`", "]]>")


@final
class Page(HTMLParser):
    """Elements with their attributes, text by element, and whether every element was closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.text: dict[str, list[str]] = {}
        self.open: list[str] = []
        self.faults: list[str] = []
        self.feed(re.sub(r"\r\n?", "\n", text))  # as a browser does first of all
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.faults.append(f"<{tag}/>")

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        self.text.setdefault(self.open[-1] if self.open else "", []).append(data)

    def count(self, tag: str) -> int:
        return sum(name == tag for name, _ in self.elements)


def perceptron_run(rows: int = 600) -> tuple[ls.Run, np.ndarray[tuple[int, ...], np.dtype[np.float64]]]:
    X, y, u = linear_labels(rows, 5, margin=0.1, seed=3)
    return ls.run(ls.Perceptron(), X, y), 10.0 * u


def expert_run(names: tuple[str, ...] = ("a", "b", "c")) -> ls.ExpertRun:
    rng = np.random.default_rng(0)
    truth = rng.random(300)
    advice = truth[:, np.newaxis] + rng.normal(size=(300, len(names))) * np.linspace(0.1, 1.0, len(names))
    return ls.aggregate(ls.AdaHedge(), advice, truth, loss="absolute", experts=names)


def game() -> ls.Solution:
    return ls.solve(np.random.default_rng(1).normal(size=(20, 30)), tol=1e-3)


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A report of every kind, written once."""
    run, u = perceptron_run()
    sections = [section(run, against=u), section(expert_run(NAMES)), section(game())]
    path = tmp_path_factory.mktemp("report") / "all.html"
    origin = provenance(["littlestone", "learn", "a file.svm", "--C", "$HOME"], [str(Path(__file__)), "-"])
    return ls.write_report(sections, path, title="Every kind", origin=origin).read_text(encoding="utf-8")


def test_every_element_is_closed_and_no_identifier_is_there_twice(whole: str) -> None:
    page = Page(whole)
    assert (page.faults, page.open) == ([], [])
    ids = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(ids) == len(set(ids)) > 0
    referred = {f for _, a in page.elements for v in a.values() for f in re.findall(r"(?:url\()?#([A-Za-z][\w-]*)", v)}
    assert {name for name in referred if not re.fullmatch(r"[0-9a-f]{6}", name)} <= set(ids)


def test_the_check_of_pages_has_teeth() -> None:
    assert Page("<p><b>x</p></b>").faults
    assert Page("<div>").open == ["div"]


def test_nothing_points_outside(whole: str) -> None:
    for tag, attributes in Page(whole).elements:
        assert tag not in ("script", "link", "img", "iframe", "object", "embed", "base"), tag
        for name, value in attributes.items():
            assert not name.startswith("on"), name
            if name in ("href", "src", "srcset", "xlink:href", "action"):
                assert value.startswith("#"), (tag, name, value)
            if name != "xmlns":
                assert "://" not in value, (tag, name, value)
    style = "".join(Page(whole).text["style"])
    assert "@import" not in style
    assert "url(" not in style
    assert "default-src 'none'" in whole


def test_every_figure_is_there_with_its_words(whole: str) -> None:
    page = Page(whole)
    assert page.count("figure") == page.count("svg") == 7
    titles = page.text["title"]
    for wanted in ("Learning curve", "Mistakes against the bounds", "Loss against the bounds", "Regret over time",
                   "Weights over time", "The bracket of the value", "The gap"):  # fmt: skip
        assert wanted in titles
    assert page.count("desc") == 7
    drawings = [a for tag, a in page.elements if tag == "svg"]
    assert all(a["role"] == "img" and a["aria-labelledby"] for a in drawings)


def test_it_can_be_read_by_everyone(whole: str) -> None:
    page = Page(whole)
    assert ("html", {"lang": "en"}) in page.elements
    assert page.text["title"][0] == "Every kind"
    assert page.count("h1") == page.count("main") == 1
    for tag, attributes in page.elements:
        if tag == "th":
            assert attributes.get("scope") in ("col", "row")
        if attributes.get("role") in ("img", "group"):
            assert attributes.get("aria-label") or attributes.get("aria-labelledby")
    assert "prefers-color-scheme: dark" in whole
    assert "@media print" in whole


def test_the_certificates_have_their_theorems_typeset(whole: str) -> None:
    page = Page(whole)
    assert page.count("math") == page.count("article") > 5
    assert "mohri.8.8" in page.text["code"]
    assert any("✓ holds" in text for text in page.text["span"])


def test_the_command_is_quoted_for_a_shell_and_the_files_are_named(whole: str) -> None:
    page = Page(whole)
    assert "littlestone learn 'a file.svm' --C '$HOME'" in page.text["code"]
    shown = [text for text in page.text["code"] if re.fullmatch(r"[0-9a-f]{64}", text)]
    assert shown == [hashlib.sha256(Path(__file__).read_bytes()).hexdigest()]
    assert "standard input" in page.text["th"]
    assert ls.__version__ in page.text["dd"]


def test_checksum_and_size_are_those_of_the_file(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"abc")
    (file,) = provenance(None, [str(tmp_path / "x")]).files
    assert (file.size, file.checksum[:16]) == (3, "ba7816bf8f01cfea")  # FIPS 180-2, appendix B.1


def test_what_a_user_named_is_text(whole: str) -> None:
    assert "<script" not in whole
    assert "&lt;script&gt;" in whole
    page = Page(whole)
    everything = " ".join(part for parts in page.text.values() for part in parts)
    for name in (NASTY, "$x^2$ _{y}", "_hidden", "a&b", "日本", "'\"`", "]]>"):
        assert name in everything
    assert not re.search("[\x00-\x08\x1b]", whole)
    legends = page.text["text"]
    assert NASTY in legends
    assert "_hidden" in legends
    assert "$x^2$ _{y}" in legends


def test_a_headline_is_shown_once(tmp_path: Path) -> None:
    page = Page(ls.write_report(game(), tmp_path / "one.html").read_text(encoding="utf-8"))
    assert [a["class"] for tag, a in page.elements if tag == "h2" and "class" in a] == ["same"]
    assert page.text["h1"] == page.text["h2"][:1]


def test_features_named_to_run_do_not(tmp_path: Path) -> None:
    run = ls.run(ls.Perceptron(), [{NASTY: 1.0}, {"</style><img src=x onerror=alert(1)>": 1.0}], ["<b>", "&"])
    text = ls.write_report(run, tmp_path / "r.html", title="</title><script>1</script>").read_text(encoding="utf-8")
    page = Page(text)
    assert (page.count("script"), page.count("img"), page.faults) == (0, 0, [])
    assert NASTY in page.text["th"]


@settings(deadline=None, max_examples=60)
@example("0\r0\r\n", "")
@given(st.text(max_size=30), st.text(st.sampled_from("<>&\"'/=!-[]scriptond \x00\x0b\ud800"), max_size=40))
def test_any_text_is_written_as_text(any_text: str, markup: str) -> None:
    text = any_text + markup
    table = Bars(text, (text, text), ((text, 1.0), (text, -2.0)), text)
    told = Section(
        title=text, lead=text, facts=(Fact(text, text, text),), charts=(), tables=(table,), certificates=(), notes=(text,)
    )
    origin = Provenance(text, (DataFile(text, 1, text),), text, ((text, text),))
    whole, calm = page(text, [told], origin), page("x", [replace(told, title="x")], origin)
    whole.encode()  # can be written to a file
    seen = Page(whole)
    assert (seen.faults, seen.open) == ([], [])
    assert [tag for tag, _ in seen.elements] == [tag for tag, _ in Page(calm).elements]
    assert {tag for tag, _ in seen.elements} <= KNOWN | TABLE
    assert "".join(seen.text.get("h1", [])).strip() == re.sub(r"\r\n?", "\n", clean(text)).strip()


def test_every_theorem_has_a_formula_that_is_mathml() -> None:
    for key in ls.theory:
        root = theorem(key)
        assert root is not None
        assert root.tag == "math"
        text = "".join(root.itertext())
        assert text
        assert "\\" not in text, (key, text)
    assert theorem("nobody.1") is None


def test_a_function_is_set_apart_from_its_argument() -> None:
    root = theorem("mohri.8.6a")
    assert root is not None
    places = [k for row in root.iter() for k, node in enumerate(row) if node.tag == "mspace" and row[k - 1].text == "log"]
    assert places


def test_curves_repeat_the_run_to_the_bit() -> None:
    run, u = perceptron_run()
    ledgers = Rerun(run).rule()
    assert ledgers is not None
    assert ledgers[-1] == run.ledger
    kept = ls.run(run.rule, run.X, run.y, keep=("mistake", "loss")).columns
    for ledger in ledgers[:: max(1, len(ledgers) // 7)]:
        assert ledger.mistakes == int(kept["mistake"][: ledger.rounds].sum())
        assert math.isclose(ledger.loss, math.fsum(kept["loss"][: ledger.rounds].tolist()), rel_tol=1e-12)
    fixed = Rerun(run).fixed(u)
    assert [ledger.rounds for ledger in fixed] == [ledger.rounds for ledger in ledgers]


def test_a_run_whose_learner_went_on_has_no_curve() -> None:
    run, _ = perceptron_run(50)
    run.learner.learn_one(np.ones(5), 1)
    changed = replace(run, ledger=run.learner.ledger)
    assert Rerun(changed).rule() is None
    assert "no curves" in section(changed).notes[0]


def test_several_passes_are_one_curve() -> None:
    X, y, _ = unit_vectors(8)
    run = ls.run(ls.Perceptron(), X, y, passes=4)
    ledgers = Rerun(run).rule()
    assert ledgers is not None
    assert [ledger.rounds for ledger in ledgers] == list(range(1, 17))
    assert [ledger.passes for ledger in ledgers] == [1] * 8 + [2] * 8
    chart = section(run).charts[0]
    assert len(chart.lines[0].x) == 16
    assert chart.bands[0].x[-1] == 8  # rows that were seen before are no trial


def test_a_curve_without_new_rows_has_no_band() -> None:
    learner = ls.Learner(ls.Perceptron())
    learner.learn_one([1.0], 1)
    learner.next_pass()
    ledgers = []
    for _ in range(3):
        learner.learn_one([1.0], 1)
        ledgers.append(learner.ledger)
    (chart,) = linear_section(Study(learner, ledgers, ()), title="x").charts
    assert chart.bands == ()
    assert "band" not in chart.words


def test_moments_are_few_and_end_at_the_end() -> None:
    assert moments(0) == []
    for rounds in (1, 2, 199, 10**6, 10**9):
        found = moments(rounds)
        assert found == sorted(set(found))
        assert (found[0], found[-1]) == (1, rounds)
        assert len(found) <= 201


def test_a_recorder_keeps_few_ledgers_however_long_the_stream() -> None:
    ledger = ls.Learner(ls.Perceptron()).ledger
    recorder = Recorder()
    rounds = 1
    while rounds < 10**15:
        recorder.note(replace(ledger, rounds=rounds))
        rounds = rounds + 1 + rounds // 50
    kept = [one.rounds for one in recorder.ledgers]
    assert len(kept) <= 402
    assert kept == sorted(set(kept))
    assert kept[0] == 1


def curve_of(run: ls.Run, against: object = None) -> dict[str, Chart]:
    assert against is None or isinstance(against, np.ndarray)
    return {chart.name: chart for chart in section(run, against=against).charts}


def test_the_band_is_the_confidence_sequence_on_both_sides() -> None:
    run, _ = perceptron_run()
    chart = curve_of(run)["learning-curve"]
    (band,) = chart.bands
    errors, rounds = run.ledger.shown_errors, run.ledger.rounds
    assert band.high[-1] == anytime_bound(errors, rounds, 0.025)
    assert band.low[-1] == 1.0 - anytime_bound(rounds - errors, rounds, 0.025)
    for low, mean, high in zip(band.low, chart.lines[0].y, band.high, strict=True):
        assert 0.0 <= low <= mean <= high <= 1.0


def test_the_band_covers_the_truth_at_all_times_at_once() -> None:
    """A rule that cannot learn errs with probability 1/2: at most about one stream in twenty may leave the band."""
    left = 0
    for seed in range(20):
        y = np.where(np.random.default_rng(seed).random(100) < 0.5, 1, -1)
        run = ls.run(ls.Fixed(weights=np.ones(1)), np.ones((100, 1)), y, labels=(-1, 1))
        (band,) = curve_of(run)["learning-curve"].bands
        left += bool(((band.low > 0.5) | (band.high < 0.5)).any())
    assert left <= 3  # the chance of more is below 2 % even if the band were exact


def test_bounds_over_time_end_at_the_certificates_and_are_never_below_what_they_bound() -> None:
    run, u = perceptron_run()
    found = section(run, against=u)
    certificates = {certificate.id: certificate for certificate in found.certificates}
    drawn = 0
    for chart in found.charts:
        measured = chart.lines[0]
        for line in chart.lines:
            if line.role is Role.BOUND:
                key = line.name.split(":")[0]
                assert math.isclose(line.y[-1], certificates[key].bound, rel_tol=1e-12)
                assert np.all((line.y >= measured.y * (1.0 - 1e-9)) | np.isnan(measured.y) | np.isnan(line.y))
                drawn += 1
    assert drawn >= 3


def test_bounds_against_the_best_have_a_comparator_each() -> None:
    run, _ = perceptron_run(200)
    found = study(run, "best")
    assert [str(certificate) for certificate in found.certificates] == list(map(str, ls.certify(run, against="best")))
    assert {"mohri.8.8", "mohri.8.11"} <= set(found.comparators)
    names = [chart.name for chart in linear_section(found, title="x").charts]
    assert "bounds-mistakes" in names


def test_regression_has_losses_and_no_mistakes() -> None:
    X, y, u = linear_targets(300, 4)
    found = section(ls.run(ls.PassiveAggressiveRegression(epsilon=0.1), X, y), against=u)
    assert [fact.words for fact in found.facts] == ["rounds", "MAE", "RMSE", "updates"]
    assert found.charts[0].y_label == "progressive absolute error"
    assert found.tables[0].title == "Largest weights"
    assert "about 95 %" in found.charts[0].bands[0].name


def test_curves_stand_beside_those_who_learn_nothing() -> None:
    run, _ = perceptron_run()
    lines = {line.name: line.y[-1] for line in curve_of(run)["learning-curve"].lines}
    assert {name: lines[name] for name in ("majority label", "last label")} == run.ledger.baselines
    X, y, _ = linear_targets(300, 4)
    run = ls.run(ls.PassiveAggressiveRegression(epsilon=0.1), X, y)
    lines = {line.name: line.y[-1] for line in curve_of(run)["learning-curve"].lines}
    assert {name: lines[name] for name in ("running mean", "last value")} == run.ledger.baselines


def test_the_confusion_matrix_is_that_of_the_rounds() -> None:
    X, y, _ = linear_labels(200, 4, seed=2)
    run = ls.run(ls.Perceptron(), X, y, labels=(-1, 1), keep=("prediction",), passes=2)
    first = run.columns["prediction"][:200]
    matrix = section(run).tables[0]
    assert isinstance(matrix, Matrix)
    counted = {(a, s): int(((y == a) & (first == s)).sum()) for a in (-1, 1) for s in (-1, 1)}
    assert matrix.rows == (("-1", (counted[-1, -1], counted[-1, 1])), ("1", (counted[1, -1], counted[1, 1])))
    page = str(write_to_text(run))
    assert "Shown against actual" in page


def test_of_many_labels_the_rare_share_a_row() -> None:
    counts = Confusion()
    counts.note([f"{k % 30}" for k in range(300)], [f"{k % 30}" for k in range(300)])
    matrix = counts.matrix()
    assert len(matrix.names) == 12
    assert matrix.rows[-1] == ("others", (*([0] * 11), 190))


def write_to_text(run: ls.Run) -> str:
    with tempfile.TemporaryDirectory() as folder:
        return ls.write_report(run, Path(folder) / "r.html").read_text("utf-8")


def test_formulas_have_balanced_parentheses() -> None:
    for key, guarantee in theory.guarantees.items():
        formula = theorem(key)
        for text in (guarantee.formula, "" if formula is None else "".join(formula.itertext())):
            for opening, closing in ("()", "[]"):
                assert text.count(opening) == text.count(closing), (key, text)
    run, u = perceptron_run()
    for chart in section(run, against=u).charts:
        for line in chart.lines:
            assert len(line.name) <= LONGEST
            assert line.name.count("(") == line.name.count(")")


def test_a_lone_figure_keeps_its_size() -> None:
    """A grid that filled its row would blow one figure up to the width of two."""
    style = Path(ls.__file__).parent.joinpath("report", "style.css").read_text("utf-8")
    assert ".figures { display: grid; grid-template-columns: repeat(auto-fill," in style


def test_ticks_can_be_read_on_a_phone() -> None:
    """Of 390 points a phone leaves 358 to a figure, which is as wide: its letters must have 9 of them at least."""
    run, _ = perceptron_run()
    drawn = inline_svg(curve_of(run)["learning-curve"])
    width = float(drawn.attrib["viewBox"].split()[2])
    sizes = [float(size) for text in drawn.iter("text") for size in re.findall(r"font-size: ([\d.]+)px", text.get("style", ""))]
    assert sizes
    assert min(sizes) * 358 / width >= 9.0


def test_regret_curves_end_at_the_ledger_and_weights_are_shares() -> None:
    run = expert_run()
    regret, weights = section(run).charts
    ends = {line.name: float(line.y[-1]) for line in regret.lines}
    for name, value in zip(run.ledger.experts, run.ledger.regrets.tolist(), strict=True):
        assert math.isclose(ends[f"to {name}"], value, rel_tol=1e-12)
    assert math.isclose(ends["to the best so far"], run.regret, rel_tol=1e-12)
    assert np.allclose(sum(line.y for line in weights.stack), 1.0)


def test_many_experts_share_a_grey() -> None:
    run = expert_run(tuple(f"e{k}" for k in range(30)))
    regret, weights = section(run).charts
    assert weights.stack[-1].name == "24 others"
    assert np.allclose(sum(line.y for line in weights.stack), 1.0)
    colours = {line.name.removeprefix("to "): line.colour for line in regret.lines}
    assert all(colours[line.name] == line.colour for line in weights.stack[:-1])


def test_a_mixture_that_had_learned_before_has_no_curves() -> None:
    mixture = ls.Mixture(ls.AdaHedge(), experts=2, loss="absolute")
    mixture.learn_one([0.0, 1.0], 1.0)
    later = mixture.learn_many([[0.0, 1.0]] * 5, [1.0] * 5)
    assert section(later).charts == section(mixture).charts == ()
    assert "no curves" in section(later).notes[0]


def test_the_bracket_is_that_of_the_solution() -> None:
    solution = game()
    bracket, gap = section(solution).charts
    assert bracket.lines[0].y[-1] == solution.upper
    assert bracket.lines[1].y[-1] == solution.lower
    assert math.isclose(gap.lines[0].y[-1], solution.gap)
    pure = section(ls.solve([[1.0, 2.0], [0.0, 1.0]]))
    assert pure.charts == ()
    assert "no curves" in pure.notes[0]


def test_a_learner_alone_and_an_empty_one(tmp_path: Path) -> None:
    learner = ls.Learner(ls.Perceptron())
    assert section(learner).charts == ()
    learner.learn_one({"x": 1.0}, "yes")
    page = Page(ls.write_report([learner, ls.Learner(ls.Winnow())], tmp_path / "l.html").read_text(encoding="utf-8"))
    assert page.faults == []
    assert page.count("svg") == 0


@pytest.mark.parametrize(
    "rule", [ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=1.0)), ls.Winnow(eta=0.1), ls.RandomizedPerceptron(eta=0.5)]
)
def test_other_rules_have_reports_too(rule: ls.LinearRule, tmp_path: Path) -> None:
    X, y, _ = linear_labels(60, 3, margin=0.1)
    page = Page(ls.write_report(ls.run(rule, X, y), tmp_path / "r.html").read_text(encoding="utf-8"))
    assert page.faults == []
    assert page.count("svg") >= 1


@pytest.mark.parametrize(
    "rule",
    [
        ls.MulticlassPerceptron(),
        ls.OneVersusRest(rule=ls.Perceptron()),
        ls.OneVersusRest(rule=ls.KernelPerceptron(kernel=ls.kernels.Gaussian(), budget=20)),
    ],
)
def test_rules_of_many_classes(rule: ls.LinearRule) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    y = np.array(["red", "green", "blue"])[np.argmax(X, axis=1)]
    run = ls.run(rule, X, y)
    found = section(run)
    assert found.charts[0].lines[0].y[-1] == run.ledger.error_rate
    assert [fact.words for fact in found.facts] == ["rounds", "error", "mistakes", "mean loss", "updates"]
    assert [str(c) for c in found.certificates] == list(map(str, ls.certify(run)))
    weights = [table for table in found.tables if isinstance(table, Bars)]
    if not weights:  # a kernel rule has no weights to show
        assert isinstance(run.state, SupportSets)
        return
    name, weight = weights[0].rows[0]
    label, feature = name.split(": ")
    assert abs(weight) == np.max(np.abs(run.state.w))
    assert run.learner.weights_of(label)[int(feature)] == weight


def test_bounds_of_many_classes_are_drawn_to_the_certificate() -> None:
    """Against a matrix, or a run of it: the same curves, which end at the bounds of the certificates."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    y = np.array(["red", "green", "blue"])[np.argmax(X, axis=1)]
    run = ls.run(ls.MulticlassPerceptron(), X, y)
    U = 0.5 * run.state.w
    fixed = ls.run(ls.MulticlassFixed(weights=U), X, y, labels=tuple(run.learner.labels))
    drawn = []
    for against in (U, fixed):
        found = section(run, against=against)
        lines = [line for chart in found.charts for line in chart.lines if line.role is Role.BOUND]
        bounds = {c.id: c.bound for c in found.certificates if c.verdict is not ls.Verdict.UNPROVED}
        assert {line.name.split(":")[0]: line.y[-1] for line in lines} == pytest.approx(bounds)
        drawn.append([line.y.tolist() for line in lines])
    assert drawn[0]
    assert np.array_equal(drawn[0], drawn[1], equal_nan=True)


def test_rounds_that_count_differently_prove_nothing() -> None:
    X, y, u = linear_labels(60, 3, margin=0.1)
    run = ls.run(ls.Perceptron(), X, y, weights=np.linspace(0.5, 1.5, 60))
    for against in ("best", 10.0 * u):
        found = section(run, against=against)
        assert {certificate.verdict for certificate in found.certificates} == {ls.Verdict.UNPROVED}
        assert not [line for chart in found.charts for line in chart.lines if line.role is Role.BOUND]


def test_largest_weights_are_the_largest() -> None:
    assert largest(np.array([0.0, -3.0, 2.0, 3.0, 0.5]), 3) == [1, 3, 2]
    assert largest(np.zeros(4), 3) == []
    assert largest(np.zeros(0), 3) == []
    assert largest(np.array([1.0, 2.0]), 0) == []


def test_figures_are_files_that_open(tmp_path: Path) -> None:
    paths = ls.draw_figures(expert_run(NAMES), tmp_path / "deep" / "er")
    assert [path.name for path in paths] == ["regret.png", "regret.svg", "weights.png", "weights.svg"]
    for path in paths:
        content = path.read_bytes()
        if path.suffix == ".png":
            assert content.startswith(b"\x89PNG")
            width, height = struct.unpack(">II", content[16:24])
            assert width == 848
            assert 500 < height < 800  # as high as its legend is long
        else:
            assert Page(content.decode()).count("svg") == 1
    assert [p.name for p in ls.draw_figures([game(), game()], tmp_path / "two")][:2] == ["1-bracket.png", "1-bracket.svg"]


def test_the_same_chart_gives_the_same_bytes(tmp_path: Path) -> None:
    first, second = ls.draw_figures(game(), tmp_path / "a"), ls.draw_figures(game(), tmp_path / "b")
    assert [p.read_bytes() for p in first] == [p.read_bytes() for p in second]


def test_drawings_take_their_colours_from_the_page() -> None:
    line = Line("x", as_array([1.0, 2.0]), as_array([1.0, 2.0]), Role.BOUND, 3)
    text = ET.tostring(
        inline_svg(Chart(name="n", title="t", words="w", x_label="x", y_label="y", lines=(line,))), encoding="unicode"
    )
    assert "var(--c3)" in text
    assert "var(--grey)" in text
    assert not re.search(r"#0101|#0102", text)


def luminance(colour: str) -> float:
    """WCAG 2.2, relative luminance."""
    parts = [int(colour[k : k + 2], 16) / 255.0 for k in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize(("palette", "paper"), [(LIGHT, "#ffffff"), (DARK, "#0d1117")])
def test_colours_stand_out_from_the_paper(palette: Palette, paper: str) -> None:
    """WCAG 2.2: 4.5 : 1 for text, 3 : 1 for what a figure needs."""

    def contrast(colour: str) -> float:
        light, dark = sorted((luminance(colour), luminance(paper)), reverse=True)
        return (light + 0.05) / (dark + 0.05)

    assert min(contrast(palette.ink), contrast(palette.grey)) >= 4.5
    assert min(contrast(colour) for colour in palette.colours) >= 2.9


def test_ticks_are_short() -> None:
    values = (0.0, 20.0, 5000.0, 1.5e6, 0.001, 1e-9, -250.0)
    assert [short(value) for value in values] == ["0", "20", "5k", "1.5M", "0.001", "1e−09", "−250"]


def test_what_has_no_report_is_refused(tmp_path: Path) -> None:
    something: list[ls.Run] = []
    with pytest.raises(ls.InvalidData, match="nothing to report"):
        ls.write_report(something, tmp_path / "x.html")
    run, _ = perceptron_run(20)
    strange: list[ls.Run] = [run]
    strange += json.loads("[3]")
    with pytest.raises(ls.NotApplicable, match="there is no report of a int"):
        ls.write_report(strange, tmp_path / "x.html")
    assert not (tmp_path / "x.html").exists()


@pytest.mark.parametrize("package", ["matplotlib", "latex2mathml"])
def test_a_missing_package_is_named(package: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def found(name: str) -> object:
        return None if name == package else object()

    monkeypatch.setattr("littlestone.report.drawing.find_spec", found)
    monkeypatch.setattr("littlestone.report.mathematics.find_spec", found)
    with pytest.raises(ls.NotApplicable, match=rf"need.* {package}; install littlestone\[report\]"):
        ls.write_report(game(), tmp_path / "x.html")


def test_iid_is_said_where_it_was_declared() -> None:
    run, _ = perceptron_run(50)
    found = study(run, None)
    assert "if the rows are i.i.d." in linear_section(found, title="x").charts[0].bands[0].name
    declared = Study(found.learner, found.curve, found.certificates, {}, True)
    assert "declared i.i.d." in linear_section(declared, title="x").charts[0].bands[0].name


def test_a_section_is_its_own_section() -> None:
    one = section(game(), title="Own")
    assert isinstance(one, Section)
    assert section(one) is one
