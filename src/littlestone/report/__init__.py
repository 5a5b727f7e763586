"""Reports: a run as one HTML file that opens offline, and its figures."""

from typing import TYPE_CHECKING

from littlestone.lazy import lazily

if TYPE_CHECKING:
    from littlestone.report.origin import Provenance, provenance
    from littlestone.report.sections import Section
    from littlestone.report.writing import draw_figures, section, write_report

# A command that writes no report loads none of it.
__getattr__ = lazily(
    __name__,
    {
        "Provenance": "origin",
        "Section": "sections",
        "draw_figures": "writing",
        "provenance": "origin",
        "section": "writing",
        "write_report": "writing",
    },
)

__all__ = ["Provenance", "Section", "draw_figures", "provenance", "section", "write_report"]
