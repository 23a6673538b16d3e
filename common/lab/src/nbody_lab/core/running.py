"""Runs programs and modules for ./lab."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, NoReturn

from nbody_lab.core.errors import LabError, say

FAULTS = {
    signal.SIGSEGV: "segmentation fault",
    signal.SIGBUS: "bus error",
    signal.SIGFPE: "arithmetic error, such as a division by 0",
    signal.SIGILL: "illegal instruction",
    signal.SIGABRT: "aborted",
}  # others come from outside


def replace_by(words: Sequence[object]) -> NoReturn:
    """Replaces this process by the program. Raises OSError."""
    sys.stdout.flush()
    signal.signal(
        signal.SIGPIPE, signal.SIG_DFL
    )  # Python ignores it, and the program would inherit that
    os.execv(str(words[0]), [str(word) for word in words])


def run_program(words: Sequence[object], become: bool = True, **popen: Any) -> int:
    """Replaces this process by the program, or runs it as a child (`popen`: how) and returns its status."""
    argv = [str(word) for word in words]
    sys.stdout.flush()
    if not become:
        with subprocess.Popen(argv, **popen) as process:
            return status_of(process)
    try:
        replace_by(argv)
    except OSError as error:
        raise LabError(f"{argv[0]}: {error.strerror}") from error


def capture(*words: object, **how: Any) -> "subprocess.CompletedProcess[str]":
    """Runs a tool and returns its status and what it writes, in English. `how`: more for subprocess.run()."""
    return subprocess.run(
        [str(word) for word in words],
        env={**os.environ, "LC_ALL": "C", **how.pop("environment", {})},
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        check=False,
        **how,
    )


def last_line(messages: str, status: int) -> str:
    """What a program that stopped says of the reason; else its status."""
    return (messages.strip().splitlines() or [f"status {status}"])[-1]


def output_of(whose: str, *words: object) -> str:
    """What a program prints. Raises LabError if it stops."""
    done = capture(*words)
    if done.returncode != 0:
        raise LabError(f"{whose} stopped: {last_line(done.stderr, done.returncode)}")
    return done.stdout


def result_of(words: Sequence[object], file: Path | str, **environment: str) -> Any:
    """The JSON that a program for a part, such as bin/check part1 ..., writes to `file`. Shows its progress and
    complaints."""
    argv = [str(word) for word in (*words, "--progress", "--json", file)]
    how = {**environment, **os.environ}
    with (
        subprocess.Popen(
            argv, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=how
        ) as process,
        _progress_of(process, f"{Path(argv[0]).name} {argv[1]}"),
    ):
        status = status_of(process)
    if not Path(file).exists():
        raise SystemExit(status or 2)
    return json.loads(Path(file).read_text(encoding="utf-8"))


def run_and_tell(words: Sequence[object], name: str, advice: str, label: str = "") -> int:
    """Runs a program as a child and returns its status. One line names the fault that killed it. With a label, shows its
    progress."""
    argv = [str(word) for word in words]
    sys.stdout.flush()
    with subprocess.Popen(argv, stderr=subprocess.PIPE if label else None) as process:
        before = signal.signal(signal.SIGTERM, lambda *_: process.terminate())
        try:
            with _progress_of(process, label):
                status = status_of(process)
        except KeyboardInterrupt:  # the program gets it, too, and keeps what it has
            status = status_of(process)
        finally:
            signal.signal(signal.SIGTERM, before)
    tell_fault(name, status, advice)
    return status


def _progress_of(process: "subprocess.Popen[bytes]", label: str) -> AbstractContextManager[None]:
    if not label:
        return nullcontext()
    from nbody_lab.core.steps import hearing

    return hearing(process, label)


def tell_fault(name: str, status: int, advice: str) -> None:
    """Names the fault that a status of a shell stands for, also where a launcher of MPI passes it on."""
    number = status - 128
    if number in FAULTS:
        say(f"{name} {how_it_died(number)}{advice}")


def how_it_died(number: int) -> str:
    """By which signal."""
    name = signal.Signals(number)
    return f"died: {FAULTS.get(name, name.name)} (signal {number:d})"


# Idle OpenMP threads of the checker and of checked programs would spin for milliseconds while the other side works, and
# take half of the processor. With a policy "passive" they would never spin, and each region would start so late in all
# threads but one that races hide. So they spin for some microseconds: of the libraries of g++ and clang.
SHORT_SPINS = {"GOMP_SPINCOUNT": "10000", "KMP_BLOCKTIME": "1"}


def spin_shortly() -> None:
    """For every program started from here. Not for timed programs: waking up takes longer."""
    for name, value in SHORT_SPINS.items():
        os.environ.setdefault(name, value)


def status_of(process: "subprocess.Popen[Any]") -> int:
    """The status as a shell reports it. After Ctrl-C, which the process gets too, waits for its end."""
    try:
        status = process.wait()
    except KeyboardInterrupt:
        process.wait()
        raise
    return status if status >= 0 else 128 - status
