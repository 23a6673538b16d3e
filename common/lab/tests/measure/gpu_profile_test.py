"""How ./lab profile starts a GPU program; a fake program prints its arguments."""

import subprocess
import sys

import pytest

from nbody_lab.core.errors import LabError
from nbody_lab.measure.gpu_profile import (
    GpuProgram,
    find_iterations,
    make_profiling_command,
)

# It writes the seconds of a run if asked: a tenth of a second for ten iterations.
PROGRAM = f"""#!{sys.executable}
import sys
words = sys.argv[1:]
if "--log" in words:
    iterations = int(words[words.index("-i") + 1])
    rows = f"iteration,wall_s\\n0,0\\n{{iterations}},{{iterations / 100}}\\n"
    open(words[words.index("--log") + 1], "w").write(rows)
print(*words)
"""


def make_program(folder, text, **how):
    file = folder / "bin/part3/naive"
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")
    file.chmod(0o755)
    return GpuProgram("part3", "naive", folder, **how)


def test_runs_for_a_second(tmp_path):
    program = make_program(tmp_path, PROGRAM, in_double=True, bodies=50)
    command = make_profiling_command(program)
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert output == "-n 50 -i 100 --vdt --precision double --profile\n"


@pytest.mark.parametrize(
    ("once_s", "one_s", "iterations"),
    [(0, 1e-3, 1000), (0, 0.01, 100), (0, 5.0, 4), (0.05, 1e-3, 911)],
)
def test_runs_until_it_can_be_timed(once_s, one_s, iterations):
    """And at least four iterations. In a short run, what happens once counts too much."""
    assert find_iterations(lambda count: once_s + count * one_s) == iterations


def test_what_went_wrong(tmp_path):
    program = make_program(tmp_path, "#!/bin/sh\necho 'no NVIDIA GPU' >&2\nexit 2\n")
    with pytest.raises(LabError, match=r"^part3/naive stopped: no NVIDIA GPU$"):
        make_profiling_command(program)
