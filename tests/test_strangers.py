"""Files from strangers, and systems that give nothing: a refusal in a sentence, never a crash, a wrong row or a full memory."""

from __future__ import annotations

import gzip
import random
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

import littlestone as ls
from littlestone.games.files import _nfg
from littlestone.streams.frames import Frames
from reading import examples

pa, ipc, pq = (import_module(name) for name in ("pyarrow", "pyarrow.ipc", "pyarrow.parquet"))  # they come without types


def rows_of(path: Path) -> int:
    return sum(len(X) for X, _ in ls.read(path))


def alone(code: str, *args: object, limits: Callable[[], None] | None = None) -> str:
    """What a process of its own prints; a signal that ends it fails the test."""
    ended = subprocess.run(
        [sys.executable, "-c", code, *map(str, args)], capture_output=True, text=True, check=False, preexec_fn=limits
    )
    assert ended.returncode == 0, (ended.returncode, ended.stderr)
    return ended.stdout


# Arrow and Parquet.


def arrow_file(path: Path, columns: dict[str, object]) -> bytearray:
    table = pa.table(columns)
    with ipc.new_file(path, table.schema) as writer:
        writer.write_table(table)
    return bytearray(path.read_bytes())


def test_an_offset_behind_the_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.arrow"
    raw = arrow_file(path, {"s": ["aa", "bb", "cc"], "label": [0, 1, 0]})
    raw[bytes(raw).index(b"\0\0\0\0\2\0\0\0\4\0\0\0\6\0\0\0") + 7] = 0x7F
    path.write_bytes(raw)
    with pytest.raises(ls.InvalidData, match=r"t\.arrow is not a sound Arrow or Parquet file"):
        rows_of(path)


def test_flipped_bytes_of_arrow_files_are_read_or_refused(tmp_path: Path) -> None:
    """In a process of its own: one that dies takes no other test with it."""
    table = {
        "s": ["aa", "bb", None, "dd"],
        "d": pa.array(["x", "y", "x", "z"]).dictionary_encode(),
        "n": [1.0, None, 2.5, 3.0],
        "label": [0, 1, 0, 1],
    }
    lists = {"indices": [[1, 2], [3], [], None], "values": [[1.0, 2.0], [3.0], [], None], "label": [1, 0, 1, 0]}
    arrow_file(tmp_path / "t.arrow", table)
    arrow_file(tmp_path / "l.arrow", lists)
    code = (
        "import random, sys, littlestone as ls, io\n"
        "chance, refused = random.Random(1), 0\n"
        "for path in sys.argv[1:]:\n"
        "    sound = open(path, 'rb').read()\n"
        "    for _ in range(400):\n"
        "        raw = bytearray(sound)\n"
        "        raw[chance.randrange(len(raw))] = chance.choice((0, 1, 0x7f, 0x80, 0xff))\n"
        "        try:\n"
        "            for X, y in ls.read(io.BytesIO(bytes(raw)), format='arrow'): X.tocsr()\n"
        "        except ls.LittlestoneError: refused += 1\n"
        "print(refused)\n"
    )
    assert int(alone(code, tmp_path / "t.arrow", tmp_path / "l.arrow")) > 100


@pytest.mark.parametrize(
    ("indices", "values", "words"),
    [
        ([[1, 2], [3]], [[1.0], [2.0, 3.0]], "row 0 of a batch: got 2 indices and 1 values"),
        ([[1], [3]], [[1.0], None], "row 1 of a batch: got 1 indices and 0 values"),
        ([[1.5], [3.0]], [[1.0], [2.0]], "'indices' holds list<.*double>; expected lists of whole numbers"),
        ([[1, None], [3]], [[1.0, 2.0], [3.0]], "expected lists of whole numbers, without nulls"),
    ],
)
def test_lists_that_do_not_fit_are_refused(tmp_path: Path, indices: list[object], values: list[object], words: str) -> None:
    path = tmp_path / "x.parquet"
    pq.write_table(pa.table({"indices": indices, "values": values, "label": [1, 0]}), path)
    with pytest.raises(ls.InvalidData, match=words):
        rows_of(path)


def test_a_null_list_is_an_empty_row_and_the_others_stay_where_they_are(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    lists = {"indices": [[1, 2], None, [], [3]], "values": [[1.0, 2.0], None, [], [4.0]], "label": [1, 0, 1, 0]}
    pq.write_table(pa.table(lists), path)
    [(X, _)] = ls.read(path)
    assert X.tocsr().toarray().tolist() == [[0, 1, 2, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 4]]


@pytest.mark.parametrize(
    "column",
    [
        pa.array([[1], [2]], pa.list_(pa.int64())),
        pa.array([{"a": 1}, {"a": 2}]),
        pa.array([1, 2], pa.date32()),
        pa.array([1, 2], pa.timestamp("s")),
        pa.array([1, 2], pa.duration("s")),
        pa.array([b"a", b"\xff"], pa.binary()),
        pa.array([b"ab", b"cd"], pa.binary(2)),
        pa.array([None, None], pa.null()),
        pa.array([[1, 2], [3, 4]], pa.list_(pa.int64(), 2)),
        pa.array(np.array([1.5, 2.5], np.float16)),
        pa.array(["a", "b"], pa.large_string()),
        pa.array(["a", "b"], pa.string_view()),
        pa.array([1, 2], pa.decimal128(5, 1)),
    ],
    ids=lambda column: str(column.type),
)
@pytest.mark.parametrize("name", ["a", "label", "indices"])
def test_odd_columns_are_read_or_refused_in_a_sentence(tmp_path: Path, column: object, name: str) -> None:
    path = tmp_path / "t.arrow"
    table = {"a": [1.0, 2.0], "label": [0, 1]} | {name: column} | ({"values": column} if name == "indices" else {})
    arrow_file(path, {key: value for key, value in table.items() if name != "indices" or key != "a"})
    learner = ls.Learner(ls.Perceptron())
    try:
        for X, y in ls.read(path):
            learner.learn_many(X, y)
    except ls.LittlestoneError:
        assert learner.ledger.rounds == 0


def test_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.arrow"
    table = pa.table([[1.0], [2.0], [1]], names=["a", "a", "label"])
    with ipc.new_file(path, table.schema) as writer:
        writer.write_table(table)
    with pytest.raises(ls.InvalidData, match="the column 'a' is there twice"):
        rows_of(path)


# Models.


def test_what_becomes_of_the_file_does_not_touch_a_loaded_model(tmp_path: Path) -> None:
    path = tmp_path / "a.lst"
    learner = ls.Learner(ls.Perceptron())
    rows = np.ones((2, 200_000)) * [[1.0], [-1.0]]  # every weight is there to be changed
    rows[0, 0] = rows[1, 1] = 2.0
    learner.learn_many(rows, [1, -1])
    learner.save(path)
    expected = learner.score_many(np.eye(2, 200_000)).tolist()
    code = (
        "import os, sys, numpy as np, littlestone as ls\n"
        "cut, changed = ls.load(sys.argv[1]), ls.load(sys.argv[1])\n"
        "with open(sys.argv[1], 'r+b') as file: file.seek(-200_000 * 8, 2); file.write(b'\\x3f' * 100_000)\n"
        "first = changed.score_many(np.eye(2, 200_000)).tolist()\n"
        "os.truncate(sys.argv[1], 100)\n"
        "print(first == cut.score_many(np.eye(2, 200_000)).tolist(), first)\n"
    )
    assert alone(code, path) == f"True {expected}\n"


def test_a_wide_model_of_few_points_is_inspected_in_little_memory(tmp_path: Path) -> None:
    import tracemalloc

    from click.testing import CliRunner

    from littlestone.cli.main import main

    rows, path = tmp_path / "k.svm", tmp_path / "k.lst"
    rows.write_text("1 50000000:1\n-1 7:1\n")
    learner = ls.Learner(ls.KernelPerceptron(kernel=ls.kernels.Gaussian(gamma=0.5)))
    for X, y in ls.read(rows):
        learner.learn_many(X, y)
    learner.save(path)
    tracemalloc.start()
    try:
        shown = CliRunner().invoke(main, ["inspect", str(path)])
        assert tracemalloc.get_traced_memory()[1] < 100 << 20
    finally:
        tracemalloc.stop()
    assert "50,000,001" in shown.output


# Compressed text.


def text_of(rows: int) -> bytes:
    chance = random.Random(3)
    return b"".join(b"1 %d:%d\n" % (chance.randint(1, 99), chance.randint(1, 9)) for _ in range(rows))


FRAMES: list[Callable[[bytes], bytes]] = [
    zstandard.ZstdCompressor(level=1).compress,
    zstandard.ZstdCompressor(level=1, write_checksum=True, write_content_size=False).compress,
    lambda text: zstandard.ZstdCompressor().compress(text[:999]) + zstandard.ZstdCompressor().compress(text[999:]),
    lambda text: b"\x50\x2a\x4d\x18\x05\0\0\0notes" + zstandard.ZstdCompressor().compress(text),
    lambda text: zstandard.ZstdCompressor(level=1).compress(b"1 1:1\n" * 30_000) + zstandard.ZstdCompressor().compress(text),
]


@pytest.mark.parametrize("compress", FRAMES, ids=["one", "checksum", "two", "notes", "repeated"])
def test_zstd_cut_anywhere_is_refused(tmp_path: Path, compress: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "t.svm.zst"
    whole = compress(text_of(400))
    path.write_bytes(whole)
    rows = rows_of(path)
    ends = [end for end in range(len(whole) + 1) if followed(whole[:end])]
    assert ends[-1] == len(whole)
    assert len(ends) <= 3  # nothing, the end, and between two frames
    for end in {*range(4, len(whole), 37), *range(len(whole) - 8, len(whole))} - set(ends):
        path.write_bytes(whole[:end])
        with pytest.raises(ls.InvalidData, match=r"ends in the middle of its zstd data|not sound zstd"):
            rows_of(path)
    assert rows >= 400


def followed(raw: bytes) -> bool:
    frames = Frames()
    assert b"".join(frames.watched(raw[k : k + 7] for k in range(0, len(raw), 7))) == raw
    return frames.whole


def test_half_of_a_long_zstd_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cut.svm.zst"
    whole = zstandard.ZstdCompressor(level=1).compress(text_of(200_000))
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ls.InvalidData, match="ends in the middle of its zstd data"):
        rows_of(path)


def test_gzip_cut_anywhere_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "t.svm.gz"
    first, second = gzip.compress(text_of(50)), gzip.compress(text_of(60))
    whole = first + second
    for end in set(range(2, len(whole))) - {len(first)}:
        path.write_bytes(whole[:end])
        with pytest.raises(ls.InvalidData, match=r"ends in the middle|not sound gzip"):
            rows_of(path)


# Threads.

WITHOUT_THREADS = (
    "import resource, sys\n"
    "from concurrent.futures import ThreadPoolExecutor\n"
    "from queue import Queue\n"
    "import numpy, zlib, littlestone as ls\n"
    "ls.read('-').source\n"
    "used = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize()\n"
    "resource.setrlimit(resource.RLIMIT_AS, (used + (200 << 20), -1))\n"
    "print(*[sum(len(X) for X, y in ls.read(name, workers=3)) for name in sys.argv[1:]])\n"
)


def no_room_for_threads() -> None:
    """The stack of a new thread is as large as the stack of the process may become."""
    import resource

    resource.setrlimit(resource.RLIMIT_STACK, (1 << 30, resource.getrlimit(resource.RLIMIT_STACK)[1]))


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="the limit is set by what /proc says")
def test_without_threads_a_file_is_read_all_the_same(tmp_path: Path) -> None:
    plain, packed = tmp_path / "b.svm", tmp_path / "b.svm.gz"
    plain.write_bytes(b"1 1:1\n-1 2:1\n" * 100_000)
    packed.write_bytes(gzip.compress(plain.read_bytes(), 1))
    assert alone(WITHOUT_THREADS, plain, packed, limits=no_room_for_threads) == "200000 200000\n"


# Games.


def game(tmp_path: Path, text: str, name: str = "g.nfg") -> ls.GameFile:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return ls.read_game(path)


HEAD = 'NFG 1 R "t" { "a" "b" } '


@pytest.mark.parametrize(
    "text",
    [
        HEAD + "{ 1000000000000 2 } 1",
        HEAD + "{ 1 1 } 1e999999999 1",
        HEAD + "{ 1 1 } 1e-999999999999999999999999 1 1",
        HEAD + "{ 1 1 } 1/0 1",
        HEAD + "{ 1 1 } nan inf",
        HEAD + "{ 1 1 } 1_0 1",
        HEAD + f"{{ 1 1 }} {'9' * 5000}/3 1",
        HEAD + f"{{ 1 1 }} {'9' * 400}/3 1",
        HEAD + f"{{ {'9' * 5000} 1 }} 1 1",
        HEAD + "{ ² 1 } 1 1",
        HEAD + '{ 1 1 } { { "o" 1 2 } } ²',
        HEAD + '{ { "x" { "y" } } { "z" } } 1 2 3 4',
        HEAD + '{ 1 1 } { { "o" { 1 } 2 } } 1',
        "NFG 1 R " + "{" * 100_000,
        "NFG 1 R " + "{" * 100_000 + "}" * 100_000,
        'NFG 1 R "no end',
        'NFG 1 R "\\',
        "}",
        "",
    ],
)
def test_games_that_are_none_are_refused_at_once(tmp_path: Path, text: str) -> None:
    with pytest.raises(ls.InvalidData, match=r"g\.nfg"):
        game(tmp_path, text)


@pytest.mark.parametrize("text", ["a,b\n" + "x" * 200_000 + ",1\n", "a\0", '"\n1,2', ",\n,\n", "1,nan\n2,3"])
def test_tables_of_payoffs_that_are_none_are_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(ls.InvalidData):
        ls.solve(game(tmp_path, text, "g.csv").A)


def test_no_file_is_a_refusal_too(tmp_path: Path) -> None:
    with pytest.raises(ls.InvalidData, match="cannot be read: No such file"):
        ls.read_game(tmp_path / "none.nfg")


def test_the_work_of_a_game_grows_with_its_text(tmp_path: Path) -> None:
    """Words that each look over the whole text would take hours here."""
    pairs = 200_000
    assert game(tmp_path, HEAD + f"{{ 1 {pairs} }} " + "1 2 " * pairs + " " * pairs).A.shape == (1, pairs)


WORDS = ["NFG", "1", "R", '"t"', "{", "}", "2", "1/3", "-1.5e2", '"', "\\", ",", "\n", "0", "1e400", "²", "\0"]


@examples(200)
@given(st.lists(st.sampled_from(WORDS), max_size=20), st.booleans())
def test_words_of_games_in_any_order(words: list[str], headed: bool) -> None:
    text = (HEAD if headed else "") + " ".join(words)
    try:
        _nfg(text, "g.nfg")
    except ls.InvalidData:
        return


# Headers.


def test_a_header_of_many_columns_is_read_whole(tmp_path: Path) -> None:
    """More than the megabyte that is looked at first."""
    path = tmp_path / "h.csv"
    columns = 150_000
    path.write_text(",".join(f"column{k}" for k in range(columns)) + ",y\n" + "1," * columns + "1\n", encoding="utf-8")
    packed = tmp_path / "h.csv.gz"
    packed.write_bytes(gzip.compress(path.read_bytes(), 1))
    for name in (path, packed):
        [(X, y)] = ls.read(name)
        assert X.shape == (1, columns)
        assert y.tolist() == [1.0]


_TWICE = """
import sys, littlestone as ls
try: list(ls.read(sys.argv[1]))
except ls.InvalidData as refused: print(refused)
"""


def so_much_work() -> None:
    """Seconds of the processor, not of the clock: where every name is compared with every other it takes many minutes."""
    import resource

    resource.setrlimit(resource.RLIMIT_CPU, (60, 60))


def test_a_name_that_is_there_twice_among_many_is_found_soon(tmp_path: Path) -> None:
    path = tmp_path / "h.csv"
    path.write_text(",".join(f"c{k}" for k in range(300_000)) + ",c299999,y\n", encoding="utf-8")
    assert "the column 'c299999' is there twice" in alone(_TWICE, path, limits=so_much_work)


# Arrays of the caller's, and processes.

_WRECKED = """
import sys, threading, numpy as np, scipy.sparse as sp, littlestone as ls
rule, wide = eval(sys.argv[1]), sys.argv[2] == "wide"
X = sp.random(20_000, 500, density=0.05, format="csr", random_state=0)
if wide:
    X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
y = np.where(np.arange(20_000) % 2, 1, -1)
sound, starts, stop = X.indices.copy(), X.indptr.copy(), threading.Event()

def wreck():
    while not stop.is_set():
        X.indices[:], X.indptr[1:-1] = 2**30, 2**30
        X.indices[:], X.indptr[:] = -5, starts
        X.indices[:] = sound

thread = threading.Thread(target=wreck)
thread.start()
ended = 0
for _ in range(30):
    try:
        ls.Learner(rule, labels=(-1, 1)).learn_many(X, y)
        ended += 1
    except ls.LittlestoneError:
        ended += 1
stop.set()
thread.join()
print(ended)
"""


@pytest.mark.parametrize("indices", ["narrow", "wide"])
@pytest.mark.parametrize("rule", ["ls.Perceptron()", "ls.Winnow()", "ls.MulticlassPerceptron()", "ls.Pool(views=('raw',))"])
def test_indices_that_change_meanwhile_are_learned_or_refused(rule: str, indices: str) -> None:
    assert alone(_WRECKED, rule, indices) == "30\n"


_CHANGED = """
import sys, numpy as np, scipy.sparse as sp, littlestone as ls
rule, wide = eval(sys.argv[1]), sys.argv[2] == "wide"
X = sp.random(20_000, 500, density=0.05, format="csr", random_state=0)
if wide:
    X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
y = np.where(np.arange(20_000) % 2, 1, -1)
learner = ls.Learner(rule, labels=(-1, 1))
batch = learner.batch(X)
learner.learn_many(batch, y)
for wrong in (2**30, -5, 500):
    X.indices[:] = wrong
    for call in (lambda: learner.learn_many(batch, y), lambda: learner.score_many(batch)):
        try: call()
        except ls.InvalidData: pass
print(learner.width)
"""


@pytest.mark.parametrize("indices", ["narrow", "wide"])
@pytest.mark.parametrize("rule", ["ls.Perceptron()", "ls.Winnow()", "ls.MulticlassPerceptron()", "ls.Pool(views=('raw',))"])
def test_indices_that_changed_since_they_were_checked_lead_nowhere(rule: str, indices: str) -> None:
    """Rows that are known to be sound are not checked again, and what they hold is the caller's."""
    assert alone(_CHANGED, rule, indices) == "500\n"


_FORKED = """
import os, signal, sys, littlestone as ls
chunks = iter(ls.read(sys.argv[1], workers=2))
next(chunks)
child = os.fork()
if child == 0:
    signal.alarm(20)
    try:
        next(chunks)
    except ls.NotApplicable as refused:
        print(refused, flush=True)
        del chunks
        os._exit(7)
    os._exit(1)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
print(1 + sum(1 for _ in chunks))
"""


@pytest.mark.parametrize("compressed", [False, True])
def test_a_reader_in_a_forked_process_says_so(tmp_path: Path, compressed: bool) -> None:
    text = b"1 1:1 2:2\n-1 2:1\n" * 300_000
    path = tmp_path / ("f.svm.gz" if compressed else "f.svm")
    path.write_bytes(gzip.compress(text, 1) if compressed else text)
    said, chunks = alone(_FORKED, path).splitlines()
    assert said == f"{path} was being read when this process was forked; read it anew, with ls.read"
    assert int(chunks) == sum(1 for _ in ls.read(path))
