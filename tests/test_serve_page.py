"""The live page in a real browser: it fills, says nothing on the console, asks nobody else, and works by keyboard."""

from __future__ import annotations

import random
import re
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from matplotlib.image import imread
from playwright.sync_api import Browser, Page, expect, sync_playwright

from littlestone.client import Client
from serving import Server, served

CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium on this machine")

FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync",
]  # fmt: skip
PATIENCE = 60_000.0
SECRET = "a secret of the tests, for nobody else".replace(" ", "-")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """With a stream that gets worse, a shadow, and labels that are waited for."""
    folder = tmp_path_factory.mktemp("page")
    (folder / "tokens").write_text(f"tests:learn:{SECRET}\n")
    with served(folder / "data", "--rule", "perceptron", "--token-file", str(folder / "tokens"), "--iid") as running:
        feed(running, 0)
        yield running


def feed(server: Server, seed: int) -> None:
    chance = random.Random(seed)
    with Client(server.url, token=SECRET) as client:
        server.request(
            "POST", "/v2/models/default/shadow", {"rule": "passive-aggressive"}, {"Authorization": f"Bearer {SECRET}"}
        )
        for noise in (0.02, 0.02, 0.02, 0.4, 0.4):
            rows = [{f"f{k}": chance.gauss(0.0, 1.0) for k in range(4)} for _ in range(1000)]
            labels = [(row["f0"] > 0.0) != (chance.random() < noise) for row in rows]
            for start in range(0, 1000, 50):
                client.learn_many(rows[start : start + 50], labels[start : start + 50])
        for number in range(3):
            client.predict({"f0": 1.0}, id=f"{seed}-{number}")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield found
        found.close()


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    """A page that was let in, on a screen of a desk."""
    with_errors = browser.new_page(viewport={"width": 1280, "height": 1000})
    said: list[str] = []
    asked: list[str] = []
    with_errors.on("console", lambda message: said.append(message.text))
    with_errors.on("pageerror", lambda error: said.append(str(error)))
    with_errors.on("request", lambda request: asked.append(request.url))
    let_in(with_errors, server)
    yield with_errors
    assert [line for line in said if "401" not in line] == []  # the browser notes that a token was asked for
    assert [url for url in asked if not url.startswith(server.url)] == []
    with_errors.close()


def let_in(page: Page, server: Server) -> None:
    page.goto(server.url)
    page.locator("#token").fill(SECRET, timeout=PATIENCE)
    page.keyboard.press("Enter")
    expect(page.locator("#state")).to_have_text("learning", timeout=PATIENCE)


def test_it_shows_what_the_server_knows(page: Page) -> None:
    expect(page.locator("#rounds")).to_have_text("5,000", timeout=PATIENCE)
    expect(page.locator("#rule")).to_contain_text("Perceptron")
    expect(page.locator("#waiting")).to_have_text("3")
    expect(page.locator("#error")).to_have_text(re.compile(r"^\d+(\.\d+)?%$"))
    expect(page.locator("#band")).to_have_text(re.compile(r"% to .*%"))
    expect(page.locator("#alarm")).to_contain_text("Drift: at round")
    expect(page.locator("#rival")).to_contain_text("PassiveAggressive")
    expect(page.locator("#together")).to_have_text("5,000")
    expect(page.locator("#certificates")).to_contain_text("risk.anytime")
    expect(page.locator("#certificates .badge").first).to_have_text("holds")
    assert page.locator("canvas").count() == 2


def test_it_follows_the_stream(page: Page, server: Server) -> None:
    with Client(server.url, token=SECRET) as client:
        before = client.get("ledger")["rounds"]
        assert isinstance(before, int)
        client.learn({"f0": 1.0}, True)
    expect(page.locator("#rounds")).to_have_text(f"{before + 1:,}", timeout=PATIENCE)


def test_it_works_by_keyboard(page: Page) -> None:
    focused = set()
    for _ in range(12):
        page.keyboard.press("Tab")
        focused.add(page.evaluate("document.activeElement.id || document.activeElement.textContent.trim()"))
    assert {"To the numbers", "The curves as a table"} <= focused
    page.locator("#numbers summary").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#points tr").first).to_be_visible()
    expect(page.locator("#points tr").first.locator("td").nth(1)).to_have_text(re.compile("%$"))


def test_a_wrong_token_is_asked_for_again(browser: Browser, server: Server) -> None:
    page = browser.new_page()
    page.goto(server.url)
    page.locator("#token").fill("x" * 20)
    page.keyboard.press("Enter")
    expect(page.locator("#state")).to_have_text("a token is needed", timeout=PATIENCE)
    expect(page.locator("#main")).to_be_hidden()
    page.close()


@pytest.mark.parametrize(("width", "scheme", "paper"), [(390, "dark", (13, 17, 23)), (1280, "light", (255, 255, 255))])
def test_on_a_phone_in_the_dark_and_on_a_desk(
    browser: Browser, server: Server, tmp_path: Path, width: int, scheme: str, paper: tuple[int, int, int]
) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme="dark" if scheme == "dark" else "light"
    )
    page = context.new_page()
    let_in(page, server)
    expect(page.locator("canvas").first).to_be_visible(timeout=PATIENCE)
    expect(page.locator("#together")).to_have_text(re.compile("5,00"))
    assert page.evaluate("document.documentElement.scrollWidth") <= width  # nothing scrolls sideways
    small = page.evaluate(
        "[...document.querySelectorAll('button, select, summary, a')].filter(e => e.offsetParent && e.offsetHeight < 24).length"
    )
    assert small <= 1  # the way to the numbers, which is shown when it has the focus
    shot = tmp_path / "page.png"
    page.screenshot(path=str(shot), full_page=True)
    pixels = np.asarray(imread(str(shot)))[..., :3]
    assert tuple((255 * pixels[2, 2]).round().astype(int)) == paper
    chart = page.locator("#errors").bounding_box()
    assert chart is not None
    drawn = pixels[int(chart["y"]) : int(chart["y"] + 240), int(chart["x"]) : int(chart["x"] + chart["width"])]
    assert len(np.unique((drawn.reshape(-1, 3) * 15).astype(int), axis=0)) > 8  # lines, a band and words
    context.close()


def until(met: Callable[[], bool]) -> None:
    """Waits for what a page does by itself; its policy lets nobody evaluate words within it."""
    deadline = time.monotonic() + PATIENCE / 1000.0
    while not met():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_stream_in_one_batch_is_a_dot(browser: Browser, tmp_path: Path) -> None:
    with served(tmp_path / "data", "--rule", "perceptron") as running:
        with Client(running.url) as client:
            client.learn_many([{"a": 1.0}, {"b": 1.0}] * 50, [True, False] * 50)
        page = browser.new_page(viewport={"width": 1280, "height": 1000})
        page.goto(running.url)
        expect(page.locator("#rounds")).to_have_text("100", timeout=PATIENCE)
        expect(page.locator("dt").filter(has_text="Learned per second")).to_be_visible()
        until(lambda: page.evaluate("charts[0].data[0].length") == 1)
        blue = """
            const paint = document.querySelector('#errors canvas').getContext('2d');
            const { width, height } = paint.canvas, pixels = paint.getImageData(0, 0, width, height).data;
            const wanted = colour('--c0').match(/[0-9a-f]{2}/gi).map((hex) => parseInt(hex, 16));
            let count = 0;
            for (let k = 0; k < pixels.length; k += 4)
              if (wanted.every((part, c) => Math.abs(part - pixels[k + c]) < 3) && pixels[k + 3] > 250) ++count;
            return count;
        """
        until(lambda: page.evaluate(f"(() => {{ {blue} }})()") > 20)
        page.close()


def test_its_policy_is_strict(server: Server) -> None:
    import http.client

    for path in ("/", "/live.js", "/uplot.js", "/live.css"):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=150.0)
        connection.request("GET", path)
        response = connection.getresponse()
        policy = response.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert b"<script>" not in response.read()
        connection.close()
