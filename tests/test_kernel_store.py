"""Kernel learners and balls in model files: the same bits, no code, and nothing that a run could not have left."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import laws
import littlestone as ls
from littlestone import _core, store
from littlestone.arrays import FloatArray
from littlestone.kernels import KERNELS, Kernel, Support
from littlestone.multiclass.support_sets import SupportSets

SHAPES: list[Kernel] = [
    ls.kernels.Linear(),
    ls.kernels.Polynomial(degree=3, gamma=0.25, constant=0.5),
    ls.kernels.Gaussian(gamma=0.3),
    ls.kernels.Laplace(gamma=0.2),
]
every_kernel = pytest.mark.parametrize("kernel", SHAPES, ids=lambda kernel: type(kernel).__name__)


def rules(kernel: Kernel) -> list[ls.LinearRule]:
    return [
        ls.KernelPerceptron(kernel=kernel, eta=0.5),
        ls.KernelPerceptron(kernel=kernel, budget=7, when_full="drop-oldest"),
        ls.KernelPerceptron(kernel=kernel, budget=4, when_full="project"),
        ls.KernelPassiveAggressive(kernel=kernel, variant="PA-I", C=0.1),
        ls.KernelPassiveAggressiveRegression(kernel=kernel, epsilon=0.2, budget=5),
        ls.KernelUniclass(kernel=kernel, epsilon=0.8),
        ls.KernelUniclass(kernel=kernel, epsilon=0.8, budget=3),
        ls.KernelUniclass(kernel=kernel, epsilon=0.8, budget=3, when_full="drop-oldest"),
        ls.OneVersusRest(rule=ls.KernelPerceptron(kernel=kernel, eta=0.5)),
        ls.OneVersusRest(rule=ls.KernelPerceptron(kernel=kernel, budget=7, when_full="drop-oldest")),
        ls.OneVersusRest(rule=ls.KernelPassiveAggressive(kernel=kernel, variant="PA-I", C=0.1, budget=4)),
    ]


BALLS: list[ls.LinearRule] = [
    ls.Uniclass(epsilon=0.5),
    ls.BatchUniclass(epsilon=0.5, beta=0.04),
    ls.MultiplicativeUniclass(epsilon=0.2),
]


def rows(count: int = 120) -> FloatArray:
    return np.abs(np.random.default_rng(0).normal(size=(count, 4)))


def learn(learner: ls.Learner, X: FloatArray) -> None:
    if learner.rule.abilities.alone:
        learner.learn_many(X)
    elif learner.rule.abilities.classes:
        learner.learn_many(X, np.digitize(np.sum(X**2, axis=1), [1.5, 3.0, 5.0, 12.0]))  # some of them come late
    elif learner.rule.abilities.labels:
        learner.learn_many(X, np.where(np.sum(X**2, axis=1) > 4.0, "far", "near"))
    else:
        learner.learn_many(X, X[:, 0] * X[:, 1])


def resumed(rule: ls.LinearRule, path: Path) -> None:
    """Stopped three times and never: the same bits, the same answers."""
    X, steady, stopped = rows(), ls.Learner(rule), ls.Learner(rule)
    learn(steady, X)
    for begin in range(0, 120, 30):
        learn(stopped, X[begin : begin + 30])
        stopped.save(path)
        stopped = ls.load(path)
    laws.same(steady, stopped)
    assert stopped.rule == rule
    assert steady.score_many(X).tobytes() == stopped.score_many(X).tobytes()
    assert steady.labels == stopped.labels
    assert steady.predict_many(X).tolist() == stopped.predict_many(X).tolist()


@every_kernel
def test_resuming_gives_the_bits_of_never_having_stopped(kernel: Kernel, tmp_path: Path) -> None:
    for rule in rules(kernel):
        resumed(rule, tmp_path / "m.lst")


@pytest.mark.parametrize("rule", BALLS, ids=repr)
def test_balls_resume(rule: ls.LinearRule, tmp_path: Path) -> None:
    resumed(rule, tmp_path / "m.lst")


def test_a_learner_that_has_learned_nothing_is_saved(tmp_path: Path) -> None:
    for rule in (*rules(SHAPES[2]), *BALLS):
        fresh = ls.Learner(rule)
        fresh.save(tmp_path / "m.lst")
        again = ls.load(tmp_path / "m.lst")
        learn(fresh, rows(20))
        learn(again, rows(20))
        laws.same(fresh, again)


def test_every_kernel_of_the_library_can_be_saved() -> None:
    assert set(KERNELS) == {type(kernel).__name__ for kernel in SHAPES}


def test_names_and_the_mean_are_kept(tmp_path: Path) -> None:
    learner = ls.Learner(ls.KernelPerceptron(kernel=ls.kernels.Gaussian()))
    records = [{f"f{k % 5}": 1.0, f"g{k % 3}": -0.5} for k in range(40)]
    learner.learn_many(records, [k % 2 == 0 for k in range(40)])
    for saved in (learner, learner.averaged()):
        saved.save(tmp_path / "m.lst")
        again = ls.load(tmp_path / "m.lst")
        assert again.features == learner.features
        assert again.score_many(records).tobytes() == saved.score_many(records).tobytes()


def test_a_file_is_read_by_a_program_that_has_used_nothing_else(tmp_path: Path) -> None:
    laplace = ls.KernelPerceptron(kernel=ls.kernels.Laplace())
    for rule in (ls.Uniclass(epsilon=0.5), laplace, ls.OneVersusRest(rule=laplace)):
        learner = ls.Learner(rule)
        learn(learner, rows())
        learner.save(tmp_path / "m.lst")
        code = "import sys, littlestone as ls; print(ls.load(sys.argv[1]).rule.name())"
        found = subprocess.run(
            [sys.executable, "-c", code, str(tmp_path / "m.lst")], check=True, capture_output=True, text=True
        )
        assert found.stdout.strip() == rule.name()


def test_a_function_of_yours_is_not_saved(tmp_path: Path) -> None:
    path = tmp_path / "m.lst"
    ls.Learner(ls.Perceptron()).save(path)
    before = path.read_bytes()
    own = ls.KernelPerceptron(kernel=ls.kernels.Custom(function=lambda points, x: np.asarray(points) @ np.asarray(x)))
    for rule in (own, ls.OneVersusRest(rule=own)):
        learner = ls.Learner(rule)
        learn(learner, rows())
        with pytest.raises(
            ls.NotApplicable, match=r"^the kernel is Custom, a function that cannot be saved; a file holds no code$"
        ):
            learner.save(path)
        assert path.read_bytes() == before


def test_a_wide_sparse_learner_makes_a_small_file(tmp_path: Path) -> None:
    from scipy.sparse import csr_array

    X = csr_array(([1.0, 2.0, 3.0], [5, 3_999_999, 7], [0, 2, 3]), shape=(2, 4_000_000))
    binary = ls.KernelPerceptron(kernel=ls.kernels.Gaussian())
    for rule in (binary, ls.OneVersusRest(rule=binary)):
        learner = ls.Learner(rule, labels=(-1, 1))
        learner.learn_many(X, [1, -1])
        learner.save(tmp_path / "m.lst")
        assert (tmp_path / "m.lst").stat().st_size < 20_000
        assert ls.load(tmp_path / "m.lst").score_many(X).tobytes() == learner.score_many(X).tobytes()


def test_the_command_line_shows_a_kernel_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from littlestone.cli.inspect import print_model

    path, _ = saved(tmp_path, PROJECTING)
    print_model(str(path), 3, as_json=True)
    assert json.loads(capsys.readouterr().out)["parameters"]["kernel"] == "Gaussian(gamma=0.3)"
    print_model(str(path), 3, as_json=False)
    assert "Gaussian(gamma=0.3)" in capsys.readouterr().out


# --- files that somebody clever could write


def altered(path: Path, name: str, array: FloatArray) -> None:
    """The file with another array and sound checksums."""
    whole = path.read_bytes()
    length = struct.unpack_from("<I", whole, 12)[0]
    header, body = json.loads(whole[40 : 40 + length]), whole[40 + length :]
    parts, offset = b"", 0
    for entry in header["arrays"]:
        raw = body[entry["offset"] : entry["offset"] + entry["bytes"]]
        if entry["name"] == name:
            raw = array.astype(np.float64).tobytes()
        entry |= {"offset": offset, "bytes": len(raw), "checksum": _core.checksum(np.frombuffer(raw, np.uint8))}
        parts += raw + bytes(-len(raw) % 64)
        offset = len(parts)
    text = json.dumps(header).encode()
    text += b" " * (-(len(text) + 40) % 64)
    total = 40 + len(text) + len(parts)
    prefix = struct.pack("<8sIIQQ", store.MAGIC, 1, len(text), total, _core.checksum(np.frombuffer(text, np.uint8)))
    path.write_bytes(prefix + struct.pack("<Q", _core.checksum(np.frombuffer(prefix, np.uint8))) + text + parts)


def saved(tmp_path: Path, rule: ls.LinearRule) -> tuple[Path, dict[str, FloatArray]]:
    learner = ls.Learner(rule)
    learn(learner, rows())
    learner.save(tmp_path / "m.lst")
    return tmp_path / "m.lst", {name: array.copy() for name, array in learner.state.arrays.items()}


PROJECTING = ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=0.3), budget=4)


def test_an_unchanged_file_is_sound(tmp_path: Path) -> None:
    path, arrays = saved(tmp_path, PROJECTING)
    altered(path, "state.alpha", arrays["alpha"])
    assert isinstance(ls.load(path).state, Support)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("start", lambda a: a[1:]),
        ("start", lambda a: -a),
        ("start", lambda a: a + 0.5),
        ("start", lambda a: a[::-1]),
        ("start", lambda a: a[:0]),
        ("index", lambda a: a + 1.0),
        ("index", lambda a: a * 1e300),
        ("index", lambda a: -a),
        ("index", lambda a: np.zeros(len(a))),
        ("index", lambda a: a + 0.25),
        ("index", lambda a: np.full(len(a), np.nan)),
        ("value", lambda a: np.full(len(a), np.nan)),
        ("value", lambda a: np.zeros(len(a))),
        ("value", lambda a: a[1:]),
        ("value", lambda a: np.ones(len(a))),
        ("alpha", lambda a: a[1:]),
        ("alpha", lambda a: np.full(len(a), np.inf)),
        ("drift", lambda a: np.append(a, 1.0)),
        ("scale", lambda a: -a),
        ("scale", lambda a: np.append(a, a)),
        ("norm_squared", lambda a: a * np.nan),
        ("rounds", lambda a: a + 0.5),
        ("dropped", lambda a: a - 1.0),
        ("oldest", lambda a: a + 4.0),
    ],
    ids=lambda it: it if isinstance(it, str) else "",
)
def test_a_support_set_that_no_run_leaves_is_refused(name: str, change: object, tmp_path: Path) -> None:
    path, arrays = saved(tmp_path, PROJECTING)
    assert callable(change)
    altered(path, f"state.{name}", np.atleast_1d(np.asarray(change(arrays[name]), dtype=np.float64)))
    with pytest.raises(ls.InvalidData, match="is not a sound model file"):
        ls.load(path)


OF_CLASSES = ls.OneVersusRest(rule=PROJECTING)


def test_unchanged_sets_are_sound(tmp_path: Path) -> None:
    path, arrays = saved(tmp_path, OF_CLASSES)
    before = path.read_bytes()
    altered(path, "state.lengths", arrays["lengths"])
    again = ls.load(path)
    assert isinstance(again.state, SupportSets)
    assert again.state.count == 5
    again.save(path)
    assert path.read_bytes() == before


def moved_by_one(lengths: FloatArray) -> FloatArray:
    """The first point of the second set goes to the first set: the sums are as they were."""
    table = lengths.reshape(-1, 12).copy()
    column = list(Support.empty(ls.kernels.Gaussian(), 4, project=True).arrays).index("alpha")
    table[0, column] += 1.0
    table[1, column] -= 1.0
    return table.ravel()


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        ("lengths", lambda a: a[:0], "not whole numbers, one per set and array"),
        ("lengths", lambda a: a[1:], "not whole numbers, one per set and array"),
        ("lengths", lambda a: a + 0.5, "not whole numbers, one per set and array"),
        ("lengths", lambda a: -a, "not whole numbers, one per set and array"),
        ("lengths", lambda a: a * np.nan, "not whole numbers, one per set and array"),
        ("lengths", lambda a: a + np.inf, "not whole numbers, one per set and array"),
        ("lengths", lambda a: np.append(a, np.zeros(12)), "support points"),
        ("lengths", lambda a: a[:-12], "do not add up to their arrays"),
        ("lengths", lambda a: a + 1.0, "do not add up to their arrays"),
        ("lengths", lambda a: 2.0**48 * a, "do not add up to their arrays"),
        ("lengths", moved_by_one, "do not fit the rule"),
        ("lengths", lambda a: np.roll(a, 1), "do not add up to their arrays"),
        ("met", lambda a: a + 1.0, "more classes take part than it has"),
        ("met", lambda a: -a, "more classes take part than it has"),
        ("met", lambda a: a - 0.5, "more classes take part than it has"),
        ("met", lambda a: a * np.nan, "more classes take part than it has"),
        ("met", lambda a: np.append(a, a), "its state has the arrays"),
        ("alpha", lambda a: a[1:], "do not add up to their arrays"),
        ("alpha", lambda a: a * np.nan, "do not fit the rule"),
        ("rounds", lambda a: a - 0.5, "do not fit the rule"),
        ("index", lambda a: a + 1.0, "do not fit its features"),
        ("start", lambda a: a[::-1], "are not rows of numbers"),
        ("value", lambda a: np.ones(len(a)), "do not fit the rule"),
    ],
    ids=lambda it: it if isinstance(it, str) else "",
)
def test_support_sets_that_no_run_leaves_are_refused(name: str, change: object, words: str, tmp_path: Path) -> None:
    path, arrays = saved(tmp_path, OF_CLASSES)
    assert callable(change)
    altered(path, f"state.{name}", np.atleast_1d(np.asarray(change(arrays[name]), dtype=np.float64)))
    with pytest.raises(ls.InvalidData, match=f"is not a sound model file: .*{words}"):
        ls.load(path)


@pytest.mark.parametrize("labels", [[{"int": 0}], [{"int": k} for k in range(6)]], ids=len)
def test_other_labels_than_support_sets_are_refused(labels: list[object], tmp_path: Path) -> None:
    path, _ = saved(tmp_path, OF_CLASSES)
    whole = path.read_bytes()
    length = struct.unpack_from("<I", whole, 12)[0]
    rewrite(path, json.loads(whole[40 : 40 + length]) | {"classes": labels, "given classes": 0}, whole[40 + length :])
    with pytest.raises(ls.InvalidData, match=rf"it has {len(labels)} classes and support sets of 5"):
        ls.load(path)


def test_more_points_than_the_budget_are_refused(tmp_path: Path) -> None:
    path, _ = saved(tmp_path, ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=0.3), budget=4))
    whole = path.read_bytes()
    length = struct.unpack_from("<I", whole, 12)[0]
    header = json.loads(whole[40 : 40 + length])
    header["rule"]["parameters"]["budget"] = 3
    rewrite(path, header, whole[40 + length :])
    with pytest.raises(ls.InvalidData, match="do not fit the rule"):
        ls.load(path)


def rewrite(path: Path, header: dict[str, object], body: bytes) -> None:
    text = json.dumps(header).encode()
    text += b" " * (-(len(text) + 40) % 64)
    prefix = struct.pack(
        "<8sIIQQ", store.MAGIC, 1, len(text), 40 + len(text) + len(body), _core.checksum(np.frombuffer(text, np.uint8))
    )
    path.write_bytes(prefix + struct.pack("<Q", _core.checksum(np.frombuffer(prefix, np.uint8))) + text + body)


@pytest.mark.parametrize(
    "kernel",
    [
        None,
        "Gaussian",
        {},
        {"name": "Custom", "parameters": {"function": "os.system"}},
        {"name": "Kernel", "parameters": {}},
        {"name": "Gaussian", "parameters": {"gamma": -1.0}},
        {"name": "Gaussian", "parameters": {"gamma": "much"}},
        {"name": "Gaussian", "parameters": {"width": 1.0}},
        {"name": "Polynomial", "parameters": {"degree": 2.5}},
        {"name": "Gaussian", "parameters": None},
    ],
    ids=str,
)
def test_a_kernel_that_is_none_is_refused(kernel: object, tmp_path: Path) -> None:
    path, _ = saved(tmp_path, PROJECTING)
    whole = path.read_bytes()
    length = struct.unpack_from("<I", whole, 12)[0]
    header = json.loads(whole[40 : 40 + length])
    header["rule"]["parameters"]["kernel"] = {"kernel": kernel}
    rewrite(path, header, whole[40 + length :])
    with pytest.raises(ls.InvalidData, match="is not a sound model file"):
        ls.load(path)


@pytest.mark.parametrize(
    ("name", "change"),
    [("count", lambda a: a + 99.0), ("order", lambda a: a + 99.0), ("count", lambda a: -a), ("theta", lambda a: a[1:])],
)
def test_a_centre_that_no_run_leaves_is_refused(name: str, change: object, tmp_path: Path) -> None:
    path, arrays = saved(tmp_path, ls.MultiplicativeUniclass(epsilon=0.2))
    assert callable(change)
    altered(path, f"state.{name}", np.asarray(change(arrays[name]), dtype=np.float64))
    with pytest.raises(ls.InvalidData):
        ls.load(path)
