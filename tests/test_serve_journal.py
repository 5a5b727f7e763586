"""`littlestone journal`: what it says of a journal, what it exports, and what another rule would have made of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import littlestone as ls
from littlestone.cli.main import main
from littlestone.serve.entries import Entry, Feedback, Learn, LearnMany, Predict, encoded
from littlestone.serve.folder import Folder, moment
from littlestone.serve.host import Host
from littlestone.serve.journal import Tail
from littlestone.serve.models import ServedLearner
from test_serve_host import SECOND, stream

ROWS = stream(ls.Perceptron(), 80)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder whose journal has rows learned alone, together, and by a label that came later."""
    entries: list[Entry] = [Learn(dict(row), label) for row, label in ROWS[:40]]
    entries += [Predict(dict(ROWS[40][0]), "late"), LearnMany([dict(row) for row, _ in ROWS[41:]], [y for _, y in ROWS[41:]])]
    entries += [Feedback("late", ROWS[40][1]), Feedback("late", ROWS[40][1]), Learn({"f0": 1.0}, "a third label")]
    folder = Folder(tmp_path / "served" / "default")
    host = Host(ServedLearner(ls.Learner(ls.Perceptron())), folder.open_file)
    folder.begin(host.live)
    tail = Tail(folder.disk, 1)
    for number, entry in enumerate(entries, 1):
        tail.append(number, [(number * SECOND, encoded(entry))])
    tail.close()
    host, _ = folder.restore()
    folder.write(moment(host))
    folder.close()
    return tmp_path / "served"


def said(*arguments: str, code: int = 0) -> str:
    result = CliRunner().invoke(main, ["journal", *arguments])
    assert result.exit_code == code, result.output
    return result.output


def test_it_verifies_and_counts(data: Path) -> None:
    told = json.loads(said(str(data), "--json"))
    assert told["records"] == {"Learn": 41, "Predict": 1, "LearnMany": 1, "Feedback": 2}
    assert (told["rounds"], told["ledger"]["rounds"], told["first record"], told["last record"]) == (80, 80, 1, 45)
    assert told["snapshots"] == [0, 45]
    words = said(str(data))
    assert "records 1 to 45, all sound: 41 Learn, 1 Predict, 1 LearnMany, 2 Feedback" in words
    assert "from 1970-01-01T00:00:01.000+00:00 to 1970-01-01T00:00:45.000+00:00" in words


def test_it_prints_every_record(data: Path) -> None:
    lines = [json.loads(line) for line in said(str(data), "--print").splitlines()]
    assert [line["sequence"] for line in lines] == list(range(1, 46))
    assert lines[0] == {
        "sequence": 1, "time": "1970-01-01T00:00:01.000+00:00", "entry": "Learn", "row": ROWS[0][0], "label": ROWS[0][1],
        "weight": 1.0, "key": None,
    }  # fmt: skip


def test_what_it_exports_is_learned_to_the_same_model(data: Path, tmp_path: Path) -> None:
    rows, model = str(tmp_path / "rows.jsonl"), tmp_path / "model.lst"
    said(str(data), "--export", rows)
    result = CliRunner().invoke(
        main, ["learn", rows, "--label", "label", "--rule", "perceptron", "--model", str(model), "--quiet"]
    )
    assert result.exit_code == 0, result.output
    learned, snapshot = ls.load(model), ls.load(data / "default" / f"snapshot-{45:020d}.lst")
    assert (learned.weights, learned.ledger) == (snapshot.weights, snapshot.ledger)


def test_what_if(data: Path) -> None:
    told = json.loads(said(str(data), "--rule", "passive-aggressive", "--C", "0.5", "--json"))
    order = [*ROWS[:40], *ROWS[41:], ROWS[40]]
    for name, rule in (("as it was", ls.Perceptron()), ("what if", ls.PassiveAggressive(variant="PA-I", C=0.5))):
        run = ls.run(rule, [row for row, _ in order], [label for _, label in order])
        assert told[name]["ledger"] == run.ledger.to_dict()
    assert {"holds", "vacuous"} & {certificate["verdict"] for certificate in told["as it was"]["certificates"]}
    assert {certificate["id"].split(".")[0] for certificate in told["what if"]["certificates"]} == {"pa"}
    assert "what if: PassiveAggressive(variant='PA-I', C=0.5" in said(str(data), "--rule", "passive-aggressive", "--C", "0.5")


@pytest.mark.parametrize(
    ("code", "flags", "words"),
    [
        (1, ("--name", "nobody"), "has no model 'nobody'; it has default: choose one by --name"),
        (2, ("--C", "1"), "give --rule"),
        (2, ("--rule", "nothing"), "there is no rule 'nothing'"),
        (2, ("--label", "f0"), "--label is of --export"),
        (1, ("--export", "rows.jsonl", "--label", "f0"), "a feature is named 'f0'"),
    ],
)
def test_what_is_refused(data: Path, code: int, flags: tuple[str, ...], words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(data)
    assert words in said(str(data), *flags, code=code)
    assert not (data / "rows.jsonl").exists()


def test_where_nothing_was_served(tmp_path: Path) -> None:
    assert "is not the folder of a served model: it has no snapshot" in said(str(tmp_path / "nowhere"), code=1)


def test_a_flipped_bit_is_named(data: Path) -> None:
    segment = data / "default" / "journal-00000000000000000001.lsj"
    content = bytearray(segment.read_bytes())
    content[200] ^= 1
    segment.write_bytes(content)
    assert "is damaged: record 2 is bad" in said(str(data), code=1)
