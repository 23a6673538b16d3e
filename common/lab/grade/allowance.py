"""What the programs of one part of a submission may take, while they are built and the lab's own check and clock ask them."""

import contextlib
import os
import subprocess
import time

from grade.limits import too_much
from grade.watch import kill_tree, watching

BUDGET_S = 120  # wall time for one part of a submission: building, counts, checks and timings; docs/instructor.md tells it
USED_UP = f"the submission used up its {BUDGET_S} s"


class Allowance:
    """`limits`: of each program and all that it started, where no cgroup holds them; else None."""

    def __init__(self, limits=None, seconds=BUDGET_S):
        self.limits, self.end = limits, time.monotonic() + seconds

    def left(self):
        """Seconds."""
        return max(0.0, self.end - time.monotonic())

    def run(self, words, seconds):
        """(status, output, why) of a program of this lab. `why`: "", "too much memory" or another limit that a program it
        asks has met, USED_UP, or "it was stopped after 40 s", its `seconds`. Status None: it was stopped."""
        least = min(seconds, self.left())
        if not least:
            return None, "", USED_UP
        watch = watching if self.limits else no_watching
        with subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              start_new_session=True, env={**os.environ, "OMP_WAIT_POLICY": "passive"}) as process:
            try:
                with watch(process.pid, self.limits) as whys:
                    said = process.communicate(timeout=least)[0].decode("utf-8", "replace")
                return process.returncode, said, too_much(whys[0]) if whys else ""
            except subprocess.TimeoutExpired:
                return None, "", USED_UP if least < seconds else f"it was stopped after {seconds} s"
            finally:
                if process.poll() is None:
                    kill_tree(process.pid)


@contextlib.contextmanager
def no_watching(*_):
    yield []
