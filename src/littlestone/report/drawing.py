"""Charts drawn by matplotlib: for a page that is light or dark, and as files."""

from __future__ import annotations

import io
import math
import re
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, final
from xml.etree import ElementTree as ET

from littlestone import outputs
from littlestone.errors import NotApplicable
from littlestone.report.chart import COLOURS, LONGEST, Chart, Line, Role
from littlestone.report.elements import clean

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.legend import Legend

# In inches of 72 units: narrow enough that a phone, which shows a figure as wide as itself, shows ticks that can be read.
_WIDTH, _HEIGHT, _LEGEND_LINE = 5.3, 3.0, 0.19
_TOGETHER = 8.0
# Lines that differ in colour differ in their dashes too.
_DASHES = ("-", (0, (5, 1.6)), (0, (1.2, 1.4)), (0, (7, 1.6, 1.4, 1.6)), (0, (3, 1.2)), (0, (9, 2)), (0, (2, 1, 1, 1)))
_LEGEND_WIDTH = 68
_SVG = "{http://www.w3.org/2000/svg}"
_XLINK = "{http://www.w3.org/1999/xlink}href"


@final
@dataclass(frozen=True)
class Palette:
    """Ink, paper, grey lines, and colours that people with any colour vision can tell apart (after Okabe and Ito)."""

    ink: str
    grey: str
    faint: str
    colours: tuple[str, ...]


LIGHT = Palette("#1b1f24", "#59636e", "#d1d9e0", ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b07d00", "#3f9fd8", "#6b4ba1"))
DARK = Palette("#e6edf3", "#9aa5b1", "#3d444d", ("#56b4e9", "#ff8c42", "#2fc99c", "#e9a3cb", "#e6b63a", "#9bd3f5", "#b79cf0"))

# Colours that stand for variables of the page: matplotlib takes only colours, and the page puts the variables in their place.
_MARKED = Palette("#010101", "#010102", "#010103", tuple(f"#01020{k}" for k in range(COLOURS)))
_VARIABLES = {
    _MARKED.ink: "var(--ink)",
    _MARKED.grey: "var(--grey)",
    _MARKED.faint: "var(--faint)",
    **{colour: f"var(--c{k})" for k, colour in enumerate(_MARKED.colours)},
}


def check_matplotlib() -> None:
    """Raises what a missing matplotlib would raise later.

    Raises:
        NotApplicable: if matplotlib is not there.
    """
    if find_spec("matplotlib") is None:
        raise NotApplicable("figures need matplotlib; install littlestone[report]")


def inline_svg(chart: Chart) -> ET.Element:
    """The chart as an element of a page, in the colours of the page, with a title and a description."""
    buffer = io.BytesIO()
    _save(_drawn(chart, _MARKED), buffer, "svg")
    root = ET.fromstring(buffer.getvalue())
    return _inlined(root, chart)


def save_figures(chart: Chart, directory: Path, stem: str) -> list[Path]:
    """Writes the chart as PNG and SVG, on white."""
    paths = [directory / f"{stem}.png", directory / f"{stem}.svg"]
    for path in paths:
        save_figure(chart, path)
    return paths


def save_figure(chart: Chart, path: Path) -> None:
    """Writes the chart, on white, as SVG where the file is named so and as PNG otherwise."""
    save_drawn(_drawn(chart, LIGHT), path)


def save_drawn(figure: Figure, path: Path) -> None:
    """Writes a figure, on white, as SVG where the file is named so and as PNG otherwise."""
    buffer = io.BytesIO()
    _save(figure, buffer, "svg" if path.suffix.lower() == ".svg" else "png")
    outputs.write(path, [buffer.getvalue()])


def drawn_together(charts: Sequence[Chart]) -> Figure:
    """Several charts in one figure, one below the other, each with its title."""
    from littlestone.report.figure import ShownFigure

    figure = ShownFigure(figsize=(_TOGETHER, 3.1 * len(charts)), layout="constrained")
    for chart, axes in zip(charts, figure.subplots(len(charts), 1, squeeze=False)[:, 0], strict=True):
        shown = _draw_on(axes, chart, LIGHT)
        axes.set_title(clean(chart.title), loc="left", color=LIGHT.ink, fontsize=11.5, parse_math=False)
        beside = axes.legend(*_numbered(shown), loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, fontsize=10)
        _list(beside, shown, LIGHT)
    return figure


def _save(figure: Figure, buffer: io.BytesIO, kind: str) -> None:
    import matplotlib as mpl

    # Text stays text, and the same chart gives the same bytes.
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "littlestone"}), warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a name in letters that the font does not have
        if kind == "svg":
            figure.savefig(buffer, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
        else:
            figure.savefig(buffer, format="png", dpi=160, facecolor="white")


def _drawn(chart: Chart, palette: Palette) -> Figure:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(_WIDTH, _HEIGHT), layout="constrained")
    _legend(figure, _draw_on(figure.subplots(), chart, palette), palette)
    return figure


def _draw_on(axes: Axes, chart: Chart, palette: Palette) -> list[tuple[Artist, str]]:
    """Draws a chart; what is drawn, with the names for a legend."""
    shown: list[tuple[Artist, str]] = []
    for k, line in enumerate(chart.stack):
        shown.append((_draw_share(axes, chart.stack[:k], line, palette), line.name))
    for band in chart.bands:
        area = axes.fill_between(band.x, band.low, band.high, color=palette.colours[band.colour], alpha=0.2, linewidth=0.0)
        shown.append((area, band.name))
    shown += [(_draw_line(axes, line, palette), line.name) for line in chart.lines]
    _scale(axes, chart)
    _dress(axes, chart, palette)
    return shown


def _draw_share(axes: Axes, below: tuple[Line, ...], line: Line, palette: Palette) -> Artist:
    base = sum((other.y for other in below), start=0.0 * line.y)
    return axes.fill_between(line.x, base, base + line.y, color=_colour(line, palette), alpha=0.85, linewidth=0.0)


def _draw_line(axes: Axes, line: Line, palette: Palette) -> Artist:
    if line.role is Role.POINTS:
        (dots,) = axes.plot(line.x, line.y, color=_colour(line, palette), linestyle="none", marker="o", markersize=4.0)
        return dots
    width = {Role.MEASURED: 2.2, Role.BOUND: 1.6, Role.ONE_OF_MANY: 1.4, Role.GUIDE: 1.2}[line.role]
    solid = line.role is Role.MEASURED or (line.colour is None and line.role is not Role.GUIDE)
    dash = "-" if solid else ":" if line.colour is None else _DASHES[line.colour % len(_DASHES)]
    marker = "o" if len(line.x) == 1 else None
    (drawn,) = axes.plot(line.x, line.y, color=_colour(line, palette), linewidth=width, linestyle=dash, marker=marker)
    return drawn


def _colour(line: Line, palette: Palette) -> str:
    if line.role is Role.GUIDE:
        return palette.grey
    return palette.ink if line.colour is None else palette.colours[line.colour % COLOURS]


def _scale(axes: Axes, chart: Chart) -> None:
    from matplotlib.ticker import FuncFormatter, MaxNLocator, PercentFormatter

    if chart.log_x:
        axes.set_xscale("log")
    if chart.whole_x:
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    if chart.log_y:
        axes.set_yscale("log")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: short(value)))
    axes.yaxis.set_major_formatter(PercentFormatter(1.0) if chart.percent else FuncFormatter(lambda value, _: short(value)))
    for axis, is_log in ((axes.xaxis, chart.log_x), (axes.yaxis, chart.log_y)):
        if is_log:
            axis.set_minor_formatter(FuncFormatter(_minor(axis.get_view_interval())))
    if chart.stack:
        axes.set_ylim(0.0, 1.0)
    axes.margins(x=0.0 if chart.stack else 0.01)


def _minor(interval: tuple[float, float]) -> Callable[[float, int | None], str]:
    """Labels at 2 and 5 where a logarithmic axis spans less than a decade and a half, else none."""
    low, high = max(min(interval), 1e-300), max(*interval, 1e-300)
    close = math.log10(high / low) < 1.5

    def label(value: float, _: int | None) -> str:
        leading = value / 10.0 ** math.floor(math.log10(value)) if value > 0.0 else 0.0
        return short(value) if close and round(leading, 6) in (2.0, 5.0) else ""

    return label


def short(value: float) -> str:
    """A number as a tick shows it: 20, 5k, 1.5M, 0.001, 1e-9."""
    size = abs(value)
    for unit, letter in ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if unit <= size < 1000.0 * unit:
            return f"{value / unit:.6g}{letter}".replace("-", "−")
    if value == 0.0 or 1e-4 <= size < 1e3:
        return f"{value:.6g}".replace("-", "−")
    return f"{value:.3g}".replace("-", "−")


def _dress(axes: Axes, chart: Chart, palette: Palette) -> None:
    axes.set_xlabel(clean(chart.x_label), color=palette.grey, fontsize=10.5, parse_math=False)
    axes.set_ylabel(clean(chart.y_label), color=palette.grey, fontsize=10.5, parse_math=False)
    axes.tick_params(which="both", colors=palette.grey, labelsize=10.5, length=3)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    for side in ("left", "bottom"):
        axes.spines[side].set_color(palette.faint)
    if not chart.stack:
        axes.grid(color=palette.faint, linewidth=0.6, alpha=0.7)
    axes.set_axisbelow(True)
    if chart.zero:
        axes.axhline(0.0, color=palette.grey, linewidth=0.9)


def _legend(figure: Figure, shown: list[tuple[Artist, str]], palette: Palette) -> None:
    names = [_named(name) for _, name in shown]
    if not names:
        return
    columns = max(1, min(len(names), _LEGEND_WIDTH // (max(map(len, names)) + 6)))
    figure.set_figheight(_HEIGHT + _LEGEND_LINE * -(-len(names) // columns))
    legend = figure.legend(
        *_numbered(shown),
        loc="outside upper left",
        ncols=columns,
        frameon=False,
        fontsize=10,
        handlelength=2.4,
        columnspacing=1.4,
        borderaxespad=0.2,
    )
    _list(legend, shown, palette)


def _numbered(shown: list[tuple[Artist, str]]) -> tuple[list[Artist], list[str]]:
    """The lines with numbers for names: a name that begins with an underscore would be left out before matplotlib 3.10."""
    return [artist for artist, _ in shown], [str(k) for k in range(len(shown))]


def _named(name: str) -> str:
    return clean(name) if len(name) <= LONGEST else clean(name[: LONGEST - 1]) + "…"


def _list(legend: Legend, shown: list[tuple[Artist, str]], palette: Palette) -> None:
    for text, (_, name) in zip(legend.get_texts(), shown, strict=True):
        text.set_text(_named(name))
        text.set_color(palette.ink)
        text.set_parse_math(False)  # a dollar in a name is no formula


def _inlined(root: ET.Element, chart: Chart) -> ET.Element:
    """An element without namespaces, identifiers of its own, nothing that points outside, and variables for colours."""
    for child in list(root):
        if child.tag.endswith("metadata"):
            root.remove(child)
    referred = {match for node in root.iter() for value in node.attrib.values() for match in re.findall(r"#([\w-]+)", value)}
    for node in root.iter():
        node.tag = node.tag.removeprefix(_SVG)
        target = node.attrib.pop(_XLINK, None)
        if target is not None:
            node.set("href", target)
        if node.get("id") not in referred:
            node.attrib.pop("id", None)
        for name, value in list(node.attrib.items()):
            node.set(name, _own(value, name, chart.name, referred))
    return _titled(root, chart)


def _own(value: str, name: str, prefix: str, referred: set[str]) -> str:
    if name == "id":
        return f"{prefix}-{value}"
    for marked, variable in _VARIABLES.items():
        value = value.replace(marked, variable)
    value = re.sub(r"(font:|font-family:)[^;]*;?", _font_size, value) if name == "style" else value
    return re.sub(r"#([\w-]+)", lambda m: f"#{prefix}-{m[1]}" if m[1] in referred else m[0], value)


def _font_size(found: re.Match[str]) -> str:
    """Of a font, its size; the family is the page's."""
    size = re.search(r"[\d.]+px", found[0])
    return f"font-size: {size[0]};" if size else ""


def _titled(root: ET.Element, chart: Chart) -> ET.Element:
    root.attrib = {"viewBox": root.get("viewBox", ""), "role": "img", "aria-labelledby": f"{chart.name}-t {chart.name}-d"}
    title, words = ET.Element("title", id=f"{chart.name}-t"), ET.Element("desc", id=f"{chart.name}-d")
    title.text, words.text = clean(chart.title), clean(chart.words)
    root[:0] = [title, words]
    return root
