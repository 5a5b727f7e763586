"""Feeds whatever reads a file or a body with damaged ones: `make fuzz`, or `python tools/fuzz_files.py --seconds 60`.

Seeds are the files of tests/corpus and tests/models. One is changed in a few places (models and caches are given their
checksums again, as one who forges them would) and read in a process that is allowed so much memory and so many seconds.
It must be read or refused by a LittlestoneError. What is not is kept in build/fuzz, and the exit code is 1.
"""

import argparse
import json
import os
import random
import resource
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import littlestone as ls
from littlestone import _core
from littlestone.serve.requests import Caps, asked_rows, feedback_entry, learn_entry
from littlestone.streams.files import FormatName

ROOT = Path(__file__).parent.parent
KEPT = ROOT / "build" / "fuzz"
SEEDS = [path for folder in ("corpus", "models") for path in sorted((ROOT / "tests" / folder).iterdir()) if path.is_file()]
MEMORY, SECONDS, PER_PROCESS = 8 << 30, 20, 2000
PIECES = [
    *(bytes([letter]) for letter in b'\n :|"{}[,\t\xff\0e-.'),
    *(b"\\u", b"1/0", b"1e999999999", b"99999999999999999999", b"1e308", b"nan", b"[" * 40),
    *(b"\xef\xbb\xbf", b"\xff\xff\xff\x7f", b"\0\0\0\x80"),
]


def mutated(raw: bytes, chance: random.Random) -> bytes:
    """The bytes with a few changes."""
    out = bytearray(raw)
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(out) + 1)
        kind = chance.randrange(6)
        if kind < 2 and at < len(out):
            out[at] = chance.choice((0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)))
        elif kind == 2:
            del out[at : at + chance.randint(1, 9)]
        elif kind == 3:
            out[at:at] = chance.choice(PIECES)
        elif kind == 4:
            out[at:at] = out[at : at + chance.randint(1, 40)]
        elif chance.random() < 0.2:
            del out[at:]
    return bytes(out)


def checksum(raw: bytes) -> int:
    """As the files have it."""
    return _core.checksum(np.frombuffer(raw, np.uint8))


def forged_model(raw: bytes, chance: random.Random) -> bytes:
    """A model with a changed header or changed arrays, and checksums that are right."""
    (length,) = struct.unpack_from("<I", raw, 12)
    text, body = raw[40 : 40 + length].rstrip(), raw[40 + length :]
    if chance.random() < 0.3:
        header, changed = json.loads(text), bytearray(body)
        for _ in range(chance.randint(1, 4)):
            changed[chance.randrange(len(changed))] = chance.randrange(256)
        for array in header["arrays"]:
            array["checksum"] = checksum(bytes(changed[array["offset"] : array["offset"] + array["bytes"]]))
        text, body = json.dumps(header).encode(), bytes(changed)
    else:
        text = mutated(text, chance)
    text += b" " * (-(len(text) + 40) % 64)
    prefix = struct.pack(
        "<8sIIQQ", raw[:8], *struct.unpack_from("<I", raw, 8), len(text), 40 + len(text + body), checksum(text)
    )
    return prefix + struct.pack("<Q", checksum(prefix)) + text + body


def forged_cache(raw: bytes, chance: random.Random) -> bytes:
    """A cache with a changed record whose checksum is right."""
    at = raw.index(b"\n") + 1
    (length,) = struct.unpack_from("<Q", raw, at)
    payload = mutated(raw[at + 16 : at + 16 + length], chance)
    return raw[:at] + struct.pack("<2Q", len(payload), checksum(payload)) + payload + raw[at + 16 + length :]


FORGERS: dict[str, Callable[[bytes, random.Random], bytes]] = {".lst": forged_model, ".lsc": forged_cache}


def read_rows(path: Path, form: FormatName | None = None) -> None:
    """Reads, learns and scores rows."""
    learner = ls.Learner(ls.Perceptron(), missing="skip")
    for X, y in ls.read(path, format=form, on_error="skip"):
        if X.width < 1 << 20:
            learner.learn_many(X, y)


def read_model(path: Path) -> None:
    """Loads a model and asks it."""
    learner = ls.load(path)
    if learner.width < 1 << 20:
        learner.score_many(np.zeros((2, max(learner.width, 1))))


def read_body(path: Path) -> None:
    """Reads a body as each verb of the server would."""
    body, caps = path.read_bytes(), Caps()
    readers: list[Callable[[], object]] = [
        lambda: learn_entry(body, b"application/json", None, caps),
        lambda: learn_entry(body, b"application/x-ndjson", None, caps),
        lambda: asked_rows(body, b"application/json", caps),
        lambda: feedback_entry(body),
    ]
    for read in readers:
        try:
            read()
        except ls.LittlestoneError:
            continue


READERS: dict[str, Callable[[Path], object]] = {
    ".nfg": ls.read_game,
    ".efg": ls.read_extensive,
    ".lst": read_model,
    ".body": read_body,
}


def one(seed: Path, chance: random.Random, place: Path) -> None:
    """Makes an input and reads it.

    Raises:
        Exception: whatever is not a refusal.
    """
    raw, forge = seed.read_bytes(), FORGERS.get(seed.suffix)
    place = place.with_suffix(seed.suffix)
    place.write_bytes(forge(raw, chance) if forge is not None and chance.random() < 0.8 else mutated(raw, chance))
    signal.setitimer(signal.ITIMER_PROF, SECONDS)  # of work, not of waiting
    try:
        READERS.get(seed.suffix, read_rows)(place)
    except ls.LittlestoneError:
        pass
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    place.unlink()


def work(seed: int, inputs: int) -> None:
    """So many inputs in this process; the one that fails stays where it is."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    seeds = [path for path in SEEDS if path.suffix != ".json"]
    for number in range(inputs):
        chance = random.Random(f"{seed} {number}")
        one(chance.choice(seeds), chance, KEPT / f"seed{seed}-{number}")


def main() -> int:
    """Processes one after another, until the inputs or the seconds are used up; the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=PER_PROCESS)
    parser.add_argument("--seconds", type=float, default=0.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", action="store_true", help="in this process")
    given = parser.parse_args()
    KEPT.mkdir(parents=True, exist_ok=True)
    if given.work:
        work(given.seed, given.inputs)
        return 0
    begin, seed, done, failed = time.monotonic(), given.seed, 0, 0
    while (done < given.inputs or time.monotonic() < begin + given.seconds) and failed < 5:
        count = min(PER_PROCESS, given.inputs - done if done < given.inputs else PER_PROCESS)
        command = [sys.executable, __file__, "--work", "--seed", str(seed), "--inputs", str(count)]
        ended = subprocess.run(
            command, check=False, capture_output=True, text=True, env={**os.environ, "PYTHONFAULTHANDLER": "1"}
        )
        done, seed = done + count, seed + 1
        if ended.returncode != 0:
            failed += 1
            print(f"seed {seed - 1} ended with {ended.returncode}; see {KEPT}\n{ended.stderr[-3000:]}", file=sys.stderr)
    print(f"{done} inputs, {failed or 'nothing'} found")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
