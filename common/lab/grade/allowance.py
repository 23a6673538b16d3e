"""Time and memory limits for one part of a submission: for building and for all programs of the lab that run the
student's code."""

import contextlib
import os
import subprocess
import time

from grade.limits import too_much
from grade.watch import kill_tree, watching

# Wall time for one part of a submission: building, checks, counts and timings; docs/instructor/README.md states it. A
# correct row takes ten seconds, so there is room for many.
BUDGET_S, MORE_S = 120, 15  # for the first row; for each further one


def budget_of(rows):
    return BUDGET_S + MORE_S * max(0, rows - 1)


class Allowance:
    """`limits`: of each program with all its children, or None if a cgroup enforces them. `seconds`: the total, of
    which `used_s` are already used. `used_up`: the message once nothing is left."""

    def __init__(self, limits, seconds, used_s=0.0):
        self.limits, self.seconds, self.start = limits, seconds, time.monotonic() - used_s
        self.used_up = f"the submission used up its limit of {seconds} s"

    def used(self):
        return time.monotonic() - self.start

    def left(self):
        return max(0.0, self.seconds - self.used())

    def run(self, words, seconds):
        """(status, output, why) of a program of the lab. `why`: "", "too much memory" or another limit that a student's
        program exceeded, `used_up`, or "it was stopped after 40 s" (`seconds`). The status is None if it was stopped.
        """
        least = min(seconds, self.left())
        if not least:
            return None, "", self.used_up
        watch = watching if self.limits else no_watching
        with subprocess.Popen([str(word) for word in words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              start_new_session=True, env={**os.environ, "OMP_WAIT_POLICY": "passive"}) as process:
            try:
                with watch(process.pid, self.limits) as whys:
                    said = process.communicate(timeout=least)[0].decode("utf-8", "replace")
                return process.returncode, said, too_much(whys[0]) if whys else ""
            except subprocess.TimeoutExpired:
                return None, "", self.used_up if least < seconds else f"it was stopped after {seconds} s"
            finally:
                if process.poll() is None:
                    kill_tree(process.pid)


@contextlib.contextmanager
def no_watching(*_):
    yield []
