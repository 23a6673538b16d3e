"""Runs a guest in Python where there is no GPU: numba simulates CUDA, Triton interprets. Slow; for tests.

    without_gpu.py GUEST.py --serve
"""

import importlib.util
import math
import os
import runpy
import sys
from pathlib import Path

import numpy as np

os.environ.update(NUMBA_ENABLE_CUDASIM="1", TRITON_INTERPRET="1")
guest = Path(sys.argv[1]).resolve()
sys.path[:0] = [str(guest.parent), str(Path(__file__).resolve().parent)]  # the second has a small torch
if importlib.util.find_spec("numba_cuda"):
    from numba.cuda import libdevice
    libdevice.rsqrtf = lambda x: np.float32(1 / math.sqrt(x) if x > 0 else math.inf)  # the simulator has none
sys.argv = sys.argv[1:]
runpy.run_path(str(guest), run_name="__main__")
