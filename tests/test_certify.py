"""Certifying as a stranger would: what can be given, what is refused and in which words, and the forms of a certificate."""

from __future__ import annotations

import html.parser
import json
import math

import numpy as np
import pytest

import laws
import littlestone as ls
from littlestone.arrays import FloatArray
from littlestone.theory import Comparison, certify_stream
from littlestone.theory.certificate import Certificate, Check, Verdict
from littlestone.theory.demonstrations import DEMONSTRATIONS

X: FloatArray = np.random.default_rng(0).normal(size=(30, 3))
Y = np.where(X[:, 0] > 0, 1, -1)
U = np.array([1.0, 0.0, 0.0])


def perceptron() -> ls.Run:
    return ls.run(ls.Perceptron(), X, Y)


def fixed(rows: FloatArray = X, labels: object = Y) -> ls.Run:
    return laws.call(ls.run, ls.Fixed(weights=U), rows, labels, labels=(-1, 1))


# --- what can be given


def test_a_run_of_fixed_an_array_the_best_or_nothing() -> None:
    run = perceptron()
    by_run, by_vector = (run.certify(against) for against in (fixed(), U))
    assert [(c.id, c.bound) for c in by_run] == [(c.id, c.bound) for c in by_vector]
    assert run.certify(U.tolist())[0].bound == by_vector[0].bound
    best = {c.id: c for c in run.certify("best")}
    assert all(not c.comparator for c in by_vector)
    for found in by_vector:
        # A path is searched to a thousandth.
        assert not found.bound < 0.999 * best[found.id].bound
        assert bool(best[found.id].comparator) == (found.verdict is not Verdict.UNPROVED)
    assert {c.verdict for c in run.certify()} == {Verdict.UNPROVED}


def test_a_learner_is_compared_with_a_run() -> None:
    learner = ls.Learner(ls.Perceptron())
    learner.learn_many(X, Y)
    assert [str(c) for c in learner.certify(fixed())] == [str(c) for c in perceptron().certify(fixed())]


def test_one_pass_of_the_comparator_speaks_for_all_passes_and_part_of_a_pass_for_none() -> None:
    """The margin over five rows is not that over thirty, though thirty is six times five."""
    several = ls.run(ls.Perceptron(), X, Y, passes=6)
    separates = {c.id: c.assumptions[-1] for c in several.certify(fixed())}["mohri.8.8"]
    assert separates == Check("the comparator separates the rounds", True)
    for run in (perceptron(), several):
        part = {c.id: c for c in run.certify(fixed(X[:5], Y[:5]))}
        assert part["mohri.8.8"].verdict is Verdict.UNPROVED
        assert part["mohri.8.11"].verdict is Verdict.UNPROVED


def test_rows_of_another_stream_are_seen_by_their_length() -> None:
    other = {c.id: c for c in perceptron().certify(fixed(10.0 * X))}
    assert {other[name].verdict for name in ("mohri.8.8", "mohri.8.11", "bylander.2")} == {Verdict.UNPROVED}


# --- what is refused


@pytest.mark.parametrize(
    ("against", "words"),
    [
        ([1.0, 2.0], r"against has shape \(2,\); expected a vector with a weight for each of 3 features"),
        ([1.0, 2.0, 3.0, 4.0], r"against has shape \(4,\); expected a vector with a weight for each of 3 features"),
        ([[1.0, 2.0, 3.0]], r"against has shape \(1, 3\); expected"),
        (5.0, r"against has shape \(\); expected"),
        ([], r"against has shape \(0,\); expected"),
        ([math.nan, 0.0, 0.0], "against has the weight nan; weights must be finite"),
        ([0.0, -math.inf, 0.0], "against has the weight -inf; weights must be finite"),
        (["a", "b", "c"], r"against is \['a', 'b', 'c'\]; expected a run of Fixed or a vector"),
        ({"a": 1.0}, r"against is \{'a': 1.0\}; expected a run of Fixed or a vector"),
    ],
    ids=str,
)
def test_no_vector(against: object, words: str) -> None:
    with pytest.raises(ls.InvalidData, match=words):
        laws.call(ls.certify, perceptron(), against=against)
    with pytest.raises(ls.InvalidData, match=words):
        laws.call(ls.run, ls.Perceptron(), X, Y, audit=True, against=against)


@pytest.mark.parametrize("word", ["worst", "", "BEST"])
def test_no_such_word(word: str) -> None:
    for run in (perceptron(), ls.run(ls.Uniclass(epsilon=1.0), X)):
        with pytest.raises(ls.InvalidData, match=rf"against is '{word}'; expected a run of Fixed, a vector or \"best\""):
            laws.call(ls.certify, run, against=word)


def test_what_has_no_meaning_is_said() -> None:
    learner = ls.Learner(ls.Perceptron())
    learner.learn_many(X, Y)
    ball, kernel = ls.run(ls.Uniclass(epsilon=1.0), X), ls.run(ls.KernelPerceptron(kernel=ls.kernels.Gaussian()), X, Y)
    hedge = ls.hedge(ls.ExponentialWeights(eta=0.5), np.abs(X) / 5.0)
    refused: list[tuple[object, object, str]] = [
        (ls.Perceptron(), None, "there is nothing to certify in a Perceptron; give a run, a learner or a mixture"),
        (X, U, "there is nothing to certify in a ndarray"),
        (learner, "best", "a learner keeps no rows to solve for a comparator over; certify a run"),
        (learner, U, "a learner keeps no rows to run a vector over; give a run of Fixed"),
        (perceptron(), perceptron(), "against is a run of Perceptron; expected a run of Fixed"),
        (ball, fixed(), "Uniclass is not compared with a run"),
        (kernel, fixed(), "KernelPerceptron is not compared with a run"),
        (hedge, "best", "an expert run is compared with a sequence of experts, or with nothing"),
        (hedge, U, "an expert run is compared with a sequence of experts, or with nothing"),
    ]
    for of, against, words in refused:
        with pytest.raises(ls.NotApplicable, match=words):
            laws.call(ls.certify, of, against=against)
    with pytest.raises(ls.NotApplicable, match="sequence of experts"):
        laws.call(hedge.certify, "best")


@pytest.mark.parametrize("against", [[1.0], np.full(3, math.nan)], ids=str)
def test_no_centre_and_no_coefficients(against: object) -> None:
    for run in (ls.run(ls.Uniclass(epsilon=1.0), X), ls.run(ls.KernelPerceptron(kernel=ls.kernels.Linear()), X, Y)):
        with pytest.raises(ls.InvalidData, match=r"against has (shape|the value)"):
            laws.call(ls.certify, run, against=against)


def test_against_is_of_no_use_without_an_audit() -> None:
    with pytest.raises(
        ls.InvalidParameter, match="against is the comparator of an audit; give audit=True, or give it to certify"
    ):
        ls.run(ls.Perceptron(), X, Y, against=U)


@pytest.mark.parametrize("delta", ["a", None, 2, 0, 1, True])
def test_delta_is_a_number_between_0_and_1(delta: object) -> None:
    with pytest.raises(ls.InvalidParameter, match=r"delta must be a number strictly between 0 and 1"):
        laws.call(perceptron().ledger.risk_bound, delta=delta)


@pytest.mark.parametrize("size", [0, -1, 2.5, "a", True])
def test_instances_have_a_size(size: object) -> None:
    for demonstration in DEMONSTRATIONS.values():
        with pytest.raises(ls.InvalidParameter, match="size must be a whole number, at least 1"):
            laws.call(demonstration.show, size)


# --- the forms of a certificate


class Text(html.parser.HTMLParser):
    """What a browser shows."""

    def __init__(self) -> None:
        super().__init__()
        self.text = ""
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def every_kind() -> list[Certificate]:
    long = ls.run(ls.Perceptron(), np.tile(np.eye(3), (40, 1)), [1] * 120, labels=(-1, 1))
    risks = [long.ledger.risk_bound(), perceptron().ledger.risk_bound(iid=False)]
    hedge = ls.hedge(ls.AdaHedge(), np.abs(X) / 5.0).certify()
    return [*long.certify("best"), *perceptron().certify(), *perceptron().certify(U), *risks, *hedge]


def test_certificates_print_in_two_lines() -> None:
    for found in every_kind():
        first, second = str(found).split("\n")
        assert first.startswith(f"{found.id}: {found.verdict.value}: {found.quantity}")
        assert second.startswith(f"  {found.source}: ")
        assert second.count("✓") + second.count("✗") + second.count("?") == len(found.assumptions)
        assert found.formula in first


def test_certificates_for_machines() -> None:
    for found in every_kind():
        plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
        assert plain["id"] == found.id
        assert plain["verdict"] in ("holds", "vacuous", "unproved", "violated")
        assert plain["assumptions"] == {check.words: check.met for check in found.assumptions}
        assert (plain["bound"] is None) == math.isnan(found.bound)
        assert (plain["measured"] is None) == math.isnan(found.measured)


def test_certificates_for_pages() -> None:
    for found in every_kind():
        page, shown = Text(), found.to_markdown()
        page.feed(found.to_html())
        assert not page.open
        for text in (page.text, shown):
            for words in (found.id, found.verdict.value, found.statement, found.source, found.relation):
                assert words in text
            for check in found.assumptions:
                assert str(check) in text
        assert found._repr_html_() == found.to_html()


def test_words_of_a_stranger_are_text_on_a_page() -> None:
    rude = Certificate("<b>", "s & t", "a < b", Verdict.HOLDS, "<i>", 1.0, 2.0, "f", (Check("<script>", True),), "u > v")
    assert "<script>" not in rude.to_html()
    assert "<b>&lt;b&gt;: holds: &lt;i&gt; 1 ≤ 2 = f</b>" in rude.to_html()
    assert "&lt;script&gt;" in rude.to_html()


def test_a_theorem_prints_what_it_says() -> None:
    for name in ls.theory:
        text = str(ls.theory[name])
        assert text.startswith(f"{name}: ")
        assert ls.theory[name].statement in text
        assert ls.theory[name].source in text
    for name, guarantee in ls.theory.guarantees.items():
        lines = str(guarantee).split("\n  ")
        assert [line.split(":")[0] for line in lines[2:]] == ["assumes", "compared with", "lemma"], name
    assert repr(ls.theory).startswith(f"{len(ls.theory)} statements: mohri.8.8, ")


def test_a_stream_of_chunks_is_certified_as_the_run_is() -> None:
    """Read again chunk by chunk, or in memory at once, and against the file of another model, or the model itself."""
    X = np.random.default_rng(5).normal(size=(60, 3))
    y = np.where(X @ [1.0, -2.0, 0.5] > 0.0, "a", "b")
    chunks = [(X[k : k + 20], y[k : k + 20]) for k in (0, 20, 40)]
    learner, other = ls.Learner(ls.Perceptron(), average=True), ls.Learner(ls.PassiveAggressive(), labels=("a", "b"))
    for _ in range(2):
        for rows, labels in chunks:
            learner.learn_many(rows, labels)
            other.learn_many(rows, labels)
    run = ls.run(ls.Perceptron(), X, y, passes=2)
    told, known = certify_stream(learner, [chunks], against="best"), run.certify(against="best")
    assert [(one.id, one.verdict) for one in told] == [(one.id, one.verdict) for one in known]
    assert [one.bound for one in told] == pytest.approx([one.bound for one in known], nan_ok=True)
    fixed = learner.with_weights(other.state.w)
    for rows, labels in [*chunks, *chunks]:
        fixed.learn_many(rows, labels)
    wanted = learner.certify(against=Comparison(other.state.w, fixed.ledger))
    assert certify_stream(learner, [chunks[:1], chunks[1:]], against=other) == wanted
    with pytest.raises(ls.InvalidData, match="certify needs the files it was learned from"):
        certify_stream(learner, [chunks[:2], chunks[:1], chunks[:1]], against="average")
