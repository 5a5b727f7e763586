"""Runs the tests on the package in a given folder instead of the installed one: `python -S tools/sanitized_tests.py FOLDER`.

The -S keeps the editable install, whose import hook would come first, out of the way; its other packages are added here.
"""

import sys
import sysconfig
from pathlib import Path

folder = sys.argv[1]
sys.path[:0] = [folder, str(Path(__file__).parent.parent / "tests")]
sys.path.append(sysconfig.get_paths()["purelib"])

import pytest  # noqa: E402  # the path must be set first

import littlestone  # noqa: E402

assert Path(littlestone.__file__).is_relative_to(folder), littlestone.__file__
sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "-x", "tests", "--deselect", "tests/test_house.py"]))
