"""How ./lab profile starts a GPU program: with iterations for a second. A fake program prints its arguments."""

import subprocess
import sys

import pytest

from nbody_lab.core.errors import LabError
from nbody_lab.measure.gpu_profile import profiling_command

# It writes the seconds of a run if asked.
PROGRAM = f"""#!{sys.executable}
import sys
words = sys.argv[1:]
if "--log" in words:
    iterations = int(words[words.index("-i") + 1])
    rows = f"iteration,wall_s\\n0,0\\n{{iterations}},{{ONCE + iterations * ONE}}\\n"
    open(words[words.index("--log") + 1], "w").write(rows)
print(*words)
"""


@pytest.mark.parametrize(
    ("once_s", "one_s", "iterations"),
    [(0, 1e-3, 1000), (0, 0.01, 100), (0, 5.0, 4), (0.05, 1e-3, 911)],
)
def test_runs_for_a_second(tmp_path, once_s, one_s, iterations):
    """And at least four iterations. In a short run, what happens once counts too much."""
    program = tmp_path / "naive"
    program.write_text(PROGRAM.replace("ONCE", str(once_s)).replace("ONE", str(one_s)))
    program.chmod(0o755)
    command = profiling_command(program, 50, double=True)
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert output == f"-n 50 --vdt --precision double -i {iterations} --profile\n"


def test_what_went_wrong(tmp_path):
    program = tmp_path / "naive"
    program.write_text("#!/bin/sh\necho 'no NVIDIA GPU' >&2\nexit 2\n")
    program.chmod(0o755)
    with pytest.raises(LabError, match=r"^naive stopped: no NVIDIA GPU$"):
        profiling_command(program)
