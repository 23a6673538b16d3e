"""Begins every test of pictures: goes over to the Python that can draw, or says that there is none."""

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
    """The environment's first: another matplotlib may be too old, or draw other bytes."""
    if PYTHON.exists() and Path(sys.prefix).resolve() != PYTHON.parents[1].resolve():
        os.execv(PYTHON, [str(PYTHON), *sys.argv])
    if not importlib.util.find_spec("matplotlib"):
        print("skipped: nothing here can draw (./lab setup --pictures)")
        sys.exit(NOTHING_DRAWS)
