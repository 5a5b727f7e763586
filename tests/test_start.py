"""How soon `littlestone learn` is at work: what is not loaded before the first row, and that nothing else hangs on it."""

from __future__ import annotations

import copy
import io
import os
import pickle
import pty
import re
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

import littlestone as ls
from littlestone import _core
from littlestone.cli.commands.learn import command as learn_command
from littlestone.cli.output import ReportOptions
from littlestone.cli.passes import PassPlan
from littlestone.cli.reading import FileOptions
from littlestone.cli.task import Decided
from littlestone.errors import InvalidData
from littlestone.streams.files import Portion
from littlestone.streams.intervals import NO_OUTCOME
from littlestone.streams.rows import FileLabels, Rows
from littlestone.tally import Tally

TWO = b"".join(b"%d 1:%d 2:1\n" % (1 if t % 3 else -1, t % 5) for t in range(500))


def printed(script: str) -> list[str]:
    found = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    return found.stdout.splitlines()


def learning(file: Path, probe: str) -> list[str]:
    """What a probe prints when it is run before the first row is learned and after the last, nothing being loaded meanwhile."""
    return printed(
        "import sys\n"
        "import littlestone.cli.imports as imports\n"
        "imports.meanwhile = lambda *modules: None\n"
        f"def probe(): print('probe', {probe})\n"
        "import littlestone.learner as home\n"
        "import littlestone.cli.passes as passes\n"
        "once, whole = home.Learner.learn_many, passes.learn_passes\n"
        "def learn_many(self, *given, **named):\n"
        "    probe(); home.Learner.learn_many = once\n"
        "    return once(self, *given, **named)\n"
        "def learn_passes(*given):\n"
        "    course = whole(*given); probe()\n"
        "    return course\n"
        "home.Learner.learn_many, passes.learn_passes = learn_many, learn_passes\n"
        "from littlestone.cli.main import main\n"
        f"try: main(['learn', {str(file)!r}, '--quiet'])\n"
        "except SystemExit as end: assert end.code == 0\n"
    )


@pytest.mark.parametrize("name", ["two.svm", "two.vw"])
def test_a_pool_learns_two_labels_without_numpy(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(TWO if name == "two.svm" else TWO.replace(b" 1:", b" | 1:"))
    heavy = "[m for m in ('numpy', 'littlestone.theory', 'littlestone.report', 'rich', 'scipy') if m in sys.modules]"
    assert learning(tmp_path / name, heavy) == ["probe []", "probe []"]


def test_a_pool_of_two_labels_is_learned_and_certified_without_numpy(tmp_path: Path) -> None:
    """From the file to the last line; on short files NumPy would take longer than all the rest."""
    (tmp_path / "two.svm").write_bytes(TWO)
    said = printed(
        "import sys\nfrom littlestone.cli.main import main\n"
        f"try: main(['learn', {str(tmp_path / 'two.svm')!r}])\n"
        "except SystemExit as end: print(end.code, 'numpy' in sys.modules)\n"
    )
    assert said[-1] == "0 False"
    assert [line.split(":")[0] for line in said if ": " in line and " ≤ " in line] == [
        "pool.master",
        "pool.mistakes",
        "paired.majority",
    ]


def test_reading_begins_before_what_takes_time(tmp_path: Path) -> None:
    (tmp_path / "two.svm").write_bytes(TWO)
    heavy = ("numpy", "dataclasses", "inspect", "json", "click", "littlestone.domain", "littlestone.learner")
    script = (
        "import sys; from littlestone.cli.early import begin_early, _begun\n"
        f"begin_early(['learn', {str(tmp_path / 'two.svm')!r}])\n"
        f"print(len(_begun), [name for name in {heavy} if name in sys.modules])"
    )
    assert printed(script) == ["1 []"]


def test_files_without_a_flag_are_learned_without_the_flags_there_are(tmp_path: Path) -> None:
    """From the start of the process to its end neither click nor a flag is loaded."""
    (tmp_path / "two.svm").write_bytes(TWO)
    said = printed(
        f"import os, sys; sys.argv[1:] = ['learn', {str(tmp_path / 'two.svm')!r}]\n"
        "ended = os._exit\n"
        "def leave(code):\n"
        "    heavy = ('click', 'json', 'littlestone.cli.main', 'littlestone.cli.options', 'numpy')\n"
        "    print(code, [name for name in heavy if name in sys.modules], flush=True); ended(code)\n"
        "os._exit = leave\n"
        "from littlestone.cli.process import entry; entry()"
    )
    assert said[-1] == "0 []"


WAYS = {
    "two.svm": TWO,
    "many.svm": b"".join(b"%d 1:%d 2:1\n" % (t % 3, t % 5) for t in range(90)),
    "targets.svm": b"".join(b"%d.5 1:%d\n" % (t, t % 5) for t in range(90)),
    "units.svm": b"".join(b"%d 1:%d 2:%d\n" % (t % 2, t % 5, 1_000_000 * (t % 7)) for t in range(90)),
    "words.csv": b"a,label\n" + b"".join(b"%d,%s\n" % (t, b"spam" if t % 3 else b"ham") for t in range(50)),
    "bare.csv": b"a,b\n1,2\n3,4\n",
    "broken.svm": TWO + b"1 1:x\n",
    "mixed.svm": TWO * 200 + b"".join(b"%d 1:1\n" % t for t in range(90)),
    "empty.svm": b"",
    "none.svm": None,
    "with\x1bescape.svm": None,
}


@pytest.mark.parametrize("words", [[name] for name in WAYS] + [["two.svm", "many.svm"], ["two.svm", "none.svm"], ["."]])
def test_without_a_flag_all_is_said_as_with_one(tmp_path: Path, words: list[str]) -> None:
    """Output, errors and exit codes: `--task` with nothing behind it, or a flag at its default, goes through the flags."""
    for name, text in WAYS.items():
        if text is not None:
            (tmp_path / name).write_bytes(text)
    run = "from littlestone.cli.process import entry; entry()"

    def said(*flags: str) -> tuple[int, str, str]:
        line = [sys.executable, "-c", run, "learn", *words, *flags]
        found = subprocess.run(line, capture_output=True, text=True, cwd=tmp_path)
        return found.returncode, re.sub(r"[\d.]+ s$", "", found.stdout, flags=re.MULTILINE), found.stderr

    assert said() == said("--passes", "1")


def on_a_terminal(words: list[str], environment: dict[str, str]) -> bytes:
    """What a command prints on a terminal, without what time it took."""
    ours, theirs = pty.openpty()
    run = "from littlestone.cli.process import entry; entry()"
    with subprocess.Popen([sys.executable, "-c", run, *words], stdout=theirs, stderr=theirs, env=environment) as process:
        os.close(theirs)
        said = b""
        with suppress(OSError):  # the end, where nobody holds the other side
            while part := os.read(ours, 1 << 16):
                said += part
        os.close(ours)
    assert process.returncode == 0
    return re.sub(rb"[\d.]+ s\b", b"", said)


def test_colours_are_those_of_a_run_with_a_flag(tmp_path: Path) -> None:
    (tmp_path / "two.svm").write_bytes(TWO)
    words = ["learn", str(tmp_path / "two.svm")]
    bare = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")} | {"TERM": "xterm"}
    for environment, coloured in ((bare, True), (bare | {"NO_COLOR": "1"}, False)):
        said = on_a_terminal(words, environment)
        assert said == on_a_terminal([*words, "--passes", "1"], environment)
        assert (b"\x1b[32m" in said) == coloured


def test_without_a_flag_every_option_is_at_its_default() -> None:
    said = learn_command.make_context("learn", ["two.svm"]).params
    assert {said.pop(name) for name in ("files",)} == {("two.svm",)}
    assert FileOptions._make([said.pop(field) for field in FileOptions._fields]) == FileOptions()
    assert PassPlan._make([said.pop(field) for field in PassPlan._fields]) == PassPlan()
    assert ReportOptions._make([said.pop(field) for field in ReportOptions._fields]) == ReportOptions()
    assert said.pop("missing") == "skip"
    assert said.pop("against") == "average"
    assert {name: value for name, value in said.items() if value} == {}


def test_numpy_is_what_it_is_once_it_is_asked_for() -> None:
    script = (
        "import sys\n"
        "from littlestone.lazy import np, numpy_is_loaded\n"
        "before = numpy_is_loaded()\n"
        "three = np.arange(3)\n"
        "import numpy\n"
        "print(before, numpy_is_loaded(), np.ndarray is numpy.ndarray, type(np) is type(sys), np.ma is numpy.ma)"
    )
    assert printed(script) == ["False True True True True"]


def test_a_process_without_the_texts_of_numpy_prints_the_same(tmp_path: Path) -> None:
    (tmp_path / "two.svm").write_bytes(TWO)
    words = ["learn", str(tmp_path / "two.svm"), "--json"]
    process = f"import sys; sys.argv[1:] = {words}; from littlestone.cli.process import entry; entry()"
    plain = f"from littlestone.cli.main import main\ntry: main({words})\nexcept SystemExit: pass"
    one, other = ("".join(printed(script)) for script in (process, plain))
    assert one.split('"seconds"')[0] == other.split('"seconds"')[0] != ""
    assert one.split('"certificates"')[1] == other.split('"certificates"')[1]


LABELS = ([1, -1, 1], [0, 1, 0, 0], [3, 3, 3], [2, 7], [1.5, 2.5], [-0.0, 0.0, 1], [float("nan"), 1, -1], [1, 2, 3, 1])


def portion(labels: list[float]) -> Portion:
    text = b"".join(b"%s 1:1\n" % str(label).encode() if label == label else b"1:1\n" for label in labels)
    found = next(ls.read(io.BytesIO(text), format="svmlight").portions())
    np.testing.assert_array_equal(np.asarray(found.y.array, dtype=np.float64), np.asarray(labels, dtype=np.float64))
    return found


def outcome_of(rule: ls.LinearRule, X: Rows, y: FileLabels | npt.NDArray[np.generic]) -> tuple[object, ...]:
    learner = ls.Learner(rule)
    try:
        learner.learn_many(X, y)
    except ls.LittlestoneError as error:
        return type(error).__name__, str(error), learner.labels, learner.ledger
    return learner.labels, learner.ledger, learner.predict_many(X).tolist()


@pytest.mark.parametrize("labels", LABELS, ids=str)
@pytest.mark.parametrize("rule", [ls.Pool(), ls.Perceptron(), ls.PoolRegression(), ls.OneVersusRest(rule=ls.Perceptron())])
def test_labels_of_a_file_are_those_of_its_array(rule: ls.LinearRule, labels: list[float]) -> None:
    found = portion(labels)
    assert outcome_of(rule, found.X, found.y) == outcome_of(rule, found.X, found.y.array)
    again = FileLabels.given(found.y.array)
    assert outcome_of(rule, found.X, again) == outcome_of(rule, found.X, found.y.array)


@pytest.mark.parametrize("labels", LABELS, ids=str)
def test_a_file_tells_its_task_with_and_without_an_array(labels: list[float]) -> None:
    found = portion(labels)
    core, array = Decided(found.y, None), Decided(FileLabels.given(found.y.array), None)
    assert (core.task, core.reason) == (array.task, array.reason)


def test_a_rule_of_one_class_refuses_labels_of_a_file() -> None:
    found = portion([1, -1])
    with pytest.raises(ls.NotApplicable, match="learns rows alone"):
        ls.Learner(ls.Uniclass(epsilon=1.0)).learn_many(found.X, found.y)


def test_unlike_finds_numbers_in_their_order() -> None:
    values = np.array([2.0, np.nan, 1.0, 2.0, 5.0, 7.0])
    assert _core.unlike(values, [], 3) == [2.0, 1.0, 5.0]
    assert _core.unlike(values, [1.0, 7.0], 9) == [2.0, 5.0]
    assert _core.unlike(values, (), 0) == []


def test_signs_of_a_chunk_are_two() -> None:
    chunk = portion([1, -1, 1]).X.chunk
    assert [chunk.signs(-1.0, 1.0).label(t) for t in range(3)] == [1, -1, 1]
    with pytest.raises(InvalidData, match="neither of the two"):
        chunk.signs(0.0, 1.0)


def test_bytes_are_counted_as_the_array_is() -> None:
    labels = portion([1, 2, 2, 3, 3, 3]).y
    one, other = Tally(), Tally()
    one.note(labels.kept())
    other.note(labels.array)
    assert isinstance(labels.kept(), bytes)
    assert (one.rounds, one.errors) == (other.rounds, other.errors)


def test_there_is_one_no_outcome_in_every_process() -> None:
    assert pickle.loads(pickle.dumps(NO_OUTCOME)) is NO_OUTCOME
    assert copy.deepcopy(NO_OUTCOME) is NO_OUTCOME
    assert repr(NO_OUTCOME) == "no outcome"


def test_a_row_alone_is_learned_as_an_interval_that_holds_it() -> None:
    given, left_out = (ls.Learner(ls.Uniclass(epsilon=0.1)) for _ in range(2))
    for x in ([1.0, 2.0], [0.5, 2.5]):
        given.learn_one(x, ls.Intervals.inside(1))
        left_out.learn_one(x)
    assert given.ledger == left_out.ledger
    assert given.ledger.updates > 0
