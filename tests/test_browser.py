"""The report in a real browser: it renders, says nothing on the console, asks for nothing, and looks like something."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import TypeAlias, TypedDict

import numpy as np
import pytest

import littlestone as ls
from littlestone.report import section
from littlestone.streams.synthetic import linear_labels

CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine")

FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--enable-logging=stderr",
    "--host-resolver-rules=MAP * ~NOTFOUND",
)  # fmt: skip
DARK = "--blink-settings=preferredColorScheme=0"

MEASURE = """
window.addEventListener("load", () => {
  const box = node => { const b = node.getBoundingClientRect(); return [b.left, b.top, b.right, b.bottom]; };
  const seen = query => [...document.querySelectorAll(query)].filter(node => !node.closest("details:not([open])"));
  const report = {
    math: seen("math").map(box),
    figures: seen("svg").map(box),
    words: seen("svg").map(svg => [...svg.querySelectorAll("text")].map(box)),
    over: document.documentElement.scrollWidth - innerWidth,
    asked: performance.getEntriesByType("resource").map(entry => entry.name),
    text: getComputedStyle(document.querySelector("svg text")).fill,
    paper: getComputedStyle(document.body).backgroundColor,
  };
  document.body.textContent = "";
  document.body.dataset.measured = JSON.stringify(report);
});
"""

Box: TypeAlias = tuple[float, float, float, float]


class Measured(TypedDict):
    """Boxes are left, top, right, bottom."""

    math: list[Box]
    figures: list[Box]
    words: list[list[Box]]
    over: float
    asked: list[str]
    text: str
    paper: str


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    X, y, u = linear_labels(500, 5, margin=0.1)
    rng = np.random.default_rng(0)
    truth = rng.random(200)
    names = ("<script>console.error('ran')</script>", "a long name of an expert who knows very much", "c", "d", "e")
    advice = truth[:, np.newaxis] + rng.normal(size=(200, 5)) * [0.1, 0.2, 0.4, 0.8, 1.0]
    experts = ls.aggregate(ls.AdaHedge(), advice, truth, loss="absolute", experts=names)
    solution = ls.solve(rng.normal(size=(15, 15)), tol=1e-3)
    sections = [section(ls.run(ls.Perceptron(), X, y), against=10.0 * u), section(experts), section(solution)]
    return ls.write_report(sections, tmp_path_factory.mktemp("browser") / "report.html", title="A report")


def chromium(profile: Path, url: Path, *flags: str) -> subprocess.CompletedProcess[str]:
    assert CHROMIUM is not None
    command = [CHROMIUM, *FLAGS, f"--user-data-dir={profile}", *flags, url.as_uri()]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=120)


def console(run: subprocess.CompletedProcess[str]) -> list[str]:
    return [line for line in run.stderr.splitlines() if "CONSOLE" in line]


def measured(page: Path, tmp_path: Path, *flags: str) -> Measured:
    """A copy with a script in it, which the policy of the report itself would not let run."""
    text = re.sub(r'<meta http-equiv="Content-Security-Policy"[^>]*>', "", page.read_text(encoding="utf-8"))
    copy = tmp_path / "measured.html"
    copy.write_text(text.replace("</body>", f"<script>{MEASURE}</script></body>"), encoding="utf-8")
    dom = chromium(tmp_path / "profile", copy, "--dump-dom", *flags).stdout
    found = re.search(r'data-measured="([^"]*)"', dom)
    assert found is not None
    result: Measured = json.loads(found[1].replace("&quot;", '"'))
    return result


def test_it_says_nothing_on_the_console(page: Path, tmp_path: Path) -> None:
    assert console(chromium(tmp_path / "p", page, "--dump-dom")) == []


def test_the_console_is_heard(tmp_path: Path) -> None:
    noisy = tmp_path / "noisy.html"
    noisy.write_text("<script>console.error('ran')</script>", encoding="utf-8")
    assert "ran" in console(chromium(tmp_path / "p", noisy, "--dump-dom"))[0]


@pytest.mark.parametrize("width", [400, 1280])
def test_formulas_and_figures_have_a_size_and_nothing_is_asked_for(page: Path, tmp_path: Path, width: int) -> None:
    found = measured(page, tmp_path, f"--window-size={width},1200")
    assert len(found["figures"]) == 7
    assert all(right - left > 300 and bottom - top > 150 for left, top, right, bottom in found["figures"])
    assert len(found["math"]) >= 5
    assert all(right - left > 20 and bottom - top > 10 for left, top, right, bottom in found["math"])
    assert found["asked"] == []
    assert found["over"] == 0  # the page itself never scrolls sideways


def overlaps(a: Box, b: Box) -> bool:
    """More than the air around letters."""
    return min(a[2], b[2]) - max(a[0], b[0]) >= 1.0 and min(a[3], b[3]) - max(a[1], b[1]) >= 3.5


def test_no_two_words_of_a_figure_overlap_and_none_is_cut_off(page: Path, tmp_path: Path) -> None:
    assert overlaps((0.0, 0.0, 10.0, 10.0), (5.0, 5.0, 9.0, 9.0))
    found = measured(page, tmp_path, "--window-size=1280,1200")
    for figure, words in zip(found["figures"], found["words"], strict=True):
        assert len(words) > 8
        assert all(word[0] > figure[0] - 2.0 and word[2] < figure[2] + 2.0 for word in words)
        assert [(a, b) for k, a in enumerate(words) for b in words[:k] if overlaps(a, b)] == []


def test_dark_and_light_differ(page: Path, tmp_path: Path) -> None:
    light, dark = measured(page, tmp_path), measured(page, tmp_path, DARK)
    assert (light["paper"], dark["paper"]) == ("rgb(255, 255, 255)", "rgb(13, 17, 23)")
    assert light["text"] != dark["text"]


@pytest.mark.parametrize("flags", [("--window-size=1280,2400",), ("--window-size=400,2400", DARK)])
def test_the_picture_is_not_blank(page: Path, tmp_path: Path, flags: tuple[str, ...]) -> None:
    from matplotlib.image import imread

    picture = tmp_path / "shot.png"
    chromium(tmp_path / "p", page, f"--screenshot={picture}", *flags)
    pixels = np.asarray(imread(str(picture)))[::3, ::3, :3]
    colours, counts = np.unique((pixels.reshape(-1, 3) * 15).astype(int), axis=0, return_counts=True)
    assert len(colours) > 30
    assert counts.max() / counts.sum() < 0.97
    for band in np.array_split(pixels, 8):  # something everywhere from top to bottom
        assert band.std() > 0.01
