"""Programs that ./lab runs: what is shown of them while they run and when they die, and which signals reach them."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from nbody_lab.core import run

ADVICE = "; look there"
TRAP = "trap 'echo {0}; exit {1}' {2}; echo ready; while :; do sleep 0.1; done"


def start(function: str, *arguments: object) -> "subprocess.Popen[str]":
    """./lab with a function of core/run.py as its command, in a group of its own as in a terminal."""
    program = (
        "import sys; from pathlib import PosixPath; from nbody_lab.core import run; "
        "from nbody_lab.core.errors import ended; "
        f"sys.exit(ended(run.{function}, *{arguments!r}))"
    )
    return subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def start_script(script: str) -> "subprocess.Popen[str]":
    return start("run_program", ["/bin/bash", "-c", script], "part1/mine", ADVICE)


@pytest.mark.parametrize(
    ("script", "status", "out", "fault"),
    [
        ("ulimit -c 0; kill -SEGV $$", 139, "", "segmentation fault (signal 11)"),
        ("exit 2", 2, "", ""),
        ("read word; echo $word", 0, "Earth\n", ""),
    ],
)
def test_only_a_fault_is_told(script: str, status: int, out: str, fault: str) -> None:
    """What is typed is the program's."""
    process = start_script(script)
    message = f"lab: part1/mine died: {fault}{ADVICE}\n" if fault else ""
    assert process.communicate("Earth\n", timeout=60) == (out, message)
    assert process.returncode == status


@pytest.mark.parametrize(
    ("send", "number", "script", "status", "out"),
    [
        (os.killpg, signal.SIGINT, TRAP.format("writes", 130, "INT"), 130, "writes\n"),
        (os.killpg, signal.SIGINT, "echo ready; exec sleep 60", 130, ""),
        (os.kill, signal.SIGTERM, TRAP.format("told", 3, "TERM"), 3, "told\n"),
    ],
)
def test_signals(send: Any, number: int, script: str, status: int, out: str) -> None:
    """Ctrl-C is answered by the program, or kills it; a kill of the lab reaches it."""
    process = start_script(script)
    assert process.stdout and process.stdout.readline() == "ready\n"
    time.sleep(0.3)  # until the program waits
    send(process.pid, number)
    assert process.communicate(timeout=60) == (out, "")
    assert process.returncode == status


def test_a_kill_reaches_a_build(tmp_path: Path) -> None:
    log, script = tmp_path / "log", TRAP.format("told", 3, "TERM")
    process = start("run_step", "building", ["bash", "-c", script], log, "/")
    while process.poll() is None and not (log.exists() and log.read_text()):
        time.sleep(0.1)
    process.terminate()
    assert process.communicate(timeout=60) == ("", "")
    assert (process.returncode, log.read_text()) == (143, "ready\ntold\n")


@pytest.mark.parametrize(
    ("work", "status"),
    [("print('x' * 100000)", 141), ("subprocess.run(['true'], input=b'x' * 1000000)", 0)],
)
def test_output_that_nobody_reads(work: str, status: int) -> None:
    """A reader that stops early is no error; a child that does not read kills nobody."""
    reading, writing = os.pipe()
    os.close(reading)
    program = "import subprocess, sys; from nbody_lab.core.errors import ended\n"
    program += f"def work(): {work}\nsys.exit(ended(work))"
    how: Any = {"stdout": writing, "stderr": subprocess.PIPE, "text": True}
    done = subprocess.run([sys.executable, "-c", program], check=False, **how)
    os.close(writing)
    assert (done.returncode, done.stderr) == (status, "")


# --- steps ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "status", "shown"),
    [
        (
            'echo "[1/4] one"; echo "[2/4] two"; sleep 3.5; echo "[4/4] four"',
            0,
            r"working \.\.\. 2/4, about [234] s left\n(?s:.*)working \.\.\. [34] s\n\Z",
        ),
        ("sleep 2.5", 0, r"working \.\.\. [12] s so far\n"),
        ('echo "[1/2] one"; exit 3', 3, r"\Aworking \.\.\. failed\n\Z"),
        ("echo 'ninja: no work to do.'", 0, r"\A\Z"),
    ],
)
def test_a_log_has_a_line_now_and_then(
    script: str,
    status: int,
    shown: str,
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(run.Step, "between_s", 1)
    log = tmp_path / "new folder/log"
    assert run.run_step("working", ["bash", "-c", f"{script}; : >&2"], log, tmp_path) == status
    error = capfd.readouterr().err
    assert re.search(shown, error), error
    assert log.exists()
