"""Reports: a run as one HTML file that opens offline, and its figures."""

from littlestone.lazy import homes, lazily

# A command that writes no report loads none of it.
_HOMES = homes(
    {
        "origin": "Provenance provenance",
        "sections": "Section",
        "writing": "draw_figures section write_report",
    }
)

__getattr__ = lazily(__name__, _HOMES)
__all__ = sorted(_HOMES)
