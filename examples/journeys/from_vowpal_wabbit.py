"""A file of Vowpal Wabbit: namespaces, tags, products of namespaces, and what the weights are called.

Usage: python examples/journeys/from_vowpal_wabbit.py        (the file is made up, in a folder that is removed)
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from pathlib import Path


def littlestone(*words: str) -> None:
    """A command as it is typed."""
    print("$ littlestone", *words)
    subprocess.run([sys.executable, "-m", "littlestone", *words], check=True, cwd=folder, stderr=subprocess.STDOUT)


def line(number: int, chance: random.Random) -> str:
    """Ann likes sport and Bob likes music: neither the reader nor the topic decides alone."""
    reader, topic = chance.choice(["ann", "bob"]), chance.choice(["sport", "music"])
    clicked = ((reader, topic) in (("ann", "sport"), ("bob", "music"))) != (chance.random() < 0.05)
    return f"{1 if clicked else -1} 'click{number}|user {reader} |topic {topic} words:{chance.randrange(1, 9) / 10}"


with tempfile.TemporaryDirectory() as name:
    folder, chance = Path(name), random.Random(1)
    (folder / "clicks.vw").write_text("\n".join(line(k, chance) for k in range(2000)) + "\n")
    (folder / "new.vw").write_text("'today|user ann |topic sport\n'later|user ann |topic music\n")
    pa = ("--rule", "passive-aggressive", "--C", "0.1")
    littlestone("learn", "clicks.vw", *pa)  # vw clicks.vw --loss_function hinge: no better than chance
    littlestone("learn", "clicks.vw", *pa, "-q", "ut", "--names", "--model", "clicks.lst")  # vw -q ut --invert_hash
    littlestone("inspect", "clicks.lst", "--top", "4")
    littlestone("predict", "clicks.lst", "new.vw")  # vw -t -p: the tags come back
