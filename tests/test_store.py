"""The model file: the same bits, whole after any crash, refused after any damage, unable to run anything."""

from __future__ import annotations

import io
import json
import random
import signal
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import ClassVar, final

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from inventory import LINEAR, MULTIPLICATIVE, short
from littlestone import _core, store
from littlestone.domain import POSITIVE, parameter
from littlestone.labels import Label
from littlestone.multiclass.support_sets import SupportSets
from littlestone.state import State
from reading import STRESS, examples

RELEASED = Path(__file__).parent / "models"
RULES = [rule for rule in (*LINEAR, *MULTIPLICATIVE) if rule.abilities.labels]


def stream(rows: int, seed: int = 0) -> tuple[np.ndarray[tuple[int, int], np.dtype[np.float64]], list[str]]:
    chance = np.random.default_rng(seed)
    X = abs(chance.normal(size=(rows, 5)))
    return X, ["spam" if row.sum() + chance.normal() > 4 else "ham" for row in X]


def same(a: ls.Learner, b: ls.Learner) -> None:
    """Equal in everything that either knows."""
    one, two = a.snapshot(), b.snapshot()
    assert (one.rule, repr(one.totals), one.space, one.names, one.labels, one.kind) == (
        two.rule,
        repr(two.totals),
        two.space,
        two.names,
        two.labels,
        two.kind,
    )
    assert [type(label) for label in a.labels] == [type(label) for label in b.labels]
    assert (one.state is None) == (two.state is None)
    if one.state is not None and two.state is not None:
        assert type(one.state) is type(two.state)
        assert {n: v.tobytes() for n, v in one.state.arrays.items()} == {n: v.tobytes() for n, v in two.state.arrays.items()}
    assert (one.average is None) == (two.average is None)


@pytest.mark.parametrize(
    ("average", "rule"), [(average, rule) for rule in RULES for average in (False, True)[: 1 + rule.keeps_mean()]], ids=short
)
def test_resuming_gives_the_bits_of_never_having_stopped(rule: ls.LinearRule, average: bool, tmp_path: Path) -> None:
    X, y = stream(300)
    steady, stopped = ls.Learner(rule, average=average), ls.Learner(rule, average=average)
    steady.learn_many(X, y)
    for begin in range(0, 300, 75):
        stopped.learn_many(X[begin : begin + 75], y[begin : begin + 75])
        stopped.save(tmp_path / "m.lst")
        stopped = ls.load(tmp_path / "m.lst")
    same(steady, stopped)
    assert np.array_equal(steady.predict_many(X), stopped.predict_many(X))
    if average:
        assert np.array_equal(steady.averaged().state.w, stopped.averaged().state.w)


def test_names_appear_after_a_load_as_before(tmp_path: Path) -> None:
    records: list[dict[str | int, float]] = [{f"word{k % 17}": 1.0, f"é{k % 5}": 0.5, k % 3: 2.0} for k in range(60)]
    steady, stopped = ls.Learner(ls.PassiveAggressive()), ls.Learner(ls.PassiveAggressive())
    for k, record in enumerate(records):
        steady.learn_one(record, k % 2 == 0)
        stopped.learn_one(record, k % 2 == 0)
        if k % 7 == 0:
            stopped.save(tmp_path / "m.lst")
            stopped = ls.load(tmp_path / "m.lst")
    same(steady, stopped)
    assert steady.weights == stopped.weights


@pytest.mark.parametrize(
    "text", [b"1 3:1 5:2\n-1 2:1\n", b"1 | a b\n-1 |n c:2\n", b"a,b,y\n1,u,p\n2,v,q\n", b'{"x":1,"label":"p"}\n']
)
def test_files_go_on_where_they_stopped(text: bytes, tmp_path: Path) -> None:
    def fed(learner: ls.Learner) -> ls.Learner:
        for X, y in ls.read(io.BytesIO(text)):
            learner.learn_many(X, y)
        return learner

    steady = fed(fed(ls.Learner(ls.Perceptron())))
    once = fed(ls.Learner(ls.Perceptron()))
    once.save(tmp_path / "m.lst")
    same(steady, fed(ls.load(tmp_path / "m.lst")))


labels = st.one_of(st.booleans(), st.integers(), st.floats(allow_nan=False), st.text(max_size=5))


@examples(60)
@given(st.lists(labels, max_size=2, unique_by=lambda label: label), st.booleans())
def test_labels_keep_their_kind(found: list[Label], learned: bool) -> None:
    learner = ls.Learner(ls.Perceptron(), labels=(found[0], found[1]) if len(found) == 2 and not learned else None)
    for label in found if learned else []:
        learner.learn_one([1.0, 2.0], label)
    with tempfile.TemporaryDirectory() as folder:
        learner.save(Path(folder) / "m.lst")
        same(learner, ls.load(Path(folder) / "m.lst"))


def test_a_fresh_learner_and_targets(tmp_path: Path) -> None:
    fresh = ls.Learner(ls.Perceptron(start=np.array([1.0, 2.0])), average=True)
    fresh.save(tmp_path / "m.lst")
    same(fresh, ls.load(tmp_path / "m.lst"))
    line = ls.Learner(ls.PassiveAggressiveRegression(epsilon=0.1))
    line.learn_many(np.eye(3), [1.0, 2.5, -3.0])
    line.save(tmp_path / "m.lst")
    same(line, ls.load(tmp_path / "m.lst"))
    assert ls.load(tmp_path / "m.lst").predict_one([0, 1, 0]) == line.predict_one([0, 1, 0])


def test_what_a_file_cannot_hold_is_told_and_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "m.lst"
    ls.Learner(ls.Perceptron()).save(path)
    before = path.read_bytes()
    odd = ls.Learner(ls.Perceptron(), labels=((1, 2), (3, 4)))
    with pytest.raises(ls.NotApplicable, match="cannot be saved"):
        odd.save(path)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["m.lst"]


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class Doubling(ls.LinearRule):
    """A rule of somebody else's."""

    source: ClassVar[str] = "nobody"
    factor: float = parameter(2.0, domain=POSITIVE, why="twice")

    def init(self, width: int) -> ls.Weights:
        return ls.Weights(w=np.zeros(width))

    def accepts_label(self, state: State, label: int) -> ls.Interval:
        return _core.Interval.open_half_line(label)

    def update(self, state: State, row: ls.Row, trial: ls.Trial) -> ls.Step:
        if trial.side == 0:
            return _core.Step.stay()
        row.add_to(state.w, self.factor * trial.side)
        return _core.Step.by(self.factor * trial.side)


def test_rules_from_elsewhere_must_be_given(tmp_path: Path) -> None:
    X, y = stream(20)
    learner = ls.Learner(Doubling(factor=3.0))
    learner.learn_many(X, y)
    learner.save(tmp_path / "m.lst")
    with pytest.raises(ls.InvalidData, match=r"holds the rule 'doubling'; known are .*perceptron.*: give others by rules="):
        ls.load(tmp_path / "m.lst")
    same(learner, ls.load(tmp_path / "m.lst", rules=[Doubling]))


def test_classes_that_lie_are_refused(tmp_path: Path) -> None:
    learner = ls.Learner(ls.OneVersusRest(rule=ls.MarginPerceptron(rho=0.5)))
    learner.learn_many(np.eye(3), ["a", "b", "c"])
    for change in (
        {"classes": None},
        {"classes": [{"str": "a"}, {"str": "b"}]},
        {"classes": [{"str": "a"}, {"str": "b"}, {"str": "b"}]},
        {"classes": [{"str": "a"}, {"str": "b"}, None]},
        {"classes": [{"str": str(k)} for k in range(10_000)]},
        {"given classes": 4},
        {"given classes": -1},
        {"missing": "mean"},
        {"rule/parameters/rule": None},
        {"rule/parameters/rule": {"rule": {"name": "margin-perceptron", "parameters": {}}}},
        {"rule/parameters/rule": {"rule": {"name": "passive-aggressive-regression", "parameters": {}}}},
        {"ledger/extra_loss": None},
        {"ledger/missing": -1},
    ):
        learner.save(tmp_path / "m.lst")
        rewritten(tmp_path / "m.lst", dict(change))
        with pytest.raises(ls.InvalidData, match="is not a sound model file"):
            ls.load(tmp_path / "m.lst")


# Damage.


def saved(tmp_path: Path, *, named: bool = False) -> Path:
    learner = ls.Learner(ls.OnlineSVM(eta=0.1, C=0.5), average=True)
    X, y = stream(30)
    if named:
        records: list[dict[str | int, float]] = [dict(zip("abcde", row, strict=True)) for row in X.tolist()]
        learner.learn_many(records, y)
    else:
        learner.learn_many(X, y)
    learner.save(tmp_path / "m.lst")
    return tmp_path / "m.lst"


def test_truncation_at_every_byte_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path, named=True)
    whole = path.read_bytes()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(ls.InvalidData):
            ls.load(path)
    path.write_bytes(whole + b"\0")
    with pytest.raises(ls.InvalidData):
        ls.load(path)


def test_a_flipped_bit_anywhere_is_refused(tmp_path: Path) -> None:
    path = saved(tmp_path, named=True)
    whole = path.read_bytes()
    chance = random.Random(1)
    for at in range(len(whole)):
        damaged = bytearray(whole)
        damaged[at] ^= 1 << chance.randrange(8)
        path.write_bytes(damaged)
        with pytest.raises(ls.InvalidData):
            ls.load(path)


def test_what_is_no_model_is_told(tmp_path: Path) -> None:
    path = tmp_path / "m.lst"
    for content, words in [
        (b"", "has 0 bytes"),
        (b"x" * 100, "is not a model file of littlestone"),
        (store.MAGIC.replace(b"\r\n", b"\n") + b"x" * 100, "is not a model file of littlestone"),
    ]:
        path.write_bytes(content)
        with pytest.raises(ls.InvalidData, match=words):
            ls.load(path)
    with pytest.raises(ls.InvalidData, match="cannot be read: No such file"):
        ls.load(tmp_path / "none.lst")


def rewritten(path: Path, change: dict[str, object], version: int = store.VERSION) -> None:
    """The file with another header and sound checksums: what somebody clever could write."""
    whole = path.read_bytes()
    length = struct.unpack_from("<I", whole, 12)[0]
    header = json.loads(whole[40 : 40 + length])
    for keys, value in change.items():
        place = header
        *outer, last = keys.split("/")
        for key in outer:
            place = place[int(key)] if isinstance(place, list) else place[key]
        if isinstance(place, list):
            place[int(last)] = value
        else:
            place[last] = value
    text = json.dumps(header).encode()
    text += b" " * (-(len(text) + 40) % 64)
    body = whole[40 + length :]
    total = 40 + len(text) + len(body)
    prefix = struct.pack("<8sIIQQ", store.MAGIC, version, len(text), total, _core.checksum(np.frombuffer(text, np.uint8)))
    path.write_bytes(prefix + struct.pack("<Q", _core.checksum(np.frombuffer(prefix, np.uint8))) + text + body)


def test_another_version_is_told(tmp_path: Path) -> None:
    path = saved(tmp_path)
    rewritten(path, {})
    ls.load(path)
    rewritten(path, {}, version=4)
    with pytest.raises(ls.InvalidData, match="has format version 4; this library reads versions 1 to 3"):
        ls.load(path)


def pooled(path: Path) -> None:
    learner = ls.Learner(ls.Pool(), labels=(0, 1))
    learner.learn_many([{"a": 1.0}, {"b": 2.0}], [0, 1])
    learner.save(path)


def mastered(path: Path) -> None:
    master = ls.Master([ls.Learner(rule, labels=(0, 1)) for rule in (ls.Pool(), ls.Perceptron())])
    master.learn_one({"a": 1.0}, 1)
    master.save(path)


@pytest.mark.parametrize(
    ("write", "read"),
    [(pooled, ls.load), (mastered, partial(ls.load, kind=ls.Master))],
    ids=["alone", "under a master"],
)
def test_a_pool_is_format_3(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: Callable[[Path], None], read: Callable[[Path], object]
) -> None:
    """An older reader refuses it, and this one refuses those of older writers: a sentence each, which names the version."""
    path = tmp_path / "pool.lst"
    write(path)
    assert store.stamp(path).version == 3
    read(path)
    with monkeypatch.context() as patch:
        for older in (1, 2):
            patch.setattr("littlestone.store.container.VERSION", older)
            with pytest.raises(ls.InvalidData, match=f"has format version 3; this library reads versions 1 to {older}$"):
                read(path)
    for older in (1, 2):
        rewritten(path, {}, version=older)
        words = f"has format version {older}, and what it holds is read from version 3 on; learn the stream again"
        with pytest.raises(ls.InvalidData, match=words):
            read(path)


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "mixture"},
        {"rule": None},
        {"rule/name": "os.system"},
        {"rule/name": ["perceptron"]},
        {"rule/parameters": {"eta": -1.0, "C": 1.0}},
        {"rule/parameters": {"eta": "now"}},
        {"rule/parameters": {"nonsense": 1}},
        {"rule/parameters/eta": {"array": "state.v"}},
        {"rule/parameters/eta": {"array": "nothing"}},
        {"rule/parameters/eta": {"float": "1e999"}},
        {"learned": 1},
        {"learned": None},
        {"outcomes": "games"},
        {"outcomes": "targets"},
        {"labels": []},
        {"labels": ["a", "b"]},
        {"labels": [{"str": 1}, {"str": "b"}]},
        {"labels": [{"str": "b"}, {"str": "b"}]},
        {"labels": [{"list": []}, None]},
        {"space": {}},
        {"space/width": -1},
        {"space/width": 4},
        {"space/width": 2**40},
        {"space/width": 5.0},
        {"space/names": 5},
        {"space/scheme": "hash"},
        {"space/scheme": {"kind": "hash", "bits": 99}},
        {"passes": 0},
        {"passes": -1},
        {"passes": None},
        {"passes": 1.5},
        {"ledger": None},
        {"ledger/rounds": -1},
        {"ledger/rounds": 1.5},
        {"ledger/rounds": 2**70},
        {"ledger/loss": 1.0},
        {"ledger/loss": [1.0]},
        {"ledger/loss": [1.0, "x"]},
        {"ledger/smallest_margin": {"float": "one"}},
        {"arrays": None},
        {"arrays": [None]},
        {"arrays/0/offset": -64},
        {"arrays/0/offset": 1},
        {"arrays/0/offset": 1 << 60},
        {"arrays/0/bytes": 1 << 60},
        {"arrays/0/bytes": 8},
        {"arrays/0/name": "state.w"},
        {"arrays/0/kind": "json"},
        {"arrays/0/checksum": 0},
        {"averaged": False, "learned": False, "arrays/0/name": "names"},
    ],
    ids=str,
)
def test_a_header_that_lies_is_refused(change: dict[str, object], tmp_path: Path) -> None:
    path = saved(tmp_path)
    rewritten(path, change)
    with pytest.raises(ls.InvalidData):
        ls.load(path)


@examples(40)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=4),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
        max_leaves=5,
    ),
    st.sampled_from(
        [
            "kind",
            "rule",
            "learned",
            "averaged",
            "outcomes",
            "labels",
            "space",
            "ledger",
            "passes",
            "arrays",
            "rule/parameters",
            "rule/parameters/eta",
            "space/scheme",
            "ledger/loss",
            "arrays/0",
            "labels/0",
            "arrays/0/name",
        ]
    ),
)
def test_any_nonsense_in_the_header_is_refused_or_harmless(value: object, key: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = saved(Path(folder))
        rewritten(path, {key: value})
        try:
            ls.load(path)
        except ls.InvalidData:
            return


def nested(depth: int) -> object:
    value: object = 1
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("rule/parameters/eta", 10**400),
        ("ledger/loss", 10**400),
        ("labels/0", {"float": 10**400}),
        ("passes", 10**400),
        ("arrays/0/offset", 10**400),
        ("rule/parameters/eta", nested(900)),
        ("ledger/loss", nested(900)),
        ("labels/0", nested(900)),
    ],
)
def test_numbers_and_nests_beyond_all_bounds_are_refused(key: str, value: object, tmp_path: Path) -> None:
    path = saved(tmp_path)
    rewritten(path, {key: value})
    with pytest.raises(ls.InvalidData, match=r"m\.lst is not a sound model file"):
        ls.load(path)


def test_a_rule_within_rules_without_end_is_refused(tmp_path: Path) -> None:
    path, rule = saved(tmp_path), dict[str, object]()
    for _ in range(200):
        rule = {"name": "one-versus-rest", "parameters": {"rule": {"rule": rule}}}
    rewritten(path, {"rule": rule})
    with pytest.raises(ls.InvalidData, match=r"m\.lst"):
        ls.load(path)
    path.write_bytes(path.read_bytes()[:40] + b"[" * 100_000)
    with pytest.raises(ls.InvalidData, match=r"m\.lst"):
        store.stamp(path)


# Crashes.


def test_killed_at_any_moment_the_file_is_whole(tmp_path: Path) -> None:
    path = saved(tmp_path)
    code = (
        "import sys, numpy as np, littlestone as ls\n"
        "learner = ls.Learner(ls.Perceptron())\n"
        "learner.learn_many(np.eye(200_000, 4), [1, -1] * 100_000)\n"
        "wide = ls.Learner(ls.Perceptron()); wide.learn_one(np.ones(300_000), 1)\n"
        "print('up', flush=True)\n"
        "while True: wide.save(sys.argv[1]); learner.save(sys.argv[1])"
    )
    chance = random.Random(5)
    for _ in range(30 if STRESS else 3):
        with subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE) as child:
            assert child.stdout is not None
            child.stdout.readline()
            time.sleep(0.02 + 0.2 * chance.random())
            child.send_signal(signal.SIGKILL)
            child.wait()
        ls.load(path)


def test_rights_of_the_old_file_are_kept(tmp_path: Path) -> None:
    path = saved(tmp_path)
    path.chmod(0o640)
    ls.load(path).save(path)
    assert path.stat().st_mode & 0o777 == 0o640


# What is promised of the form.


def test_learning_does_not_touch_the_file_it_was_loaded_from(tmp_path: Path) -> None:
    path = saved(tmp_path)
    before = path.read_bytes()
    learner = ls.load(path)
    learner.learn_many(*stream(50, seed=9))
    assert path.read_bytes() == before
    learner.save(path)
    same(learner, ls.load(path))


def test_arrays_are_aligned_and_the_header_is_json(tmp_path: Path) -> None:
    whole = saved(tmp_path).read_bytes()
    length = struct.unpack_from("<I", whole, 12)[0]
    header = json.loads(whole[40 : 40 + length])
    assert header["rule"]["name"] == "online-svm"
    assert header["library"] == ls.__version__
    assert (40 + length) % 64 == 0
    assert all(array["offset"] % 64 == 0 for array in header["arrays"])
    assert struct.unpack_from("<Q", whole, 16)[0] == len(whole)


def test_a_model_of_four_million_features_is_a_small_file(tmp_path: Path) -> None:
    learner = ls.Learner(ls.Perceptron())
    from scipy.sparse import csr_array

    learner.learn_many(csr_array(([1.0, 2.0], [5, 3_999_999], [0, 2]), shape=(1, 4_000_000)), [1])
    learner.save(tmp_path / "m.lst")
    again = ls.load(tmp_path / "m.lst")
    assert np.flatnonzero(again.state.w).tolist() == [5, 3_999_999]
    assert (tmp_path / "m.lst").stat().st_size < 1_000_000  # zeros are left out, so that there is little to read


def neutral(ledger: ls.Ledger) -> dict[str, str]:
    """What a ledger says of what an old file did not count: nothing of the kind was met, and every weight was 1."""
    weighed = {"weight": float(ledger.rounds), "weighted_loss": ledger.loss, "weighted_mistakes": float(ledger.mistakes)}
    began = {"blank_start": ledger.blank_start}
    return {key: str(value) for key, value in (ls.Ledger().to_dict() | weighed | began).items()}


def columns(learner: ls.Learner) -> dict[str | int, list[float]]:
    """The weights by feature, one number or one per class; of a kernel rule a coefficient per point, or all of each class."""
    state = learner.state
    if isinstance(state, SupportSets):
        return {k: state.row(k).alpha.tolist() for k in range(state.rows)}
    w = np.atleast_2d(state.alpha if isinstance(state, ls.Support) else state.w)
    places = range(w.shape[1]) if isinstance(state, ls.Support) else learner.features
    return {name: w[:, k].tolist() for k, name in enumerate(places) if w[:, k].any()}


@pytest.mark.parametrize("name", sorted(path.name for path in RELEASED.glob("*.lst")))
def test_every_released_version_still_loads(name: str) -> None:
    """Files written by the release that made the version; what they must hold stands beside them."""
    assert len(list(RELEASED.glob("*.lst"))) == len(list(RELEASED.glob("*.json"))) >= 11
    learner = ls.load(RELEASED / name)
    expected = json.loads((RELEASED / name).with_suffix(".json").read_text())
    assert type(learner.rule).name() == expected["rule"]
    ledger = {key: str(value) for key, value in learner.ledger.to_dict().items()}
    # What later ledgers count beside it says that there was nothing of the kind.
    assert {**neutral(learner.ledger), **expected["ledger"]} == ledger
    weights = {str(name): [v.hex() for v in column] for name, column in columns(learner).items()}
    assert weights == {name: [one] if isinstance(one, str) else one for name, one in expected["weights"].items()}
    assert [repr(label) for label in learner.labels] == expected["labels"]
