"""Runs the core's tests on the package in a given folder: `python -S tools/sanitized_tests.py FOLDER SITE_PACKAGES`.

The -S keeps the editable install, whose import hook would come first, out of the way; its other packages are added here.
"""

import sys
from importlib import import_module
from pathlib import Path

TESTS = Path(__file__).parent.parent / "tests"
# Those that drive the core hardest: every kernel beside its definition, every malformed input, every reader.
CORE = ("test_twins.py", "test_input.py", "test_laws.py", "test_multiplicative.py", "test_games.py", "test_kernel*.py",
        "test_uniclass.py", "test_readers_*.py", "test_expert_*.py", "test_comparators.py", "test_store.py",
        "test_multiclass.py", "test_weights.py", "test_missing.py", "test_features.py", "test_strangers.py")  # fmt: skip


def main(folder: str, site_packages: str) -> int:
    """Runs the tests and returns their exit code."""
    sys.path[:0] = [folder, str(TESTS)]
    sys.path.append(site_packages)
    package = import_module("littlestone")
    assert Path(package.__file__ or "").is_relative_to(folder)
    files = [str(path) for pattern in CORE for path in sorted(TESTS.glob(pattern))]
    without = "not ctrl_c and not interrupt and not without_threads"
    return int(import_module("pytest").main(["-q", "-p", "no:cacheprovider", "-x", *files, "-k", without]))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2]))
