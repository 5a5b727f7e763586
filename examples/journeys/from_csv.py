"""A table with numbers of any size, categories, dates and gaps: which rule is best, how good is it, and what of new rows?

Usage: python examples/journeys/from_csv.py        (the table is made up, in a folder that is removed)
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from pathlib import Path

import littlestone as ls


def littlestone(*words: str) -> None:
    """A command as it is typed."""
    print("$ littlestone", *words)
    subprocess.run([sys.executable, "-m", "littlestone", *words], check=True, cwd=folder, stderr=subprocess.STDOUT)


def row(chance: random.Random) -> str:
    """Whoever sees a low price on a weekday buys, if they are not from Oslo; one in ten does otherwise."""
    price, city, day = chance.uniform(500, 90_000), chance.choice(["Rome", "Oslo", "Paris"]), chance.randrange(1, 29)
    bought = (price < 40_000 and city != "Oslo") != (chance.random() < 0.1)
    shown = "" if chance.random() < 0.05 else f"{price:.2f}"  # a gap now and then
    return f"{shown},{city},2026-{chance.randrange(1, 13):02}-{day:02},{'yes' if bought else 'no'}"


with tempfile.TemporaryDirectory() as name:
    folder, chance = Path(name), random.Random(1)
    (folder / "shop.csv").write_text("\n".join(["price,city,day,bought", *(row(chance) for _ in range(3000))]) + "\n")
    (folder / "new.csv").write_text("price,city,day\n12000,Rome,2026-11-16\n88000,Oslo,2026-11-17\n")
    littlestone("race", "shop.csv", "--label", "bought", "--rules", "pool,arow,perceptron", "--model", "shop.lst")
    littlestone("predict", "shop.lst", "new.csv", "--probabilities")
    learner = ls.load(folder / "shop.lst")  # the same model in Python, for a dict of the same columns
    print(learner.predict_one({"price": 12000.0, "city": "Rome", "day": "2026-11-16"}))
