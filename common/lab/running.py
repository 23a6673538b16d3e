"""Programs and modules that ./lab hands over to."""

import importlib
import os
import signal
import subprocess
import sys

from messages import say, stop

FAULTS = {signal.SIGSEGV: "segmentation fault", signal.SIGBUS: "bus error", signal.SIGFPE: "arithmetic error, such as a division by 0",
          signal.SIGILL: "illegal instruction", signal.SIGABRT: "aborted"}  # those of its own making; others have killed it
PASSED_ON = (signal.SIGTERM, signal.SIGHUP)


def run_program(words, become=True):
    """In place of this process, or below it; then its status."""
    words = [str(word) for word in words]
    sys.stdout.flush()
    if not become:
        with subprocess.Popen(words) as process:
            return status_of(process)
    try:
        os.execv(words[0], words)
    except OSError as fault:
        stop(f"{words[0]}: {fault.strerror}")


def run_python(python, program, *words):
    """Status of a program of the lab's in another Python. While that starts, Ctrl-C waits until the program can end
    without a traceback (leave_words_to_caller of messages.py)."""
    sys.stdout.flush()
    blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    with subprocess.Popen([str(word) for word in (python, program, *words)]) as process:
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        return status_of(process)


def run_and_tell(words, name, advice):
    """A program below this process, which from now on only waits; its status. One line says which fault it died of."""
    sys.stdout.flush()
    # Ctrl-C reaches the program as well, and is its to answer. A handler, and no SIG_IGN, which it would inherit.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, lambda *_: None)
    with subprocess.Popen([str(word) for word in words]) as process:
        for number in PASSED_ON:
            if signal.getsignal(number) is signal.SIG_DFL:  # nohup ignores one
                signal.signal(number, lambda number, _: process.send_signal(number))
        status = status_of(process)
    number = status - 128
    if number in FAULTS:
        say(f"{name} died: {FAULTS[number]} (signal {number:d}){advice}")
    return status


def wait_asleep():
    """Threads of OpenMP that have nothing to do sleep, in what is started from here. The checker's would spin while it
    waits for answers, and take half of the processor. Not for what is timed: to wake them takes longer."""
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")


def status_of(process):
    """As a shell says it; Ctrl-C reaches the process as well, and it is given the time to end."""
    try:
        status = process.wait()
    except KeyboardInterrupt:
        process.wait()
        raise
    return status if status >= 0 else 128 - status


def run_tool(name, *words):
    """A module of this folder, by its main(): its status."""
    sys.stdout.flush()
    return importlib.import_module(name).main([str(word) for word in words])
