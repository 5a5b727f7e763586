"""Tests the package with the oldest dependencies that pyproject.toml allows, and then with the newest there are.

Each time in an environment of its own under build/, with the package built and installed as its users install it.
"""

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = ("arrow", "zstd", "report", "serve")
TOOLS = ("pytest>=8.0", "pytest-xdist>=3.5", "hypothesis>=6.100", "pandas>=2.2", "polars>=1.0")
# What touches the dependencies: arrays, sparse matrices, solvers, tables, files, the command line, reports.
TESTS = (
    "test_learner.py", "test_store.py", "test_readers_tables.py", "test_readers_files.py", "test_games.py",
    "test_comparators.py", "test_cli.py", "test_cli_outputs.py", "test_report.py", "test_strangers.py", "test_serve.py",
    "test_foreign_input.py",
)  # fmt: skip


def wanted() -> list[str]:
    """The requirements of the package and of what is tested with it."""
    extras = (requirement for extra in EXTRAS for requirement in PROJECT["optional-dependencies"][extra])
    return list(dict.fromkeys([*PROJECT["dependencies"], *extras]))


def oldest(requirement: str) -> str:
    """The lower bound of a requirement as the only version: "numpy>=1.26" becomes "numpy~=1.26.0".

    Raises:
        ValueError: if it has no lower bound, so that nobody can say what the oldest is.
    """
    found = re.fullmatch(r"([\w.-]+)>=([\d.]+)", requirement)
    if found is None:
        raise ValueError(f"{requirement} has no lower bound alone; every dependency of the package has one")
    name, bound = found.groups()
    full = bound if bound.count(".") >= 2 else f"{bound}.0" if "." in bound else f"{bound}.0.0"
    return f"{name}~={full}"


def tested(name: str, requirements: list[str]) -> None:
    """Makes an environment, installs and runs the tests in it."""
    place = ROOT / "build" / name
    shutil.rmtree(place, ignore_errors=True)
    subprocess.run([sys.executable, "-m", "venv", str(place)], check=True)
    python = str(place / "bin" / "python")
    subprocess.run([python, "-m", "pip", "install", "-q", "--upgrade", "pip"], check=True)
    subprocess.run([python, "-m", "pip", "install", "-q", *requirements, *TOOLS, str(ROOT)], check=True)
    subprocess.run([python, "-m", "pip", "list"], check=True)
    tests = [str(ROOT / "tests" / test) for test in TESTS]
    # Only errors of ours are to fail: an old package warns of what was new when it was made.
    command = [python, "-m", "pytest", "-q", "-n", "auto", "-p", "no:cacheprovider", "-W", "ignore", *tests]
    subprocess.run(command, check=True, cwd=ROOT)


def main() -> None:
    """Both ends."""
    requirements = wanted()
    which = sys.argv[1:] or ["oldest", "newest"]
    if "oldest" in which:
        tested("oldest", [oldest(requirement) for requirement in requirements])
    if "newest" in which:
        tested("newest", requirements)


if __name__ == "__main__":
    main()
