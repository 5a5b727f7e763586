"""Bins, pairs of bins and evidence in front of any rule: what is shown, the same bits everywhere, worth and refusals."""

from __future__ import annotations

import copy
import json
import math
import pickle
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

import littlestone as ls
import reading
from littlestone import _core, store
from littlestone.arrays import FloatArray
from littlestone.cli.main import main
from littlestone.kernels import Gaussian
from littlestone.sklearn import PassiveAggressiveClassifier
from littlestone.theory.audit import audit
from littlestone.views import Bins, Evidence, Pairs, View, cuts
from test_views import known, refuses_without_a_trace

VIEWS: list[View] = [
    Bins(),
    Pairs(),
    Evidence(),
    ls.features.Gauge() | Evidence(),
    Bins() | ls.features.MaxScale(),
    ls.features.RootMeanSquareScale() | Bins(),
]
every_view = pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.spelled)

RULES: list[ls.LinearRule] = [
    ls.Perceptron(),
    ls.PassiveAggressive(variant="PA-I", C=0.5),
    ls.AROW(),
    ls.OnlineSVM(),
    ls.SignedWinnow(),
    ls.SignedExponentiatedUpdate(U=2.0),
    ls.NaiveBayes(),
    ls.KernelPerceptron(kernel=Gaussian(gamma=0.5), budget=20, when_full="drop-oldest"),
]
every_rule = pytest.mark.parametrize("rule", RULES, ids=repr)
CLASSES: list[ls.LinearRule] = [ls.MulticlassPerceptron(), ls.OneVersusRest(rule=ls.PassiveAggressive())]


def table(rows: int = 420, seed: int = 0) -> tuple[FloatArray, list[int]]:
    """Four columns, one with few values and zeros among them, and a label that no line tells."""
    source = np.random.default_rng(seed)
    X = source.uniform(-1.0, 1.0, size=(rows, 4)) * [1.0, 100.0, 1.0, 1.0]
    X[:, 2] = source.integers(0, 3, size=rows)
    X[:, 3] = 1.0
    return X, np.where(np.abs(X[:, 0]) < 0.5, 1, -1).tolist()


def rows_of(X: FloatArray) -> list[dict[str | int, float]]:
    return [{f"f{i}": float(value) for i, value in enumerate(x)} for x in X]


def shown(view: View, X: FloatArray, y: list[int]) -> list[dict[int, float]]:
    batch = ls.Learner(ls.Perceptron(), view=view, labels=(-1, 1)).encode(X, y)[0]
    return [dict(zip(batch[t].indices.tolist(), batch[t].values.tolist(), strict=True)) for t in range(len(batch))]


# What is shown.


def test_bins_by_hand() -> None:
    """1 … 48 are cut into eight bins of six after row 48: at 7, 13 and so on; 14 is then in the third, at place 1 + 2."""
    X = np.append(np.arange(1.0, 49.0), [14.0, 0.5, 99.0]).reshape(-1, 1)
    rows = shown(Bins(), X, [1] * len(X))
    assert rows[:48] == [{0: float(k)} for k in range(1, 49)]
    assert rows[48:] == [{0: 14.0, 3: 1.0}, {0: 0.5, 1: 1.0}, {0: 99.0, 8: 1.0}]


def test_a_column_of_few_values_has_a_bin_for_each() -> None:
    X = np.append(np.tile([2.0, 5.0, 9.0], 16), [5.0, 4.0, 9.0]).reshape(-1, 1)
    assert shown(Bins(), X, [1] * len(X))[48:] == [{0: 5.0, 2: 1.0}, {0: 4.0, 1: 1.0}, {0: 9.0, 3: 1.0}]


def test_a_constant_has_no_bin_and_neither_has_a_zero() -> None:
    X = np.column_stack([np.ones(60), np.arange(60.0) % 2.0])
    rows = shown(Bins(), X, [1] * 60)
    assert rows[59] == {0: 1.0, 129: 1.0}  # the ones are all of one value, the zeros are none
    assert rows[58] == {0: 1.0}


def test_generations_are_features_of_their_own() -> None:
    """One nonzero until row 48, two until row 400, four until row 4,000 and five from then on."""
    X = np.random.default_rng(0).uniform(1.0, 2.0, size=(4002, 1))
    rows = shown(Bins(), X, [1] * len(X))
    assert [len(rows[t]) for t in (0, 47, 48, 399, 400, 3999, 4000)] == [1, 1, 2, 2, 4, 4, 5]
    assert all(65 <= max(row) < 129 for row in rows[4000:])


def test_a_column_that_would_be_cut_as_before_keeps_its_bins() -> None:
    """Three values are three bins for ever, each once; a fourth value, from row 500 on, is a new cut of the last generation."""
    X = np.tile([2.0, 5.0, 9.0], 1400).reshape(-1, 1)[:4002]
    rows = shown(Bins(), X, [1] * len(X))
    assert all(row == {0: x, 1 + [2.0, 5.0, 9.0].index(x): 1.0} for row, x in zip(rows[48:], X[48:, 0].tolist(), strict=True))
    X[500::7] = 7.0
    rows = shown(Bins(), X, [1] * len(X))
    assert all(max(row) <= 3 for row in rows[:4000])
    assert all(len(row) == 3 and 49 <= max(row) < 65 for row in rows[4000:])  # the three bins of before, and the new four


def test_cells_of_columns_that_are_cut_as_before_stay() -> None:
    X = np.array([[1.0 + k % 2, 1.0 + (k // 2) % 2] for k in range(4004)])
    rows = shown(Pairs(), X, [1] * len(X))
    assert rows[48:52] == rows[400:404] == rows[4000:4004]


@pytest.mark.parametrize("view", [Bins(), Pairs()], ids=repr)
def test_columns_of_few_values_and_many_are_shown_as_defined(view: View) -> None:
    """Columns that stay, that gain a value before every generation, with ties at the quantiles, and one that comes late."""
    source = np.random.default_rng(5)
    count = 4100
    X = np.column_stack(
        [
            source.integers(1, 4, count).astype(float),
            np.minimum(source.integers(1, 20, count), 3.0 + (np.arange(count) > 300) + (np.arange(count) > 3000)),
            np.where(source.random(count) < 0.9, 1.0, source.uniform(1.0, 2.0, count)),
            np.where(np.arange(count) < 390, 0.0, source.integers(1, 3, count)),
            source.normal(size=count),
        ]
    )
    compiled, statistics = shown(view, X, [1] * count), view.init(X.shape[1])
    for x, row in zip(X.tolist(), compiled, strict=True):
        assert view.shown(statistics, {i: v for i, v in enumerate(x) if v}, learns=True) == row
        assert list(row) == sorted(row)


def test_pairs_by_hand() -> None:
    """Two columns of two values each: the cell of (second, first) is 1·4 + 0, among the places of the second column."""
    X = np.array([[1.0 + k % 2, 1.0 + (k // 2) % 2] for k in range(48)] + [[2.0, 1.0]])
    row = shown(Pairs(), X, [1] * 49)[48]
    spread = Pairs.spread
    assert row == {0: 2.0, 2: 1.0, spread: 1.0, spread + 1: 1.0, spread + 129 + 4: 1.0}


def test_evidence_by_hand() -> None:
    """A feature that is alone has λ = 0; beside a new one, pos = 6, P = 6 and V = 2: ln(6.5/.5) − ln(7/1)."""
    rows = shown(Evidence(), np.array([[3.0, 0.0], [3.0, 0.0], [1.0, 1.0]]), [1, 1, 1])
    assert rows[:2] == [{0: 3.0}, {0: 3.0}]
    offset = math.log((6.0 + 1.0) / 1.0)
    assert rows[2][0] == pytest.approx(1.0 + abs(math.log(6.5 / 0.5) - offset), rel=1e-14)
    assert rows[2][1] == pytest.approx(1.0 + offset, rel=1e-14)


@pytest.mark.parametrize("view", [Bins(), Pairs()], ids=repr)
@given(data=st.data())
@settings(max_examples=15, deadline=None)
def test_the_compiled_view_is_its_definition(view: View, data: st.DataObject) -> None:
    seed, rows = data.draw(st.integers(0, 1000)), data.draw(st.sampled_from([60, 410]))
    source = np.random.default_rng(seed)
    X = np.where(source.random((rows, 3)) < 0.2, 0.0, np.round(source.normal(size=(rows, 3)), data.draw(st.integers(0, 3))))
    ours, theirs = view.init(3), view.init(3)
    compiled = view.bound(theirs)
    batch, outcomes = _core.dense_batch(X), _core.labels(np.ones(rows, dtype=np.int8))
    for t, x in enumerate(X):
        learns = bool(source.random() < 0.95)
        expected = view.shown(ours, {i: float(v) for i, v in enumerate(x) if v != 0.0}, learns=learns)
        found = compiled.learn(batch, outcomes, t, t + 1)[0] if learns else compiled.show(batch, t, t + 1)[0]
        assert dict(zip(found.indices.tolist(), found.values.tolist(), strict=True)) == expected
    for name, array in ours.arrays.items():
        np.testing.assert_array_equal(theirs.arrays[name], array)


@given(st.integers(0, 1000))
@settings(max_examples=15, deadline=None)
def test_compiled_evidence_is_its_definition(seed: int) -> None:
    view, source = Evidence(), np.random.default_rng(seed)
    X = np.where(source.random((40, 3)) < 0.4, 0.0, source.normal(size=(40, 3)) * 10.0 ** source.integers(0, 7))
    y = np.where(source.random(40) < 0.5, 1, -1)
    ours = view.init(3)
    for x, label, found in zip(X, y.tolist(), shown(view, X, y.tolist()), strict=True):
        row = {i: float(v) for i, v in enumerate(x) if v != 0.0}
        assert found == pytest.approx(view.shown(ours, row, learns=True), rel=1e-12)
        view.learn(ours, row, label)


def test_units_do_not_matter_to_bins() -> None:
    X, y = table()
    units = 2.0 ** np.array([20, -7, 3, 11])
    for view in (Bins(), Pairs()):
        places = [[set(row) for row in shown(view, rows, y)] for rows in (X, X * units)]
        assert places[0] == places[1]


# The same everywhere.


@every_view
@every_rule
def test_one_by_one_and_chunks_and_matrices_agree_bit_by_bit(rule: ls.LinearRule, view: View) -> None:
    X, y = table()
    whole, single, chunks, sparse = (ls.Learner(rule, view=view, labels=(-1, 1)) for _ in range(4))
    whole.learn_many(X, y)
    for x, label in zip(X, y, strict=True):
        single.learn_one(x, label)
    for begin in range(0, 420, 170):
        chunks.learn_many(csr_array(X[begin : begin + 170]), y[begin : begin + 170])
    sparse.learn_many(csr_array(X), y)
    for learner in (single, chunks, sparse):
        assert known(learner) == known(whole)


@every_view
@every_rule
def test_dicts_agree_with_arrays(rule: ls.LinearRule, view: View) -> None:
    X, y = table()
    X[0] = 1.0  # all names are met at once, so that their order is that of the columns
    many, one, columns = (ls.Learner(rule, view=view, labels=(-1, 1)) for _ in range(3))
    many.learn_many(rows_of(X), y)
    for x, label in zip(rows_of(X), y, strict=True):
        foretold = one.predict_one(x) if one.ledger.rounds else None
        said = one.learn_one(x, label)
        assert foretold is None or said == foretold
    assert known(one) == known(many)
    columns.learn_many(X, y)
    np.testing.assert_array_equal(columns.score_many(X), many.score_many(rows_of(X)))


@pytest.mark.parametrize("rule", CLASSES, ids=repr)
@pytest.mark.parametrize("view", [Bins(), Pairs()], ids=repr)
def test_many_classes(rule: ls.LinearRule, view: View, tmp_path: Path) -> None:
    X = table()[0]
    y = np.digitize(X[:, 0], [-0.5, 0.0, 0.5]).tolist()
    whole, parts = ls.Learner(rule, view=view), ls.Learner(rule, view=view)
    whole.learn_many(X, y)
    parts.learn_many(X[:300], y[:300])
    parts.save(tmp_path / "m.lst")
    again = ls.load(tmp_path / "m.lst")
    again.learn_many(X[300:], y[300:])
    assert known(again) == known(whole)
    assert any(" bin " in str(name) for name in whole.weights_of(0))


@every_view
@every_rule
def test_copies_pickles_and_files_go_on_with_the_same_bits(rule: ls.LinearRule, view: View, tmp_path: Path) -> None:
    X, y = table()
    learner = ls.Learner(rule, view=view, labels=(-1, 1), average=rule.abilities.averages)
    learner.learn_many(X[:60], y[:60])
    learner.save(tmp_path / "m.lst")
    assert store.stamp(tmp_path / "m.lst").version == 3
    twins = [copy.deepcopy(learner), pickle.loads(pickle.dumps(learner)), ls.load(tmp_path / "m.lst")]
    learner.learn_many(X[60:], y[60:])
    for twin in twins:
        assert twin.view == view
        twin.learn_many(X[60:], y[60:])
        assert known(twin) == known(learner)


@every_view
def test_features_that_come_late(view: View) -> None:
    """A new name widens everything that is known, by rows and one by one alike."""
    source = np.random.default_rng(3)
    rows = [{f"f{i}": float(v) for i, v in enumerate(source.normal(size=1 + t // 30))} for t in range(150)]
    y = [1 if row["f0"] > 0.0 else -1 for row in rows]
    one, many = (ls.Learner(ls.PassiveAggressive(), view=view, labels=(-1, 1)) for _ in range(2))
    for row, label in zip(rows, y, strict=True):
        one.learn_one(row, label)
    many.learn_many(rows, y)
    assert known(one) == known(many)
    assert one.width == 5


@every_view
@pytest.mark.parametrize("rows", [3, 4000])
def test_a_refused_call_leaves_no_trace(view: View, rows: int) -> None:
    refuses_without_a_trace(view, *table(rows))


@every_view
def test_certificates_speak_of_the_shown_rows(view: View) -> None:
    X, y = table(200)
    run = ls.run(ls.Perceptron(), X, y, view=view, average=True, labels=(-1, 1))
    assert audit(run) > 0
    found = [*run.certify(against=run.learner.averaged().state.w), *run.certify()]
    assert {c.verdict.value for c in found} <= {"holds", "vacuous", "unproved"}
    assert run.ledger.fingerprint == ls.run(ls.Perceptron(), X, y, labels=(-1, 1)).ledger.fingerprint


# What it is worth.


def test_bins_and_pairs_see_what_is_not_linear() -> None:
    source = np.random.default_rng(0)
    X = source.uniform(-1.0, 1.0, size=(3000, 2))
    rule = ls.PassiveAggressive(variant="PA-I", C=0.1)
    ring, cross = np.abs(X[:, 0]) < 0.5, X[:, 0] * X[:, 1] > 0.0
    assert ls.run(rule, X, ring).ledger.error_rate > 0.4
    assert ls.run(rule, X, ring, view=Bins()).ledger.error_rate < 0.12
    assert ls.run(rule, X, cross, view=Bins()).ledger.error_rate > 0.4
    assert ls.run(rule, X, cross, view=Pairs()).ledger.error_rate < 0.2


def test_evidence_on_real_words() -> None:
    """One pass over the words of messages: fewer mistakes than without, for the Perceptron and PA-I."""
    lines = [line.rstrip("\n").split("\t", 1) for line in _open(reading.data("text/sms_spam.tsv.gz"))]
    rows = [dict.fromkeys(text.lower().split(), 1.0) for _, text in lines]
    labels = [label for label, _ in lines]
    for rule in (ls.Perceptron(), ls.PassiveAggressive(variant="PA-I", C=0.1)):
        plain, weighed = (ls.run(rule, rows, labels, view=view).ledger.error_rate for view in (None, Evidence()))
        assert weighed < plain


def _open(path: Path) -> list[str]:
    import gzip

    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [line for line in file if "\t" in line]


# What is refused.


def test_what_has_no_meaning_is_refused() -> None:
    for view in (Bins(), Pairs()):
        with pytest.raises(ls.InvalidParameter, match="keeps a number for every pair of features; leave out view"):
            ls.Learner(ls.AROW(covariance="full"), view=view)
    for rule in (ls.MulticlassPerceptron(), ls.PassiveAggressiveRegression(), ls.OneVersusRest(rule=ls.Perceptron())):
        with pytest.raises(ls.InvalidParameter, match="evidence for one of two labels, which"):
            ls.Learner(rule, view=Evidence())
    learner = ls.Learner(ls.Perceptron(), view=Pairs(), labels=(-1, 1))
    with pytest.raises(ls.NotApplicable, match="the rows have 97 features, and columns are cut of tables with at most"):
        learner.learn_many(np.ones((1, 97)), [1])
    with pytest.raises(ls.NotApplicable, match="1,000,000 features"):
        ls.Learner(ls.Perceptron(), view=Bins()).learn_many(csr_array((1, 1_000_000)), [1])
    assert learner.ledger.rounds == 0


@pytest.mark.parametrize("harm", ["noted", "bins", "place", "rounds"])
def test_a_forged_count_is_refused(harm: str, tmp_path: Path) -> None:
    from littlestone.store import container
    from littlestone.store.writing import described

    learner = ls.Learner(ls.Perceptron(), view=Pairs(), labels=(-1, 1))
    X, y = table(60)
    learner.learn_many(X, y)
    header, arrays = described(learner.snapshot())
    arrays[f"view.{harm}"] = np.full(arrays[f"view.{harm}"].shape, 5000.5)
    container.write(tmp_path / "m.lst", header, arrays)
    with pytest.raises(ls.InvalidData, match="count that cannot be"):
        ls.load(tmp_path / "m.lst")


# On the command line and in scikit-learn.


def test_on_the_command_line(tmp_path: Path) -> None:
    X, y = table()
    lines = [",".join(map(repr, [*x, int(label > 0)])) for x, label in zip(X.tolist(), y, strict=True)]
    (tmp_path / "t.csv").write_text("\n".join(["a,b,c,d,label", *lines]))
    model, rows = str(tmp_path / "m.lst"), str(tmp_path / "t.csv")
    for flag in ("--view", "--scale"):
        done = CliRunner().invoke(main, ["learn", rows, "--rule", "pa", "--C", "0.1", flag, "bins", "--model", model])
        assert done.exit_code == 0, done.output
    facts = json.loads(CliRunner().invoke(main, ["inspect", model, "--json"]).stdout)
    assert facts["view"] == "bins"
    assert any(" bin " in name for name in facts["top"])
    assert facts["features"] == 4
    assert len(CliRunner().invoke(main, ["predict", model, rows]).stdout.splitlines()) == 420
    page = str(tmp_path / "run.html")
    done = CliRunner().invoke(main, ["learn", rows, "--rule", "pa", "--C", "0.1", "--view", "pairs", "--report", page])
    assert done.exit_code == 0, done.output
    assert " bin " in Path(page).read_text()


def test_an_estimator_behind_bins() -> None:
    X, y = table(1000)
    plain = PassiveAggressiveClassifier(C=0.1, random_state=0, max_iter=5, tol=None).fit(X, y)
    binned = PassiveAggressiveClassifier(C=0.1, random_state=0, max_iter=5, tol=None, scale="bins").fit(X, y)
    assert binned.score(X, y) > plain.score(X, y) + 0.2
    assert plain.coef_.shape == (1, 4)
    with pytest.raises(AttributeError, match="behind Bins"):
        _ = binned.coef_


def test_the_names_of_places() -> None:
    names = Bins().names(["a", "b"])
    assert len(names) == 2 * Bins.spread == len(set(names))
    assert names[:3] == ["a", "a bin 1/8 of row 48", "a bin 2/8 of row 48"]
    assert names[129] == "b"
    assert len(set(Pairs().names([0]))) == Pairs.spread == 129 + 11 * (16 + 64 + 256)
    assert cuts.PAIRED == 12
