"""A hook of mkdocs: the first page is the README, and the reference has a page per room, with every public name."""

import re
from pathlib import Path

import lectures
import theory_pages
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import littlestone as ls

ROOT = Path(__file__).parent.parent
HOMES: dict[str, str] = vars(ls)["HOMES"]
ROOMS: dict[str, str] = vars(ls)["ROOMS"]

# The pages, and the homes of the names that each shows.
PAGES = {
    "learning": (
        "Learning",
        ("learner", "pool", "run", "master", "ledger", "delayed", "replay", "snapshots", "store", "export"),
    ),
    "linear": ("Linear rules", ("linear", "rule", "state", "abilities")),
    "classes": ("Many classes, one class", ("multiclass", "uniclass")),
    "kernels": ("Kernels", ("kernels",)),
    "experts": ("Experts and intervals", ("experts", "conformal")),
    "games": ("Games and paths", ("games", "paths")),
    "theory": ("Theory and reports", ("theory", "report", "convert")),
    "data": ("Data, and many machines", ("streams", "views", "features", "mixing", "epochs", "workers", "_core")),
    "errors": ("Errors", ("errors",)),
}


def _page_of(home: str) -> str:
    """The page that claims a home; the first for what no page claims."""
    return next((page for page, (_, homes) in PAGES.items() if home.split(".")[0] in homes), next(iter(PAGES)))


def reference() -> dict[str, str]:
    """The pages of the reference: every public name has its place on one of them."""
    names: dict[str, list[str]] = {page: [] for page in PAGES}
    for name in ls.__all__:
        if name in HOMES:
            names[_page_of(HOMES[name])].append(name)
    shown = {
        page: [f"# {PAGES[page][0]}", *(f"::: littlestone.{HOMES[name]}.{name}" for name in names[page])] for page in PAGES
    }
    for room, home in ROOMS.items():
        shown[_page_of(home)].append(f"::: littlestone.{home}\n    options:\n      heading: ls.{room}")
    return {f"reference/{page}.md": "\n\n".join(parts) + "\n" for page, parts in shown.items()}


def _first_page() -> str:
    """The README, whose links are to files of the repository, as a page of the site."""
    text = (ROOT / "README.md").read_text().replace("](docs/", "](")
    return re.sub(r"\]\((SECURITY|CONTRIBUTING|CHANGELOG)\.md\)", lambda found: f"]({found[1].lower()}.md)", text)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages that are made here."""
    made = {"index.md": _first_page(), **reference(), **theory_pages.pages(), **lectures.pages()}
    for name in ("SECURITY", "CONTRIBUTING", "CHANGELOG"):
        made[f"{name.lower()}.md"] = (ROOT / f"{name}.md").read_text().replace("](docs/", "](")
    for path, text in made.items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Links every id of the table of guarantees to its place in the theory."""
    if page.file.src_uri != "guarantees.md":
        return markdown
    homes = {key: name for name, keys in theory_pages.families().items() for key in keys}
    return re.sub(
        r"^\| `([^`]+)` \|", lambda row: f"| [{row[1]}](theory/{homes[row[1]]}.md#{row[1]}) |", markdown, flags=re.MULTILINE
    )
