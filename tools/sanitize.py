"""Builds the core with address and undefined-behaviour sanitizers into build/sanitize and runs the tests on it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from sysconfig import get_paths

ROOT = Path(__file__).parent.parent
BUILD = ROOT / "build" / "sanitize"


def run(*command: str, **environment: str) -> None:
    """Runs a command and stops when it fails."""
    subprocess.run(command, check=True, cwd=ROOT, env={**os.environ, **environment})


def runtime(name: str) -> str:
    """The path of a sanitizer's runtime library, which must be loaded before Python."""
    return subprocess.run(["c++", f"-print-file-name={name}"], check=True, capture_output=True, text=True).stdout.strip()


def main() -> None:
    """Builds, lays the package out beside the new core, and runs the core's tests."""
    nanobind = subprocess.run([sys.executable, "-m", "nanobind", "--cmake_dir"], check=True, capture_output=True, text=True)
    cmake = str(Path(sys.executable).parent / "cmake")
    run(
        cmake, "-S", ".", "-B", str(BUILD / "cmake"), "-DLITTLESTONE_SANITIZE=ON", "-DCMAKE_BUILD_TYPE=Debug",
        "-DSKBUILD_PROJECT_VERSION=sanitize", f"-DPython_EXECUTABLE={sys.executable}",
        f"-Dnanobind_ROOT={nanobind.stdout.strip()}",
    )  # fmt: skip
    run(cmake, "--build", str(BUILD / "cmake"), "--parallel", str(os.cpu_count()))
    package = BUILD / "package" / "littlestone"
    shutil.rmtree(package, ignore_errors=True)
    shutil.copytree(ROOT / "src" / "littlestone", package, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    for core in (BUILD / "cmake").glob("_core*.so"):
        shutil.copy(core, package)
    run(
        sys.executable, "-S", str(ROOT / "tools" / "sanitized_tests.py"), str(package.parent), get_paths()["purelib"],
        LD_PRELOAD=f"{runtime('libasan.so')} {runtime('libubsan.so')}",
        ASAN_OPTIONS="detect_leaks=0",  # the interpreter itself leaks at exit
    )  # fmt: skip


if __name__ == "__main__":
    main()
