"""What the tests watch: part1/naive, as ./lab starts it."""

import contextlib
import os
import re
import signal
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

# A program with a million bodies, whose first state is the last.
MILLION = (
    sys.executable,
    "-c",
    """
import json, os, socket
viewer = socket.socket(socket.AF_UNIX)
viewer.connect(os.environ["LAB_VIEWER"])
n = 1_000_000
what = {"part": "part1", "name": "many", "precision": "float", "bodies": n, "iterations": 0}
state = {"iteration": 0, "time": "0", "interactions_per_s": 0, "energy_error": None,
         "accelerations": False, "finite": True, "last": True, "columns": 4}
for header, columns in (({"viewer": 1, **what, "columns": 1}, 1), (state, 4)):
    viewer.sendall(json.dumps(header).encode() + b"\\n" + bytes(4 * columns * n))
""",
)

_VIEW = """
import sys
import nbody_lab.view.server as server
from nbody_lab.core.errors import ended
from nbody_lab.view.look import Look
from nbody_lab.view.show import show_run, show_view
from nbody_lab.view.until_signal import run_until_signal

what, panels, patience_s, *argv = sys.argv[1:]
server._LAST_PATIENCE_S = float(patience_s)

def view():
    if what == "view":
        run_until_signal(show_view([argv] * int(panels), "part1/naive", Look(), ("127.0.0.1", 0)))
    else:
        return run_until_signal(show_run(argv, "part1/naive", "", Look(), ("127.0.0.1", 0)))

sys.exit(ended(view))
"""


class Shown:
    """A lab that serves the page of one or two programs."""

    def __init__(self, *argv: str, panels: int, what: str, browser: str, patience_s: float) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", _VIEW, what, str(panels), str(patience_s), *argv],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env={**os.environ, "DISPLAY": "", "WAYLAND_DISPLAY": "", "BROWSER": browser},
        )
        stream = self.process.stdout if what == "view" else self.process.stderr
        assert stream
        self.address = (re.search(r"http://\S+", stream.readline()) or [""])[0]

    def children(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)

    def program(self) -> psutil.Process:
        return next(child for child in self.children() if child.name().startswith("naive"))

    def finish(self, number: int = signal.SIGINT) -> tuple[int, str]:
        """Sends a signal. (status, what was left to read on standard error); nothing is left running."""
        children = self.children()
        self.process.send_signal(number)
        return self.wait(children)

    def wait(self, children: list[psutil.Process] | None = None) -> tuple[int, str]:
        _, error = self.process.communicate(timeout=60)
        until = time.monotonic() + 30
        while not all(map(has_ended, children or [])):
            assert time.monotonic() < until, "a program still runs"
            time.sleep(0.05)
        return self.process.returncode, error


def has_ended(process: psutil.Process) -> bool:
    """Also where no init collects what has lost its parent, as in a container."""
    try:
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


@contextlib.contextmanager
def shown(
    *argv: str, panels: int = 1, what: str = "view", browser: str = "", patience_s: float = 10
) -> Iterator[Shown]:
    """`patience_s`: with pages, until they have the last state."""
    lab = Shown(*argv, panels=panels, what=what, browser=browser, patience_s=patience_s)
    try:
        yield lab
    finally:
        with contextlib.suppress(psutil.NoSuchProcess):
            for child in lab.children():
                child.kill()
        lab.process.kill()
        lab.process.wait()
