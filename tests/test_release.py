"""What a stranger picks up: the README, the site, the wheel, and the habits that are written down."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import click
import pytest

import littlestone as ls
from littlestone.cli.main import main

ROOT = Path(__file__).parent.parent
HOMES: dict[str, str] = vars(ls)["HOMES"]


def ended(*arguments: str | Path, **environment: str) -> str:
    """What a process prints; one that fails fails the test."""
    made = subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=False, env={**os.environ, **environment})
    assert made.returncode == 0, made.stdout + made.stderr
    return made.stdout + made.stderr


def test_the_citation_is_of_this_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert f"version: {project['version']}\n" in (ROOT / "CITATION.cff").read_text()
    assert project["version"] == ls.__version__


def test_what_is_checked_before_a_commit_is_what_make_lint_checks() -> None:
    recipe = (ROOT / "Makefile").read_text().split("\nlint:")[1].split("\n\n")[0]
    checks = re.findall(r"\$\(BIN\)/([a-z-]+(?: check| format --check| --dry-run --Werror))", recipe)
    hooks = re.findall(r"entry: \.venv/bin/(.+)", (ROOT / ".pre-commit-config.yaml").read_text())
    assert checks
    assert sorted(hooks) == sorted(checks)


def test_the_lock_has_every_package_for_development_with_a_hash_and_no_place_of_its_own() -> None:
    lock = (ROOT / "requirements-dev.lock").read_text()
    locked = dict(re.findall(r"^([a-z0-9-]+)==(\S+) \\\n    --hash=sha256:[0-9a-f]{64}", lock, flags=re.MULTILINE))
    assert len(locked) == len(re.findall(r"^[a-z0-9]", lock, flags=re.MULTILINE))
    assert "://" not in lock
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    for wanted in (*extras["dev"], *extras["build"], *extras["docs"]):
        name = re.split(r"[<>=\[]", wanted)[0].lower()
        assert name in locked, name
        exact = re.search(r"==(\S+)$", wanted)
        assert exact is None or locked[name] == exact[1]


def test_the_readme_answers_in_a_minute() -> None:
    text = (ROOT / "README.md").read_text()
    assert len(text.split()) < 1_000
    for link in re.findall(r"\]\(([^)#]+)\)", text):
        assert link.startswith("https://") or (ROOT / link).exists(), link


def test_the_numbers_of_the_readme_are_those_of_the_benchmarks() -> None:
    shown = re.findall(
        r"^\| (\w+), [^|]+ \| \*\*([\d.]+)\*\* \| ([\d.]+) \|$", (ROOT / "README.md").read_text(), flags=re.MULTILINE
    )
    rows = (ROOT / "docs" / "benchmarks.md").read_text().splitlines()
    times = re.findall(r"[\d.]+ s(?=\*| \||  | \()", (ROOT / "README.md").read_text())
    assert len(times) >= 10
    assert all(any(f"| {time} |" in row for row in rows) for time in times)
    assert len(shown) >= 4
    for stream, ours, theirs in shown:
        assert any(row.startswith(f"| {stream} |") and f"**{ours}**" in row and f" {theirs} " in row for row in rows), stream


def test_every_public_name_has_its_place_in_the_reference() -> None:
    printed = ended(sys.executable, "-c", "import site_pages as s; print(''.join(s.reference().values()))", PYTHONPATH="tools")
    for name, home in HOMES.items():
        assert f"::: littlestone.{home}.{name}\n" in printed, name


def test_every_statement_has_a_proof_in_short_and_a_page() -> None:
    asked = "import theory_pages as t; print(set(t.sketches()) == set(t.ls.theory), sum(map(len, t.families().values())))"
    assert ended(sys.executable, "-c", asked, PYTHONPATH="tools").split() == ["True", str(len(ls.theory))]


def test_notebooks_hold_no_outputs_and_read_no_files() -> None:
    notebooks = sorted((ROOT / "docs" / "lectures").glob("*.ipynb"))
    assert len(notebooks) == 5
    for path in notebooks:
        cells = json.loads(path.read_text())["cells"]
        assert all(not cell.get("outputs") and cell.get("execution_count") is None for cell in cells)
        assert not any(word in "".join(cell["source"]) for cell in cells for word in ("open(", "read_csv", "ls.read(", "http"))


def test_a_lecture_runs() -> None:
    assert ended(sys.executable, ROOT / "tools" / "lectures.py", "games").startswith("games: ")


def test_what_is_skipped_is_told_last_and_how_to_have_it(tmp_path: Path) -> None:
    (tmp_path / "none").mkdir()
    browsers = "tests/test_browser.py"
    said = ended(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", browsers, PATH=f"{tmp_path / 'none'}")
    *_, first, second, counted = said.rstrip().splitlines()
    assert first.startswith("Not run here: ")
    assert "there is no chromium on this machine -> install chromium" in second
    assert "skipped in" in counted


def test_every_subcommand_has_a_manual_page(tmp_path: Path) -> None:
    ended(sys.executable, ROOT / "tools" / "man.py", tmp_path)
    pages = {path.name: path.read_text() for path in tmp_path.glob("*.1")}
    assert {"littlestone.1", "littlestone-learn.1", "littlestone-serve.1"} <= pages.keys()
    assert len(pages) == 1 + len(main.list_commands(click.Context(main)))
    assert "\\-\\-label" in pages["littlestone-learn.1"]
    for page in pages.values():
        assert page.startswith(".TH ")
        assert not re.search(r"^[.'](?!TH|SH|PP|TP|nf|fi)", page, flags=re.MULTILINE)


@pytest.mark.stress
def test_all_lectures_run() -> None:
    assert ended(sys.executable, ROOT / "tools" / "lectures.py").count(" characters") == 5


@pytest.mark.stress
def test_the_site_is_built_without_a_warning() -> None:
    ended("make", "docs")  # which ends badly at the first warning
    assert (ROOT / "build" / "site" / "reference" / "linear.html").exists()


def running(name: str) -> str | None:
    """A Python of this name that runs."""
    found = shutil.which(name)
    works = found is not None and subprocess.run([found, "-c", "pass"], capture_output=True, check=False).returncode == 0
    return found if works else None


@pytest.fixture(scope="module")
def distributions() -> Path:
    """What `make wheel` builds."""
    ended("make", "wheel")
    return ROOT / "dist"


@pytest.mark.stress
@pytest.mark.parametrize(
    ("kind", "python"),
    [
        (f"*-cp{sys.version_info.major}{sys.version_info.minor}-*manylinux*.whl", f"python3.{sys.version_info.minor}"),
        ("*-cp312-abi3-manylinux*.whl", "python3.12"),
        ("*-cp312-abi3-manylinux*.whl", "python3.13"),
        (".tar.gz", f"python3.{sys.version_info.minor}"),
    ],
)
def test_a_wheel_needs_no_compiler_and_the_sources_nothing_else(
    tmp_path: Path, distributions: Path, kind: str, python: str
) -> None:
    """Ten lines and the command line, in an empty environment; only the sources see a compiler."""
    found = sys.executable if python == f"python3.{sys.version_info.minor}" else running(python)
    built = sorted(distributions.glob(f"littlestone-{ls.__version__}{kind}"))
    if found is None or not built:
        pytest.skip(f"there is no {python} here, or no python3.12 to build with")
    ended(found, "-m", "venv", tmp_path / "fresh")
    fresh = tmp_path / "fresh" / "bin" / "python"
    path = os.environ["PATH"] if kind == ".tar.gz" else f"{fresh.parent}"
    ended(fresh, "-m", "pip", "install", "-q", built[0], PATH=path)
    said = ended(fresh, ROOT / "tools" / "try_wheel.py", PATH=path)
    assert said == f"littlestone {ls.__version__} works\n"


@pytest.mark.stress
@pytest.mark.parametrize("kind", ["plain", "clang"])
def test_the_core_has_the_same_bits_without_avx_and_by_another_compiler(kind: str) -> None:
    if kind == "clang" and shutil.which("clang++") is None:
        pytest.skip("there is no clang++ on this machine")
    printed = ended("make", kind, HYPOTHESIS_PROFILE="default")  # the twins in that build see what they see in `make test`
    assert f" results have the same bits in the package and in the {kind} build\n" in printed
