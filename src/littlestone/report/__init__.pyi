# Written by `make stubs` from __init__.py.
from littlestone.report.origin import Provenance as Provenance
from littlestone.report.origin import provenance as provenance
from littlestone.report.sections import Section as Section
from littlestone.report.writing import draw_figures as draw_figures
from littlestone.report.writing import section as section
from littlestone.report.writing import write_report as write_report
__all__ = [
    "Provenance",
    "Section",
    "draw_figures",
    "provenance",
    "section",
    "write_report",
]
