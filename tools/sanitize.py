"""Builds the core with sanitizers and runs the tests on it: `python tools/sanitize.py address`, or `thread`.

More words are names of tests to run instead.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from sysconfig import get_paths

ROOT = Path(__file__).parent.parent
SANITIZERS = {"address": "address,undefined", "thread": "thread"}
RUNTIMES = {"address": ("libasan.so", "libubsan.so"), "thread": ("libtsan.so",)}
# The interpreter itself leaks at exit; what it and NumPy do among themselves was not built to be watched.
OPTIONS = {"address": {"ASAN_OPTIONS": "detect_leaks=0"}, "thread": {"TSAN_OPTIONS": "ignore_noninstrumented_modules=1"}}


def run(*command: str, **environment: str) -> None:
    """Runs a command and stops when it fails."""
    subprocess.run(command, check=True, cwd=ROOT, env={**os.environ, **environment})


def runtime(name: str) -> str:
    """The path of a sanitizer's runtime library, which must be loaded before Python."""
    return subprocess.run(["c++", f"-print-file-name={name}"], check=True, capture_output=True, text=True).stdout.strip()


def built(kind: str, *definitions: str) -> Path:
    """Builds the core in another way, and lays the package out beside it; the folder to import it from."""
    nanobind = subprocess.run([sys.executable, "-m", "nanobind", "--cmake_dir"], check=True, capture_output=True, text=True)
    build, cmake = ROOT / "build" / kind, str(Path(sys.executable).parent / "cmake")
    run(
        cmake, "-S", ".", "-B", str(build / "cmake"), *definitions,
        "-DSKBUILD_PROJECT_VERSION=0.0.0", f"-DPython_EXECUTABLE={sys.executable}",
        f"-Dnanobind_ROOT={nanobind.stdout.strip()}",
    )  # fmt: skip
    run(cmake, "--build", str(build / "cmake"), "--parallel", str(os.cpu_count()))
    package = build / "package" / "littlestone"
    shutil.rmtree(package, ignore_errors=True)
    shutil.copytree(ROOT / "src" / "littlestone", package, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
    for core in (build / "cmake").glob("_core*.so"):
        shutil.copy(core, package)
    return package.parent


def test(folder: Path, kind: str, *tests: str, **environment: str) -> None:
    """Runs tests on the package in a folder."""
    script = str(ROOT / "tools" / "sanitized_tests.py")
    run(sys.executable, "-S", script, str(folder), get_paths()["purelib"], kind, *tests, **environment)


def main(kind: str, *tests: str) -> None:
    """Builds with sanitizers, and runs the core's tests."""
    folder = built(kind, f"-DLITTLESTONE_SANITIZE={SANITIZERS[kind]}", "-DCMAKE_BUILD_TYPE=Debug")
    test(folder, kind, *tests, LD_PRELOAD=" ".join(map(runtime, RUNTIMES[kind])), **OPTIONS[kind])


if __name__ == "__main__":
    main(*sys.argv[1:])
