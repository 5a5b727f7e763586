"""Reports: a run as one HTML file that opens offline, and its figures."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from littlestone.report.origin import Provenance, provenance
    from littlestone.report.sections import Section
    from littlestone.report.writing import draw_figures, section, write_report

# A command that writes no report loads none of it.
_HOMES = {
    "Provenance": "littlestone.report.origin",
    "Section": "littlestone.report.sections",
    "draw_figures": "littlestone.report.writing",
    "provenance": "littlestone.report.origin",
    "section": "littlestone.report.writing",
    "write_report": "littlestone.report.writing",
}


def __getattr__(name: str) -> object:
    """Loads a name of the package from the module it lives in."""
    if name not in _HOMES:
        raise AttributeError(f"module 'littlestone.report' has no attribute {name!r}")
    value: object = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value


__all__ = ["Provenance", "Section", "draw_figures", "provenance", "section", "write_report"]
