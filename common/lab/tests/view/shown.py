"""part1/naive, as ./lab view shows it."""

import contextlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator

import psutil
import pytest

from tests import BUILD

NAIVE = str(BUILD / "bin/part1/naive")
if not os.path.exists(NAIVE):
    pytest.skip("part1/naive is not built", allow_module_level=True)
PLUMMER = (NAIVE, "--scene", "plummer", "-n", "200", "-i", "1000000000000")
_VIEW = """
import asyncio, sys
from nbody_lab.core.errors import ended
from nbody_lab.view.server import show

panels, *argv = sys.argv[1:]
sys.exit(ended(lambda: asyncio.run(show([argv] * int(panels), "part1/naive"))))
"""


class Shown:
    """A lab that serves the page of one or two programs."""

    def __init__(self, *argv: str, panels: int) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", _VIEW, str(panels), *argv],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "DISPLAY": "", "WAYLAND_DISPLAY": "", "BROWSER": ""},
        )
        assert self.process.stdout
        self.address = (re.search(r"http://\S+", self.process.stdout.readline()) or [""])[0]

    def programs(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children()

    def finish(self, number: int) -> tuple[int, str]:
        """Sends a signal: the status, and what is said. No program is left running."""
        programs = self.programs()
        self.process.send_signal(number)
        _, error = self.process.communicate(timeout=60)
        _, left = psutil.wait_procs(programs, timeout=30)
        # Where no init collects what has lost its parent, as in a container, it stays a zombie.
        assert all(program.status() == psutil.STATUS_ZOMBIE for program in left)
        return self.process.returncode, error


@contextlib.contextmanager
def shown(*argv: str, panels: int = 1) -> Iterator[Shown]:
    lab = Shown(*argv, panels=panels)
    try:
        yield lab
    finally:
        if lab.process.poll() is None:
            lab.finish(signal.SIGTERM)
