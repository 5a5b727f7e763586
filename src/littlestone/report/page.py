"""The page: one file, without scripts, that opens offline."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from littlestone.report.certificates import proof
from littlestone.report.drawing import DARK, LIGHT, Palette, inline_svg
from littlestone.report.elements import Element, document, el
from littlestone.report.sections import Bars, number

if TYPE_CHECKING:
    from littlestone.report.chart import Chart
    from littlestone.report.origin import DataFile, Provenance
    from littlestone.report.sections import Fact, Matrix, Section

# No script, no request: even if a text got through as markup, a browser would do nothing with it.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def page(title: str, sections: Sequence[Section], origin: Provenance) -> str:
    """The report as HTML."""
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("meta", name="generator", content="littlestone"),
        el("title", title),
        el("style", _style()),
    )
    several = len(sections) > 1
    body = el(
        "body",
        el("header", el("h1", title), _contents(sections) if several else None),
        el("main", *(_section(k, section, title) for k, section in enumerate(sections, start=1)), _origin(origin)),
        el("footer", el("p", f"Written by littlestone on {origin.written}. Online learning that shows its proof.")),
    )
    return document(el("html", head, body, lang="en"))


def _style() -> str:
    light, dark = _variables(LIGHT), _variables(DARK)
    sheet = Path(__file__).with_name("style.css").read_text(encoding="utf-8")
    return sheet.replace("/* light colours */", light).replace("/* dark colours */", dark)


def _variables(palette: Palette) -> str:
    named = {"ink": palette.ink, "grey": palette.grey, "faint": palette.faint}
    named |= {f"c{k}": colour for k, colour in enumerate(palette.colours)}
    return " ".join(f"--{name}: {colour};" for name, colour in named.items())


def _contents(sections: Sequence[Section]) -> Element:
    links = [el("li", el("a", section.title, href=f"#s{k}")) for k, section in enumerate(sections, start=1)]
    return el("nav", el("ol", *links), aria_label="Contents")


def _section(place: int, section: Section, title: str) -> Element:
    # Several sections may draw the same chart: its name must be its own on the page.
    charts = [replace(chart, name=f"s{place}-{chart.name}") for chart in section.charts]
    return el(
        "section",
        el("h2", section.title, id=f"h{place}", class_="same" if section.title == title else "own"),
        el("p", section.lead, class_="lead"),
        el("dl", *map(_fact, section.facts), class_="facts"),
        *(el("p", note, class_="note") for note in section.notes),
        el("div", *map(_figure, charts), class_="figures") if charts else None,
        el("h3", "Proof"),
        proof(section.certificates),
        el("div", *map(_table, section.tables), class_="tables") if section.tables else None,
        id=f"s{place}",
        aria_labelledby=f"h{place}",
    )


def _fact(fact: Fact) -> Element:
    detail = el("dd", fact.detail, class_="detail") if fact.detail else None
    return el("div", el("dt", fact.words), el("dd", fact.value, class_="value"), detail)


def _figure(chart: Chart) -> Element:
    # What is wider than a small screen scrolls, by keyboard too.
    drawing = el("div", inline_svg(chart), class_="drawing", tabindex="0", role="group", aria_label=chart.title)
    return el("figure", el("h3", chart.title), drawing, el("figcaption", chart.words))


def _table(table: Bars | Matrix) -> Element:
    return _bars(table) if isinstance(table, Bars) else _matrix(table)


def _matrix(table: Matrix) -> Element:
    """Darker where more: of a row, the share that each column has."""
    head = el(
        "tr", el("th", table.corner, scope="col"), *(el("th", name, scope="col", class_="number") for name in table.names)
    )
    rows = []
    for k, (name, counts) in enumerate(table.rows):
        whole = sum(counts) or 1
        cells = [_cell(count, count / whole, right=k == column) for column, count in enumerate(counts)]
        rows.append(el("tr", el("th", name, scope="row"), *cells))
    caption = el("caption", table.title, el("span", table.note, class_="small") if table.note else None)
    grid = el("table", caption, el("thead", head), el("tbody", *rows), class_="matrix")
    return el("div", grid, class_="scroll", tabindex="0", role="group", aria_label=table.title)


def _cell(count: int, share: float, *, right: bool) -> Element:
    colour = "var(--c0)" if right else "var(--c1)"
    style = f"background: color-mix(in srgb, {colour} {min(100.0 * share, 100.0) * 0.45:.0f}%, transparent)"
    return el("td", f"{count:,}", el("span", f"{share:.1%}", class_="small"), class_="number", style=style)


def _bars(table: Bars) -> Element:
    largest = max((abs(value) for _, value in table.rows), default=0.0) or 1.0
    signed = any(value < 0.0 for _, value in table.rows)
    names, numbers = table.head
    head = el("tr", el("th", names, scope="col"), el("th", numbers, scope="col", class_="number"), el("td"))
    rows = [_bar(name, value, largest, signed=signed) for name, value in table.rows]
    caption = el("caption", table.title, el("span", table.note, class_="small") if table.note else None)
    return el("table", caption, el("thead", head), el("tbody", *rows), class_="bars")


def _bar(name: str, value: float, largest: float, *, signed: bool) -> Element:
    share = 100.0 * abs(value) / largest
    left = 0.0 if not signed else 50.0 - share / 2.0 if value < 0.0 else 50.0
    width = share / 2.0 if signed else share
    bar = el("span", class_="minus" if value < 0.0 else "plus", style=f"left: {left:.2f}%; width: {width:.2f}%")
    text = ("+" if signed and value > 0.0 else "") + number(value)
    track = el("div", bar, class_="track signed" if signed else "track")
    return el("tr", el("th", name, scope="row"), el("td", text, class_="number"), el("td", track, aria_hidden="true"))


def _origin(origin: Provenance) -> Element:
    versions = el("dl", *(el("div", el("dt", name), el("dd", value)) for name, value in origin.versions), class_="versions")
    return el(
        "section",
        el("h2", "How to get this again", id="again"),
        el("pre", el("code", origin.command), tabindex="0") if origin.command else None,
        _files(origin.files) if origin.files else None,
        versions,
        aria_labelledby="again",
        class_="origin",
    )


def _files(files: Sequence[DataFile]) -> Element:
    head = el(
        "tr", el("th", "file", scope="col"), el("th", "bytes", scope="col", class_="number"), el("th", "SHA-256", scope="col")
    )
    rows = [
        el("tr", el("th", file.name, scope="row"), el("td", "" if file.size is None else f"{file.size:,}", class_="number"),
           el("td", el("code", file.checksum)))
        for file in files
    ]  # fmt: skip
    return el("div", el("table", el("caption", "Data"), el("thead", head), el("tbody", *rows)), class_="scroll", tabindex="0")
