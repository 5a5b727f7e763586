"""Tables that a script writes into a page of the documentation, between two marks of its name."""

from __future__ import annotations

from pathlib import Path


def write(page: Path, name: str, text: str) -> None:
    """Replaces what stands between `<!-- name: … -->` and `<!-- /name -->`."""
    whole = page.read_text(encoding="utf-8")
    before, mark, rest = whole.partition(f"<!-- {name}:")
    after, end, last = rest.partition(f"<!-- /{name} -->")
    if not mark or not end:
        raise SystemExit(f"{page} has no marks of {name}")
    opening = after.partition("-->")[0]
    page.write_text(f"{before}{mark}{opening}-->\n{text.rstrip()}\n{end}{last}", encoding="utf-8")
