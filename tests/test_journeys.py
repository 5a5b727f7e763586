"""The journeys of newcomers: each script runs, says what it is about, and stands on its page as it is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
JOURNEYS = {
    "from_csv": ("from-csv", ("the winner is pool", "pool.master: holds", "yes\t0.797")),
    "from_scikit_learn": ("from-sklearn", ("AROWClassifier: accuracy 0.9", "best C: ", "risk.anytime: holds")),
    "from_river": ("from-river", ("the pool: accuracy 0.9", "a bag of five", "pool.master: holds")),
    "from_vowpal_wabbit": ("from-vw", ("user^ann*topic^sport", "\ttoday", "\tlater")),
    "from_opera": ("from-opera", ("MLpol: mean loss", "oracle(convex)", "second.adahedge: holds")),
}


def test_every_script_is_a_journey() -> None:
    assert {path.stem for path in (ROOT / "examples" / "journeys").glob("*.py")} == set(JOURNEYS)


@pytest.mark.parametrize("name", JOURNEYS)
def test_a_journey(name: str) -> None:
    page, sentences = JOURNEYS[name]
    script = ROOT / "examples" / "journeys" / f"{name}.py"
    code = script.read_text("utf-8")
    assert len(code.splitlines()) <= 40
    assert f"```python\n{code}```" in (ROOT / "docs" / f"{page}.md").read_text("utf-8")
    ended = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    for sentence in sentences:
        assert sentence in ended.stdout


def test_each_pair_of_namespaces_is_learned_only_with_products() -> None:
    """Without products the example is at chance; with them, at the noise that was put in."""
    script = ROOT / "examples" / "journeys" / "from_vowpal_wabbit.py"
    told = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=True).stdout
    alone, products = (float(line.split()[1].rstrip("%;")) for line in told.splitlines() if line.startswith("error "))
    assert alone > 40.0
    assert products < 10.0
