"""The lectures as pages of the site: every notebook of docs/lectures is run, and what it shows is written down.

Usage: python tools/lectures.py [NAME...]     (runs those, or all)
"""

import base64
import sys
from collections.abc import Iterator
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from traitlets.config import Config

STILL = "import sys; sys.modules['ipywidgets'] = None"
"""A page has no kernel to move its sliders."""
LECTURES = Path(__file__).parent.parent / "docs" / "lectures"


def run(path: Path) -> nbformat.NotebookNode:
    """The notebook with its outputs; an error in a cell is an error here."""
    notebook: nbformat.NotebookNode = nbformat.read(path, as_version=4)
    notebook.cells.insert(0, nbformat.v4.new_code_cell(STILL))
    private = Config({"KernelManager": {"transport": "ipc"}})  # nobody else on the machine can listen
    NotebookClient(notebook, timeout=300, kernel_name="python3", config=private).execute()
    del notebook.cells[0]
    return notebook


def page(path: Path) -> str:
    """A lecture as Markdown."""
    cells = [part for cell in run(path).cells for part in shown(cell)]
    head, *rest = cells
    return "\n\n".join([head, f"[This page as a notebook]({path.name})", *rest]) + "\n"


def shown(cell: nbformat.NotebookNode) -> Iterator[str]:
    """A cell, and what it put out."""
    if cell.cell_type == "markdown":
        yield cell.source
        return
    yield f"```python\n{cell.source}\n```"
    for output in cell.outputs:
        yield from _output(output)


def _output(output: nbformat.NotebookNode) -> Iterator[str]:
    if output.output_type == "stream":
        yield f"```text\n{output.text.rstrip()}\n```"
        return
    data = output.get("data", {})
    if "image/png" in data:
        picture = base64.b64encode(base64.b64decode(data["image/png"])).decode()
        yield f'<img class="output" alt="the figure that the code above draws" src="data:image/png;base64,{picture}">'
    elif "text/html" in data:
        yield f'<div class="output">{data["text/html"]}</div>'
    elif "text/plain" in data and "application/vnd.jupyter.widget-view+json" not in data:
        yield f"```text\n{data['text/plain']}\n```"


def pages() -> dict[str, str]:
    """Every lecture by its path."""
    return {f"lectures/{path.stem}.md": page(path) for path in sorted(LECTURES.glob("*.ipynb"))}


if __name__ == "__main__":
    for name in sys.argv[1:] or [path.stem for path in sorted(LECTURES.glob("*.ipynb"))]:
        sys.stdout.write(f"{name}: {len(page(LECTURES / f'{name}.ipynb')):,} characters\n")
