"""Reports: a run as one HTML file that opens offline, and its figures."""

from littlestone.report.provenance import Provenance, provenance
from littlestone.report.section import Section
from littlestone.report.writing import draw_figures, section, write_report

__all__ = ["Provenance", "Section", "draw_figures", "provenance", "section", "write_report"]
