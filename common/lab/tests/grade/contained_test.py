"""How others start a contained program, that it ends with them, and what it can do with its input."""

import os
import shlex
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from nbody_lab import ROOT
from nbody_lab.grade.bubblewrap import FOLDERS, Access, Bubblewrap
from nbody_lab.grade.contained import Contained
from nbody_lab.grade.isolation import Isolation, choose
from nbody_lab.grade.limits import RUN, Allowance, Groups
from nbody_lab.grade.watch import is_running, owner_is_running, owner_name, tree_below
from tests.grade.attacks_for_tests import SECRET, SMALL

slow = pytest.mark.slow


def comes_true(condition, wait_s=20):
    end = time.monotonic() + wait_s
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return bool(condition())


# --- started by the checker or the clock ---


@slow
def test_words_keep_the_pipes_and_hide_the_environment(sandbox):
    """The sandbox's first process may belong to the same user as the program."""
    for words, data, wanted in (
        (["cat"], b"\0binary\n" * 100_000, b"\0binary\n" * 100_000),
        (["sh", "-c", "cat /proc/*/environ | grep -c LAB_TEST"], b"", b"0\n"),
    ):
        done = subprocess.run(
            sandbox.words(*words),
            input=data,
            capture_output=True,
            check=False,
            env={**os.environ, "LAB_TEST_SECRET": SECRET},
        )
        assert done.stdout == wanted


@slow
def test_a_simulator_reaches_its_socket(sandbox):
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listener:
        path = f"{folder}/socket"
        listener.bind(path)
        os.chmod(path, 0o666)
        listener.listen(1)
        listener.settimeout(60)
        words = sandbox.words(sandbox.inside, "answer", serves=True)
        words = [path if word == "SOCKET" else word for word in words]
        with subprocess.Popen(words) as process, listener.accept()[0] as connection:
            assert connection.recv(5) == b"hello"
        assert process.returncode == 0


_CALLER = "import subprocess, sys; subprocess.run(sys.argv[1:])"


@slow
@pytest.mark.parametrize("start", [[], [sys.executable, "-c", _CALLER]])
def test_it_dies_with_its_first_process_and_with_its_caller(sandbox, start):
    words = [*start, *sandbox.words(sandbox.inside, "sleep")]
    with subprocess.Popen(words, stdin=subprocess.PIPE) as process:
        assert comes_true(lambda: sandbox.running("sleep", below=process.pid))
        inside = tree_below(process.pid)
        process.kill()
    assert comes_true(lambda: not any(map(is_running, inside)))


def ask(sandbox, attack, seconds=60, budget=60):
    """An attack from a shell in place of the checker, on a host without cgroups. RUN keeps the kernel's own limits far
    away."""
    with Isolation(sandbox.isolation.builder, Groups(Path("/no/proc"))) as isolation:
        words = sandbox.words(sandbox.inside, attack, isolation=isolation, limits=RUN)
        script = f"{shlex.join(words)}; echo the checker goes on"
        allowance = Allowance(isolation.to_watch(SMALL), budget)
        return allowance.run(["/bin/sh", "-c", script], seconds)


@slow
@pytest.mark.parametrize(
    ("attack", "why"), [("memory_of_many", "too much memory"), ("many", "too many processes")]
)
def test_the_watcher_holds_what_no_cgroup_holds(sandbox, attack, why):
    status, said, told = ask(sandbox, attack)
    assert (status, said.splitlines()[-1:], told) == (0, ["the checker goes on"], why)
    assert sandbox.running(attack) == []


@slow
@pytest.mark.parametrize(
    ("limits", "why"),
    [
        ({"seconds": 1}, "it was stopped after"),
        ({"budget": 1}, "it was not done in 1 s of wall time"),
        ({"budget": 0}, "it was not done in 0 s of wall time"),
    ],
)
def test_time_that_is_used_up(sandbox, limits, why):
    status, _, told = ask(sandbox, "sleep", **limits)
    assert status is None and told.startswith(why)
    assert comes_true(lambda: not sandbox.running("sleep"))


_GRADER = """
import shlex, sys, threading
from pathlib import Path
from nbody_lab.grade.bubblewrap import Access
from nbody_lab.grade.isolation import choose
from nbody_lab.grade.limits import RUN, Allowance
root, program, inside = sys.argv[1:]
isolation, access, sleep = choose(Path(root)), Access([(program, inside)]), [inside, "sleep"]
threading.Thread(target=isolation.run, args=(sleep, RUN, access)).start()
checker = shlex.join(isolation.words(sleep, RUN, access)) + "; echo checked"
Allowance(None, 60).run(["/bin/sh", "-c", checker], 60)
"""


@slow
def test_a_killed_grader_leaves_nothing(sandbox):
    """No program that it started runs on; the next start removes its groups and folders."""
    words = [sys.executable, "-c", _GRADER, ROOT, sandbox.program, sandbox.inside]
    with subprocess.Popen(words) as grader:
        assert comes_true(lambda: len(sandbox.running("sleep", below=grader.pid)) == 2)
        started, owner = tree_below(grader.pid), owner_name(grader.pid)
        grader.kill()
    assert comes_true(lambda: not any(map(is_running, started)))
    with choose(ROOT):
        assert "ended" not in owner
        places = [
            *((folder, f"{FOLDERS}{owner}_*") for folder in [Path(tempfile.gettempdir())]),
            *((folder, f"lab_grade_{owner}_*") for folder in [Groups().place] if folder),
        ]
        assert [list(folder.glob(pattern)) for folder, pattern in places] == [[]] * len(places)


def test_a_number_that_came_again_owns_nothing():
    """As in a container that is started again."""
    assert owner_is_running(owner_name())
    assert not owner_is_running(f"{os.getpid()}-1")
    assert not owner_is_running(owner_name(1 << 30))


# --- its input ---


@pytest.mark.parametrize(
    "change",
    ["echo more >&0", "echo more >>/dev/stdin", ": >/dev/stdin", "truncate -s 9M /dev/stdin"],
)
def test_it_cannot_change_its_input(change):
    """Nobody counts what it would write there."""
    script = f"({change}) 2>/dev/null && exit 1; chmod 666 /dev/stdin; ({change}) || cat"
    ended = Contained(["/bin/sh", "-c", script], RUN, b"given").run()
    assert (ended.status, ended.stdout) == (0, b"given")


@pytest.mark.parametrize("options", ["", "--size"])
def test_an_old_bubblewrap_starts_too(options):
    """Without the option it would end at once: then there is no /tmp rather than one without a limit."""
    try:
        builder = Bubblewrap("true", as_root=False)
    except OSError as reason:
        pytest.skip(str(reason))
    builder.options = options
    words = builder.words(["true"], RUN, Access(ranks=True))
    assert words.count("--size") == words.count("--tmpfs") == (2 if options else 0)
