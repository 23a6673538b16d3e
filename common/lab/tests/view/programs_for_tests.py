"""What the tests watch: part1/naive, as ./lab starts it."""

import contextlib
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator

import psutil
import pytest

from tests import BUILD

NAIVE = BUILD / "bin/part1/naive"
if not NAIVE.exists():
    pytest.skip("part1/naive is not built", allow_module_level=True)
ENDLESS = ("-i", "1000000000000")
PLUMMER = (str(NAIVE), "--scene", "plummer", "-n", "200")
_VIEW = """
import sys
from nbody_lab.core.errors import ended
from nbody_lab.view.look import Look
from nbody_lab.view.show import show_run, show_view
from nbody_lab.view.until_signal import run_until_signal

what, panels, *argv = sys.argv[1:]

def view():
    if what == "view":
        run_until_signal(show_view([argv] * int(panels), "part1/naive", Look(), ("127.0.0.1", 0)))
    else:
        return run_until_signal(show_run(argv, "part1/naive", "", Look(), ("127.0.0.1", 0)))

sys.exit(ended(view))
"""


class Shown:
    """A lab that serves the page of one or two programs."""

    def __init__(self, *argv: str, panels: int, what: str, browser: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", _VIEW, what, str(panels), *argv],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env={**os.environ, "DISPLAY": "", "WAYLAND_DISPLAY": "", "BROWSER": browser},
        )
        stream = self.process.stdout if what == "view" else self.process.stderr
        assert stream
        self.address = (re.search(r"http://\S+", stream.readline()) or [""])[0]

    def programs(self) -> list[psutil.Process]:
        children = psutil.Process(self.process.pid).children(recursive=True)
        return [child for child in children if child.name().startswith("naive")]

    def finish(self, number: int, everyone: bool = False) -> tuple[int, str]:
        """Sends a signal, to everyone as a terminal does. (status, what was left to read on standard error); no program
        is left running."""
        programs = self.programs()
        (os.killpg if everyone else os.kill)(self.process.pid, number)
        _, error = self.process.communicate(timeout=60)
        until = time.monotonic() + 30
        while not all(map(_has_ended, programs)):
            assert time.monotonic() < until, "a program still runs"
            time.sleep(0.05)
        return self.process.returncode, error


def _has_ended(process: psutil.Process) -> bool:
    """Also where no init collects what has lost its parent, as in a container."""
    try:
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


@contextlib.contextmanager
def shown(*argv: str, panels: int = 1, what: str = "view", browser: str = "") -> Iterator[Shown]:
    lab = Shown(*argv, panels=panels, what=what, browser=browser)
    try:
        yield lab
    finally:
        with contextlib.suppress(psutil.NoSuchProcess):
            for program in lab.programs():
                program.kill()
        lab.process.kill()
        lab.process.wait()
