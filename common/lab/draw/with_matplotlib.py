"""Starts every test of pictures: switches to the Python that has matplotlib, or skips the test."""

import importlib.util
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
PYTHON = ROOT / "build/tools/pictures/bin/python"
NOTHING_DRAWS = 77  # CTest calls that skipped

sys.path.insert(0, str(HERE.parent))
import folders  # noqa: E402, F401


def go_over():
    """Prefers the environment's Python: another matplotlib may be too old or draw other bytes."""
    if PYTHON.exists() and Path(sys.prefix).resolve() != PYTHON.parents[1].resolve():
        os.execv(PYTHON, [str(PYTHON), *sys.argv])
    if not importlib.util.find_spec("matplotlib"):
        print("skipped: nothing here can draw (./lab setup --pictures)")
        sys.exit(NOTHING_DRAWS)
