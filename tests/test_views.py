"""Running scales in front of a rule: what is shown, that it is the same everywhere, and what theorems make of it."""

from __future__ import annotations

import copy
import json
import math
import pickle
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, cast, final

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

import littlestone as ls
import reading
import strategies
from littlestone import _core
from littlestone.arrays import FloatArray
from littlestone.cli.main import main
from littlestone.cli.options import SCALES
from littlestone.kernels import Gaussian
from littlestone.streams.space import Table
from littlestone.theory.audit import audit
from littlestone.views import NAMES, View
from littlestone.views.scales import SCALES as SCALES_OF_FEATURES

VIEWS: list[View] = [
    *(view() for view in SCALES_OF_FEATURES),
    ls.features.RootMeanSquareScale() | ls.features.MaxScale(),
    ls.features.MaxScale() | ls.features.StandardScale() | ls.features.RootMeanSquareScale(),
]
EXACT = [view for view in VIEWS if "gauge" not in view.spelled]
every_view = pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.spelled)
every_exact_view = pytest.mark.parametrize("view", EXACT, ids=lambda view: view.spelled)

RULES: list[ls.LinearRule] = [
    ls.Perceptron(),
    ls.PassiveAggressive(variant="PA-I", C=0.5),
    ls.AROW(),
    ls.AROW(covariance="full"),
    ls.OnlineSVM(),
    ls.SignedWinnow(),
    ls.NaiveBayes(),
    ls.KernelPerceptron(kernel=Gaussian(gamma=0.5)),
    ls.MulticlassPerceptron(),
    ls.OneVersusRest(rule=ls.PassiveAggressive()),
    ls.OneVersusRest(rule=ls.KernelPerceptron(kernel=Gaussian(gamma=0.5))),
]
every_rule = pytest.mark.parametrize("rule", RULES, ids=repr)


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class PlainPerceptron(ls.LinearRule):
    """The Perceptron, in Python alone."""

    source: ClassVar[str] = "the Perceptron"

    def init(self, width: int) -> ls.Weights:
        return ls.Weights(w=np.zeros(width))

    def accepts_label(self, state: ls.State, label: int) -> ls.Interval:
        return ls.Interval.open_half_line(label)

    def update(self, state: ls.State, row: ls.Row, trial: ls.Trial) -> ls.Step:
        if trial.side == 0:
            return ls.Step.stay()
        row.add_to(state.w, float(trial.side))
        return ls.Step.by(float(trial.side))


def table(rows: int = 60, seed: int = 0) -> tuple[FloatArray, list[int]]:
    """Columns in very different units, with zeros among them, a constant and one that comes late."""
    source = np.random.default_rng(seed)
    X = source.normal(size=(rows, 6)) * [1e-3, 1.0, 1e4, 1.0, 1.0, 50.0] + [0.0, 0.0, 1e5, 0.0, 2.0, 0.0]
    X[:, 1] *= source.random(rows) < 0.3
    X[:, 3] = 1.0
    X[: rows // 2, 5] = 0.0
    return X, np.where(X[:, 0] * 1e3 + (X[:, 2] - 1e5) / 1e4 + X[:, 1] > 0.0, 1, -1).tolist()


def rows_of(X: FloatArray) -> list[dict[str | int, float]]:
    return [{f"f{i}": float(value) for i, value in enumerate(x)} for x in X]


def known(learner: ls.Learner) -> dict[str, object]:
    """Everything that a learner knows, as values that can be compared bit by bit."""
    told = learner.snapshot()
    assert told.state is not None
    assert told.statistics is not None
    arrays = {**told.state.arrays, **{f"view.{name}": array for name, array in told.statistics.arrays.items()}}
    return {name: array.tobytes() for name, array in arrays.items()} | {"totals": repr(told.totals)}


# What is shown.


def test_the_largest_value_by_hand() -> None:
    """2, 4, −1 in the scale of 2, 4 and 4."""
    assert _shown(ls.features.MaxScale(), [[2.0], [4.0], [-1.0]]) == [{0: 1.0}, {0: 1.0}, {0: -0.25}]


def test_the_root_mean_square_by_hand() -> None:
    """1 and 7 have a mean square of 25; the zero between them is no value."""
    assert _shown(ls.features.RootMeanSquareScale(), [[1.0], [0.0], [7.0]]) == [{0: 1.0}, {}, {0: 7.0 / 5.0}]


def test_mean_and_deviation_by_hand() -> None:
    """10 and 14 have mean 12 and deviation 2; with a zero, mean 8 and deviation √(104/3); the constant stays 1."""
    shown = _shown(ls.features.StandardScale(), [[10.0, 3.0], [14.0, 3.0], [0.0, 3.0]])
    assert shown[:2] == [{0: 1.0, 1: 1.0}, {0: 1.0, 1: 1.0}]
    assert shown[2][0] == pytest.approx(-8.0 / math.sqrt(104.0 / 3.0), rel=1e-15)
    assert shown[2][1] == 1.0


def test_the_gauge_by_hand() -> None:
    """1 and 16 have a geometric mean of 4: 16 is 4 of them, drawn to 4√(2/5)."""
    shown = _shown(ls.features.Gauge(), [[1.0], [16.0]])
    assert shown[0] == {0: 1.0}
    assert shown[1][0] == pytest.approx(4.0 * math.sqrt(2.0 / 5.0), rel=1e-6)


def test_a_chain_by_hand() -> None:
    """10, 14 and 6 are 1, then (14 − 12)/2 and (6 − 10)/√(32/3) in scales of their own; the largest of them is then 1."""
    chain = ls.features.StandardScale() | ls.features.MaxScale()
    shown = _shown(chain, [[10.0], [14.0], [6.0], [10.0]])
    assert shown[:2] == [{0: 1.0}, {0: 1.0}]
    assert shown[2][0] == -1.0  # 4/√(32/3) is beyond 1, the largest so far
    assert shown[3] == {}
    assert _shown(ls.features.Chain(ls.features.MaxScale()), [[2.0], [4.0], [-1.0]]) == [{0: 1.0}, {0: 1.0}, {0: -0.25}]


def test_chains_are_values() -> None:
    one, two, three = ls.features.Gauge(), ls.features.MaxScale(), ls.features.StandardScale()
    assert (one | two) | three == one | (two | three) == ls.features.Chain(one, two, three)
    assert hash(one | two) == hash(ls.features.Chain(one, two))
    assert (one | two) != (two | one)
    assert ls.features.Chain(one) == one
    assert repr(one | two) == "Gauge() | MaxScale()"
    with pytest.raises(ls.InvalidParameter, match="a chain of views has no step"):
        ls.features.Chain()
    assert one.__or__(cast("View", 3)) is NotImplemented
    with pytest.raises(ls.NotApplicable, match="a row that is centred has them all"):
        ls.Learner(ls.Perceptron(), view=two | three).learn_many(np.ones((1, 5000)), [1])


def _shown(view: View, X: list[list[float]]) -> list[dict[int, float]]:
    batch = ls.Learner(ls.Perceptron(), view=view).encode(np.array(X), [1] * len(X))[0]
    return [dict(zip(batch[t].indices.tolist(), batch[t].values.tolist(), strict=True)) for t in range(len(batch))]


@every_view
@given(data=st.data())
@settings(max_examples=25)
def test_the_compiled_view_is_its_definition(view: View, data: st.DataObject) -> None:
    """Bit by bit; the gauge, which has no logarithm of denormal numbers, in the precision of float32."""
    X = data.draw(strategies.matrices if view in EXACT else strategies.tame)
    width = X.shape[1]
    ours, theirs = view.init(width), view.init(width)
    compiled, tolerance = view.bound(theirs), 0.0 if view in EXACT else 1e-4
    batch, outcomes = _core.dense_batch(X), _core.labels(np.ones(len(X), dtype=np.int8))
    for t, x in enumerate(X):
        learns, row = data.draw(st.booleans()), {i: float(v) for i, v in enumerate(x) if v != 0.0}
        expected = view.shown(ours, row, learns=learns)
        found = compiled.learn(batch, outcomes, t, t + 1)[0] if learns else compiled.show(batch, t, t + 1)[0]
        assert dict(zip(found.indices.tolist(), found.values.tolist(), strict=True)) == pytest.approx(
            {i: v for i, v in expected.items() if v != 0.0}, rel=tolerance, abs=0.0
        )
        for name, array in ours.arrays.items():
            np.testing.assert_allclose(theirs.arrays[name], array, rtol=tolerance, atol=tolerance)


@every_view
@given(X=strategies.matrices)
@settings(max_examples=25)
def test_no_value_is_far_from_one(view: View, X: FloatArray) -> None:
    """|x|/√(mean square) is at most √n, and so is what is centred; the gauge draws 2^60 to 2^30."""
    most = 2.0**31 if view.spelled == "gauge" else math.sqrt(len(X)) * (1.0 + 1e-12)
    batch = ls.Learner(ls.Perceptron(), view=view).encode(X, [1] * len(X))[0]
    assert np.isfinite(batch.norm_squared).all()
    assert (batch.largest_entry <= most).all()


@every_view
def test_units_do_not_matter(view: View) -> None:
    """A column in another unit is shown as before: exactly for powers of two."""
    X, y = table()
    X -= np.where(np.arange(6) == 2, 1e5, 0.0)  # centring a column that is far from zero costs digits
    units = 2.0 ** np.array([20, -7, 0, 3, -30, 11])
    batches = [ls.Learner(ls.Perceptron(), view=view).encode(rows, y)[0] for rows in (X, X * units)]
    values = [batch.csr(np.arange(len(X)))[2] for batch in batches]
    np.testing.assert_allclose(values[0], values[1], rtol=1e-12 if view in EXACT else 1e-4)


# The same everywhere.


@every_view
@every_rule
def test_one_by_one_and_many_and_chunks_and_matrices_agree_bit_by_bit(rule: ls.LinearRule, view: View) -> None:
    X, y = table()
    whole = ls.Learner(rule, view=view, labels=(-1, 1))
    said = whole.learn_many(X, y, keep=("prediction",))["prediction"]
    single = ls.Learner(rule, view=view, labels=(-1, 1))
    alone = [single.learn_one(x, label) for x, label in zip(X, y, strict=True)]
    assert whole.label_values(said).tolist() == alone
    chunks = ls.Learner(rule, view=view, labels=(-1, 1))
    for begin in range(0, 60, 17):
        chunks.learn_many(csr_array(X[begin : begin + 17]), y[begin : begin + 17])
    others: list[Table] = [np.asfortranarray(X), csr_array(X)]
    ways = [single, chunks, *(ls.Learner(rule, view=view, labels=(-1, 1)) for _ in others)]
    for learner, rows in zip(ways[2:], others, strict=True):
        learner.learn_many(rows, y)
    for learner in ways:
        assert known(learner) == known(whole)


@every_view
@every_rule
def test_dicts_agree_with_arrays(rule: ls.LinearRule, view: View) -> None:
    X, y = table()
    names = [f"f{i}" for i in range(6)]
    by_name = ls.Learner(rule, view=view, labels=(-1, 1))
    one = ls.Learner(rule, view=view, labels=(-1, 1))
    by_name.learn_many(rows_of(X), y)
    for x, label in zip(rows_of(X), y, strict=True):
        one.learn_one(x, label)
    assert one.features == by_name.features == names
    assert known(one) == known(by_name)
    in_columns = ls.Learner(rule, view=view, labels=(-1, 1))
    in_columns.learn_many(X, y)
    np.testing.assert_array_equal(in_columns.score_many(X), by_name.score_many(rows_of(X)))


@every_view
def test_a_rule_written_in_python_sees_the_same(view: View) -> None:
    X, y = table()
    compiled, defined = (ls.Learner(rule, view=view, labels=(-1, 1)) for rule in (ls.Perceptron(), PlainPerceptron()))
    for learner in (compiled, defined):
        learner.learn_many(X, y)
    np.testing.assert_array_equal(compiled.state.w, defined.state.w)
    np.testing.assert_array_equal(compiled.score_many(X), defined.score_many(X))
    assert compiled.ledger.largest_norm == defined.ledger.largest_norm


@every_view
@every_rule
def test_what_is_predicted_is_what_the_round_says(rule: ls.LinearRule, view: View) -> None:
    X, y = table()
    learner = ls.Learner(rule, view=view, labels=(-1, 1))
    for x, label in zip(rows_of(X), y, strict=True):
        foretold = learner.predict_one(x) if learner.ledger.rounds else None
        before = known(learner) if learner.ledger.rounds else None
        assert before is None or before == known(learner)
        said = learner.learn_one(x, label)
        assert foretold is None or said == foretold


@every_view
@every_rule
def test_copies_pickles_and_files_go_on_with_the_same_bits(rule: ls.LinearRule, view: View, tmp_path: Path) -> None:
    X, y = table()
    learner = ls.Learner(rule, view=view, labels=(-1, 1))
    learner.learn_many(X[:40], y[:40])
    learner.save(tmp_path / "m.lst")
    twins = [copy.deepcopy(learner), pickle.loads(pickle.dumps(learner)), ls.load(tmp_path / "m.lst")]
    learner.learn_many(X[40:], y[40:])
    for twin in twins:
        assert isinstance(twin, ls.Learner)
        assert twin.view == view
        twin.learn_many(X[40:], y[40:])
        assert known(twin) == known(learner)


@every_view
def test_files_agree_with_arrays(view: View, tmp_path: Path) -> None:
    X, y = table()
    lines = [
        f"{label} " + " ".join(f"{i + 1}:{v!r}" for i, v in enumerate(x) if v) for x, label in zip(X.tolist(), y, strict=True)
    ]
    (tmp_path / "rows.svm").write_text("\n".join(lines))
    learned = ls.Learner(ls.PassiveAggressive(), view=view, labels=(-1, 1))
    for rows, labels in ls.read(tmp_path / "rows.svm", chunk=700):
        learned.learn_many(rows, labels)
    ours = ls.Learner(ls.PassiveAggressive(), view=view, labels=(-1, 1))
    ours.learn_many(X, y)
    np.testing.assert_array_equal(learned.state.w[1:7], ours.state.w)


# All or nothing.


def refuses_without_a_trace(view: View, X: FloatArray, y: list[int]) -> None:
    learner = ls.Learner(ls.PassiveAggressive(), view=view, labels=(-1, 1))
    learner.learn_many(X[:2], y[:2])
    before = known(learner)
    broken = X.copy()
    broken[-1, 0] = np.nan
    with pytest.raises(ls.InvalidData, match="nan"):
        learner.learn_many(broken, y)
    with pytest.raises(ls.InvalidData, match="nan"):
        learner.learn_one(broken[-1], 1)
    with pytest.raises(ls.InvalidData, match="third one"):
        learner.learn_one(X[0], "other")
    learner.score_many(X)
    learner.predict_one(X[1])
    assert known(learner) == before
    learner.learn_one(X[0], 1, weight=1.0)
    assert known(learner) != before


@every_view
@pytest.mark.parametrize("rows", [3, 4000])
def test_a_refused_call_leaves_no_trace(view: View, rows: int) -> None:
    refuses_without_a_trace(view, *table(rows))


@every_view
def test_a_round_of_weight_0_moves_nothing(view: View) -> None:
    X, y = table()
    learner = ls.Learner(ls.Perceptron(), view=view, labels=(-1, 1))
    learner.learn_many(X[:20], y[:20])
    before = learner.snapshot().statistics
    learner.learn_one(1000.0 * X[0], 1, weight=0.0)
    after = learner.snapshot().statistics
    assert before is not None
    assert after is not None
    assert all((after.arrays[name] == array).all() for name, array in before.arrays.items())


# Theorems.


@every_view
@every_rule
def test_a_run_is_that_over_rows_scaled_before(rule: ls.LinearRule, view: View) -> None:
    """Norms, margins and steps are those of the shown rows; the fingerprint is of the rows as they were given."""
    X, y = table()
    run = ls.run(rule, X, y, view=view, labels=(-1, 1))
    batch = run.learner.encode(X, y)[0]
    start, index, value = batch.csr(np.arange(len(batch)))
    plain = ls.run(rule, csr_array((value, index, start), shape=(60, 6)), y, labels=(-1, 1))
    mine, its = run.ledger.to_dict(), plain.ledger.to_dict()
    assert mine.pop("tenths") == its.pop("tenths")
    assert {name: mine[name] for name in mine if name not in ("fingerprint", "sequence")} == pytest.approx(
        {name: its[name] for name in its if name not in ("fingerprint", "sequence")}, rel=1e-9, nan_ok=True
    )
    assert run.ledger.fingerprint == ls.run(rule, X, y, labels=(-1, 1)).ledger.fingerprint


@every_exact_view
def test_certificates_hold_of_the_shown_rows(view: View) -> None:
    X = table(400)[0][:, [0, 5]]
    X = X[np.abs(X[:, 0]) > 3e-4]
    run = ls.run(ls.Perceptron(), X, np.sign(X[:, 0]).astype(int), view=view, average=True, keep=("score",))
    assert audit(run) > 0
    given = [run.certify(against=run.learner.averaged().state.w), run.certify(against="best"), run.certify()]
    assert {c.verdict.value for certificates in given for c in certificates} <= {"holds", "vacuous", "unproved"}
    assert any(c.verdict.value == "holds" for c in given[1])


def test_a_comparator_without_the_view_proves_nothing() -> None:
    X, y = table(100)
    run = ls.run(ls.Perceptron(), X, y, view=ls.features.StandardScale(), labels=(-1, 1))
    u = np.ones(6)
    seen = ls.run(ls.Fixed(weights=u), X, y, view=ls.features.StandardScale(), labels=(-1, 1))
    bare = ls.run(ls.Fixed(weights=u), X, y, labels=(-1, 1))
    words = {c.id: c.verdict.value for c in run.certify(against=bare)}
    assert set(words.values()) == {"unproved"}
    assert {c.verdict.value for c in run.certify(against=seen)} > {"unproved"}


def test_the_average_predicts_through_the_view() -> None:
    X, y = table(100)
    learner = ls.Learner(ls.Perceptron(), view=ls.features.MaxScale(), average=True, labels=(-1, 1))
    learner.learn_many(X, y)
    largest = np.abs(X).max(axis=0)
    np.testing.assert_allclose(learner.averaged().score_many(X), (X / largest) @ learner.averaged().state.w, rtol=1e-12)


# Refusals.


@pytest.mark.parametrize(
    ("act", "sentence"),
    [
        (
            lambda: ls.Learner(ls.Perceptron(), view=cast("View", "standard")),
            "view is 'standard'; expected a view of the rows, such as",
        ),
        (
            lambda: ls.Learner(ls.Perceptron(), view=cast("View", ls.views.Bins)),
            r"expected a view of the rows, such as ls\.views\.Bins\(\)",
        ),
        (lambda: ls.Learner(ls.Pool(), view=ls.features.MaxScale()), "Pool has scales of its own; leave out view"),
        (lambda: ls.Learner(view=ls.features.MaxScale()), "Pool has scales of its own"),
        (
            lambda: ls.run(ls.Perceptron(), [[1.0]], [1], view=ls.features.MaxScale(), passes=2),
            "shows other rows in every pass",
        ),
        (lambda: ls.mix([_learned(), _learned()]), "learners behind a view cannot be mixed"),
        (lambda: ls.export(_learned(), "m.json"), "rows behind MaxScale"),
        (lambda: ls.convert.voted(_run()), r"MaxScale\(\) shows a row in changing scales"),
    ],
)
def test_what_has_no_meaning_is_refused_in_a_sentence(act: Callable[[], object], sentence: str) -> None:
    with pytest.raises(ls.LittlestoneError, match=sentence):
        act()


def _learned() -> ls.Learner:
    learner = ls.Learner(ls.Perceptron(), view=ls.features.MaxScale(), labels=(-1, 1))
    learner.learn_one([1.0, 2.0], 1)
    return learner


def _run() -> ls.Run:
    return ls.run(ls.Perceptron(), [[1.0], [2.0]], [1, -1], view=ls.features.MaxScale(), keep=("step", "update"))


def test_centring_refuses_wide_rows_before_anything_is_learned() -> None:
    learner = ls.Learner(ls.Perceptron(), view=ls.features.StandardScale(), labels=(-1, 1))
    with pytest.raises(ls.NotApplicable, match=r"5,000 features, and a row that is centred has them all; view=ls.features"):
        learner.learn_many(csr_array((3, 5000)), [1, -1, 1])
    with pytest.raises(ls.NotApplicable, match="a row that is centred"):
        learner.learn_one({f"f{k}": 1.0 for k in range(5000)}, 1)
    assert learner.ledger.rounds == 0
    assert learner.width == 0


def test_sparse_rows_stay_sparse() -> None:
    learner = ls.Learner(ls.Perceptron(), view=ls.features.RootMeanSquareScale(), labels=(-1, 1))
    X = csr_array(([3.0, 4.0], ([0, 1], [7, 999_999])), shape=(2, 1_000_000))
    learner.learn_many(X, [1, -1])
    assert learner.encode(X, [1, -1])[0].entries == 2
    assert learner.weights == {7: 1.0, 999_999: -1.0}


@pytest.mark.parametrize("harm", ["name", "array", "nan"])
def test_a_damaged_file_is_refused(harm: str, tmp_path: Path) -> None:
    from littlestone.store import container
    from littlestone.store.writing import described

    learner = _learned()
    header, arrays = described(learner.snapshot())
    if harm == "name":
        header["view"] = "fisheye"
    elif harm == "array":
        del arrays["view.largest"]
    else:
        arrays["view.largest"] = np.array([1.0, math.nan])
    container.write(tmp_path / "m.lst", header, arrays)
    with pytest.raises(ls.InvalidData, match=r"no view 'fisheye'|its state has the arrays|view is not finite"):
        ls.load(tmp_path / "m.lst")


def test_an_older_reader_refuses_the_file(tmp_path: Path) -> None:
    from littlestone.store.container import stamp

    _learned().save(tmp_path / "m.lst")
    assert stamp(tmp_path / "m.lst").version == 2


# Real rows, and the command line.


def elec2() -> tuple[FloatArray, list[str]]:
    columns: dict[str, list[str]] = {}
    import csv
    import gzip

    with gzip.open(reading.data("drift/elec2.csv.gz"), "rt") as file:
        records = list(csv.DictReader(file))
    for record in records:
        for name, value in record.items():
            columns.setdefault(name, []).append(value)
    labels = columns.pop("class")
    return np.array(list(columns.values()), dtype=np.float64).T, labels


def test_elec2_is_halved_by_a_scale() -> None:
    """14.8 % without; River's StandardScaler has 7.7 % in front of its PA-I, which has a constant."""
    X, y = elec2()
    rule = ls.PassiveAggressive(variant="PA-I", C=1.0)
    rate = {name: ls.run(rule, X, y, view=view).ledger.error_rate for name, view in (("none", None), *_by_name())}
    assert rate["none"] > 0.14
    assert rate["standard"] < 0.079
    assert rate["rms"] < 0.079
    constant = np.column_stack([X, np.ones(len(X))])
    assert ls.run(rule, constant, y, view=ls.features.StandardScale()).ledger.error_rate < 0.0773


def _by_name() -> list[tuple[str, View]]:
    return [(view.spelled, view) for view in VIEWS]


def test_the_command_line_knows_every_scale() -> None:
    assert tuple(NAMES) == SCALES


def invoke(*arguments: str) -> str:
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code == 0, done.output
    return done.stdout


def refused(*arguments: str) -> str:
    done = CliRunner().invoke(main, arguments)
    assert done.exit_code != 0
    return done.stderr.splitlines()[-1]


@pytest.fixture
def csv(tmp_path: Path) -> Path:
    X, y = table(300)
    path = tmp_path / "table.csv"
    lines = [",".join(map(repr, [*x, int(label > 0)])) for x, label in zip(X.tolist(), y, strict=True)]
    path.write_text("\n".join(["a,b,c,d,e,f,label", *lines]))
    return path


def test_scale_on_the_command_line(csv: Path, tmp_path: Path) -> None:
    model = str(tmp_path / "m.lst")
    bare = json.loads(invoke("learn", str(csv), "--rule", "pa", "--C", "1", "--json"))
    told = json.loads(invoke("learn", str(csv), "--rule", "pa", "--C", "1", "--scale", "standard", "--model", model, "--json"))
    assert told["measures"]["error"] < 0.5 * bare["measures"]["error"]
    learner = ls.load(model)
    assert isinstance(learner, ls.Learner)
    assert learner.view == ls.features.StandardScale()
    facts = json.loads(invoke("inspect", model, "--json"))
    assert (facts["view"], facts["missing values"]) == ("standard", "skip")
    went_on = invoke("learn", str(csv), "--from", model, "--model", model, "--json")
    assert json.loads(went_on)["ledger"]["rounds"] == 600


def test_certify_speaks_of_the_shown_rows(csv: Path, tmp_path: Path) -> None:
    model = str(tmp_path / "m.lst")
    invoke("learn", str(csv), "--rule", "perceptron", "--scale", "rms", "--average", "--model", model, "--certify")
    for against in ("best", "average", model):
        told = json.loads(invoke("certify", model, str(csv), "--against", against, "--json"))
        verdicts = {c["verdict"] for c in told["certificates"]}
        assert "violated" not in verdicts
        assert verdicts & {"holds", "vacuous"}


def test_passes_behind_a_scale(csv: Path, tmp_path: Path) -> None:
    model = str(tmp_path / "m.lst")
    invoke("learn", str(csv), "--rule", "perceptron", "--scale", "max", "--passes", "3", "--certify", "--model", model)
    assert "shows other rows in every pass" in refused("certify", model, str(csv), "--against", "best")


def test_a_race_behind_a_scale(csv: Path) -> None:
    told = json.loads(invoke("race", str(csv), "--rules", "pa,pool,perceptron", "--scale", "standard", "--json"))
    assert {runner["name"] for runner in told["rules"]} == {"passive-aggressive", "pool", "perceptron"}


def test_a_chain_on_the_command_line(csv: Path, tmp_path: Path) -> None:
    model = str(tmp_path / "m.lst")
    invoke("learn", str(csv), "--rule", "pa", "--scale", "rms,max", "--model", model)
    learner = ls.load(model)
    assert isinstance(learner, ls.Learner)
    assert learner.view == ls.features.RootMeanSquareScale() | ls.features.MaxScale()
    assert json.loads(invoke("inspect", model, "--json"))["view"] == "rms,max"
    assert len(invoke("predict", model, str(csv)).splitlines()) == 300
    told = refused("learn", str(csv), "--rule", "pa", "--scale", "rms,largest")
    assert "'largest' is not one of 'standard', 'rms', 'max', 'gauge', 'bins'" in told


def test_a_server_and_a_follower_have_scales(tmp_path: Path) -> None:
    from littlestone.cli.serve import learner_to_begin_with
    from littlestone.serve.models import ServedLearner

    begun = learner_to_begin_with("perceptron", {}, one_versus_rest=True, scale="standard,max")()
    assert isinstance(begun, ServedLearner)
    assert begun.learner.view == ls.features.StandardScale() | ls.features.MaxScale()
    data, model = str(tmp_path / "served"), str(tmp_path / "m.lst")
    ls.Learner(ls.Perceptron()).save(model)
    assert "--scale is for a --rule" in refused("serve", "--data", data, "--scale", "max")
    assert "leave out --scale" in refused("serve", model, "--data", data, "--scale", "max")
    assert "experts are given as they are" in refused("serve", "--data", data, "--experts", "a,b", "--scale", "max")
    assert "pool has scales of its own" in refused("serve", "--data", data, "--rule", "pool", "--scale", "max")
    log = "redis://127.0.0.1:1/rows"
    assert "--scale is for a --rule" in refused("follow", log, "--model", model, "--scale", "max")


def test_refusals_name_the_flag(csv: Path, tmp_path: Path) -> None:
    model = str(tmp_path / "m.lst")
    invoke("learn", str(csv), "--rule", "perceptron", "--scale", "max", "--model", model)
    assert "--scale is for a --rule" in refused("learn", str(csv), "--scale", "max")
    assert "--scale is max, and pool has scales of its own" in refused("learn", str(csv), "--rule", "pool", "--scale", "max")
    assert "leave out --scale" in refused("learn", str(csv), "--from", model, "--scale", "max")
    assert "--scale is for one learner" in refused(
        "learn", str(csv), "--rule", "perceptron", "--scale", "max", "--workers", "2"
    )
    wide = tmp_path / "wide.svm"
    wide.write_text("1 9000:1\n-1 3:1\n")
    assert "--scale rms keeps zeros" in refused("learn", str(wide), "--rule", "perceptron", "--scale", "standard")


# Rows in very different units.


def uneven(rows: int = 1200) -> tuple[FloatArray, list[int]]:
    X, y = table(rows)
    return X[:, [0, 2]], y


def told_of(X: FloatArray, y: list[int]) -> str:
    learner = ls.Learner(ls.Perceptron(), labels=(-1, 1))
    with pytest.warns(ls.ScaleWarning) as told:
        learner.learn_many(X, y)
    learner.learn_many(X, y)
    (once,) = told
    assert str(once.message) == learner.advice
    return str(once.message)


def test_whoever_gives_rows_in_very_different_units_is_told_once() -> None:
    X, y = uneven()
    assert re.match(r"the squared lengths of rows are up to 1\.\S+: the largest columns decide; view=", told_of(X, y))
    X = np.random.default_rng(2).normal(size=X.shape)
    X[::3, 0] = 1e4
    assert re.match(r"the squared lengths of rows go from \S+ to 1e\+08: the largest columns decide; view=", told_of(X, y))


def test_a_few_rows_that_are_short_by_chance_are_nothing_to_be_told_of() -> None:
    X = np.random.default_rng(3).normal(size=(2000, 1))
    assert (X**2).max() > 1e6 * (X**2).min()
    learner = ls.Learner(ls.Perceptron())
    learner.learn_many(X, np.where(X[:, 0] > 0.2, 1, -1))
    assert learner.advice is None


@pytest.mark.parametrize(
    "learner",
    [
        ls.Learner(ls.Perceptron(), view=ls.features.StandardScale()),
        ls.Learner(),
        ls.Learner(ls.NaiveBayes()),
        ls.Learner(ls.Fixed(weights=[1.0, 0.0])),
    ],
    ids=repr,
)
def test_whoever_scales_rows_or_minds_no_scale_is_not(learner: ls.Learner) -> None:
    X, y = uneven()
    learner.learn_many(np.abs(X), y)
    few = ls.Learner(ls.Perceptron())
    few.learn_many(X[:999], y[:999])
    assert few.advice is None


def test_the_command_line_says_it_in_a_line(tmp_path: Path) -> None:
    X, y = uneven()
    lines = [f"{a!r},{b!r},{int(label > 0)}" for (a, b), label in zip(X.tolist(), y, strict=True)]
    (tmp_path / "t.csv").write_text("\n".join(["a,b,label", *lines]))
    done = CliRunner().invoke(main, ["learn", str(tmp_path / "t.csv"), "--rule", "perceptron"])
    told = [line for line in done.stderr.splitlines() if "squared lengths" in line]
    assert len(told) == 1
    assert told[0].endswith(": the largest columns decide; --scale standard puts all on one scale")
    assert (
        "squared"
        not in CliRunner().invoke(main, ["learn", str(tmp_path / "t.csv"), "--rule", "perceptron", "--scale", "max"]).stderr
    )
