"""The live page and what it is made of: files of the package, sent as they are."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from littlestone.serve.http import Response

_HERE = Path(__file__).parent
_VENDOR = _HERE.parent / "vendor" / "uplot"
_POLICY = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'none'; "
    b"base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = ((b"content-security-policy", _POLICY), (b"referrer-policy", b"no-referrer"))

PAGES: dict[str, tuple[Path, bytes]] = {
    "": (_HERE / "live.html", b"text/html; charset=utf-8"),
    "live.js": (_HERE / "live.js", b"text/javascript; charset=utf-8"),
    "live.css": (_HERE / "live.css", b"text/css; charset=utf-8"),
    "favicon.svg": (_HERE / "favicon.svg", b"image/svg+xml"),
    "favicon.ico": (_HERE / "favicon.svg", b"image/svg+xml"),
    "uplot.js": (_VENDOR / "uPlot.iife.min.js", b"text/javascript; charset=utf-8"),
    "uplot.css": (_VENDOR / "uPlot.min.css", b"text/css; charset=utf-8"),
}


@cache
def page(name: str) -> Response:
    """One of the files; no other can be asked for."""
    path, content_type = PAGES[name]
    return Response(200, path.read_bytes(), content_type, _HEADERS)
