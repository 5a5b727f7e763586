"""Runs the core's tests on the package in a given folder: `sanitized_tests.py FOLDER SITE_PACKAGES KIND [TEST...]`.

The -S keeps the editable install, whose import hook would come first, out of the way; its other packages are added here.
"""

import sys
from importlib import import_module
from pathlib import Path

TESTS = Path(__file__).parent.parent / "tests"
# Those that drive the core hardest: every kernel beside its definition, every malformed input, every reader.
CORE = ("test_twins.py", "test_input.py", "test_laws.py", "test_multiplicative.py", "test_games.py", "test_kernel*.py",
        "test_uniclass.py", "test_readers_*.py", "test_expert_*.py", "test_comparators.py", "test_store.py",
        "test_multiclass.py", "test_weights.py", "test_missing.py", "test_features.py", "test_strangers.py",
        "test_foreign_input.py", "test_safety_learner.py", "test_views.py", "test_scoring.py",
        "test_blocks.py", "test_class_averages.py", "test_pool*.py", "test_verdicts.py", "test_calibration.py",
        "test_cut_views.py")  # fmt: skip
# Those in which threads of the core, or of the caller's, work on one thing.
THREADED = ("test_readers_pipeline.py", "test_readers_files.py", "test_readers_cache.py", "test_batch.py", "test_sums.py",
            "test_learner.py", "test_safety_learner.py", "test_outputs.py", "test_scoring.py", "test_blocks.py",
            "test_pool_stretches.py")  # fmt: skip


def main(folder: str, site_packages: str, kind: str, *given: str) -> int:
    """Runs the tests and returns their exit code."""
    sys.path[:0] = [folder, str(TESTS)]
    sys.path.append(site_packages)
    package = import_module("littlestone")
    assert Path(package.__file__ or "").is_relative_to(folder)
    patterns = given or (THREADED if kind == "thread" else CORE)
    files = [str(path) for pattern in patterns for path in sorted(TESTS.glob(pattern))]
    # Those that kill, limit or interrupt a process would do it to the sanitizer's.
    without = "not ctrl_c and not interrupt and not without_threads and not kill and not fork and not memory"
    return int(import_module("pytest").main(["-q", "-p", "no:cacheprovider", "-x", *files, "-k", without]))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
