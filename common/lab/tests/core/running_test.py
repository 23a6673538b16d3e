"""A child program of ./lab: its status, the message if it dies, and the signals that it handles itself."""

import os
import signal
import subprocess
import sys
import time

import pytest

ENDED = "import subprocess, sys; from nbody_lab.core.errors import ended; "
ADVICE = "; look there"


def start(script):
    """Starts this shell script as ./lab run would start a program, in its own group as in a terminal."""
    argv = ["/bin/bash", "-c", script]
    call = f"sys.exit(ended(run_and_tell, {argv!r}, 'part1/mine', {ADVICE!r}))"
    return subprocess.Popen(
        [sys.executable, "-c", f"{ENDED}from nbody_lab.core.running import run_and_tell; {call}"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


@pytest.mark.parametrize(
    ("script", "typed", "status", "out", "err"),
    [
        ("ulimit -c 0; kill -SEGV $$", "", 139, "", "segmentation fault (signal 11)"),
        ("ulimit -c 0; kill -ABRT $$", "", 134, "", "aborted (signal 6)"),
        ("exit 0", "", 0, "", ""),
        ("exit 2", "", 2, "", ""),
        ("kill -PIPE $$", "", 141, "", ""),
        ("kill -KILL $$", "", 137, "", ""),
        ("read word; echo $word", "Earth\n", 0, "Earth\n", ""),
    ],
)
def test_only_a_fault_is_told(script, typed, status, out, err):
    """What is typed is the program's."""
    process = start(script)
    message = f"lab: part1/mine died: {err}{ADVICE}\n" if err else ""
    assert process.communicate(typed, timeout=60) == (out, message)
    assert process.returncode == status


@pytest.mark.parametrize(
    ("send", "number", "script", "status", "out"),
    [
        (
            os.killpg,
            signal.SIGINT,
            "trap 'echo writes; exit 130' INT; echo ready; while :; do sleep 0.1; done",
            130,
            "writes\n",
        ),
        (os.killpg, signal.SIGINT, "echo ready; exec sleep 60", 130, ""),
        (
            os.kill,
            signal.SIGTERM,
            "trap 'echo told; exit 3' TERM; echo ready; while :; do sleep 0.1; done",
            3,
            "told\n",
        ),
    ],
    ids=["Ctrl-C is answered by the program", "or kills it", "a kill of the lab reaches it"],
)
def test_signals(send, number, script, status, out):
    process = start(script)
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.3)  # until the program waits
    send(process.pid, number)
    assert process.communicate(timeout=60) == (out, "")
    assert process.returncode == status


@pytest.mark.parametrize(
    ("work", "statuses", "err"),
    [
        ("print('x' * 100000)", (141,), ""),
        (
            "subprocess.run(['true'], input=b'x' * 1000000, check=False); print('on', file=sys.stderr)",
            (0,),
            "on\n",
        ),
        (
            "from nbody_lab.core.running import replace_by; replace_by(['/bin/sh', '-c', 'echo a; echo b >&2'])",
            (-13, 141),
            None,
        ),
    ],
    ids=[
        "a reader that stops early is no error",
        "a child that does not read kills nobody",
        "a program that takes over dies of it as usual",
    ],
)
def test_output_that_nobody_reads(work, statuses, err):
    reading, writing = os.pipe()
    os.close(reading)
    program = f"{ENDED}\ndef work(): {work}\nsys.exit(ended(work))"
    done = subprocess.run(
        [sys.executable, "-c", program],
        stdout=writing,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(writing)
    assert done.returncode in statuses
    assert done.stderr == err if err is not None else "Broken pipe" not in done.stderr
