"""Does the sandbox limit what a program takes, hide what it must not see, and leave nothing behind? Tiny hostile programs try."""

import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from nbody_lab import ROOT
from nbody_lab.core.errors import LabError
from nbody_lab.grade import sandbox
from nbody_lab.grade.sandbox import MB, Ended, Limits, Sandbox, require_isolation, run_beside
from tests import write_files

SMALL = Limits(
    wall_s=20, cpu_s=10, memory_bytes=128 * MB, processes=24, file_bytes=4 * MB, output_bytes=65536
)
SECRET = "the reference answers"
SLEEP = f"sleep {90000 + os.getpid()}"  # unique, so that parallel tests only find their own
ATTACKS = {
    "spin_four": "trap '' XCPU; for k in 1 2 3 4; do (while :; do :; done) & done; wait",
    "sleep": f"trap '' TERM; {SLEEP}; :",
    # Each process is within its limit, all together exceed it.
    "memory_of_many": f"""for k in 1 2 3 4 5; do
        (head -c 40000000 /dev/zero; {SLEEP}) | tail -c 40000000 >/dev/null &
        done; wait""",
    "many": f"for k in $(seq 40); do {SLEEP} & done; wait",
    "forks": f"f() {{ {SLEEP} & f | f & }}; f; sleep 1",
    "big_file": "exec head -c 9000000 /dev/zero >big",
    "output": "exec yes passed",
    "daemon": f"setsid {SLEEP} & exit",
}


def running():
    """The processes that sleep."""
    return [
        one
        for one in psutil.process_iter(["cmdline", "status"])
        if one.info["cmdline"] == SLEEP.split() and one.info["status"] != psutil.STATUS_ZOMBIE
    ]


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """With a secret; any user may enter it."""
    with tempfile.TemporaryDirectory(prefix="lab_attacks_") as name:
        Path(name).chmod(0o755)
        try:
            require_isolation(ROOT)
        except LabError as reason:
            pytest.skip(str(reason))
        write_files(Path(name), {"secret": SECRET, "work/x": ""})
        Path(name, "secret").chmod(0o666)  # what keeps it is the sandbox
        yield Path(name)


@pytest.fixture
def attack(folder):
    """In a folder that it may write to, which no student's program has."""

    def attack(name: str, **limits: float) -> Ended:
        sandbox = Sandbox(SMALL._replace(**limits), writable=[(folder / "work", "/work")])
        return sandbox.run(["/bin/sh", "-c", f"cd /work; {ATTACKS[name]}"])

    return attack


@pytest.fixture
def shell(folder):
    return lambda script, **more: Sandbox(SMALL, [(folder / "secret", "/w/given")], **more).run(
        ["/bin/sh", "-c", script]
    )


slow = pytest.mark.slow


def comes_true(condition, wait_s=20):
    end = time.monotonic() + wait_s
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return bool(condition())


@slow
@pytest.mark.parametrize(
    ("name", "limits", "why"),
    [
        ("sleep", {"wall_s": 0.5}, "wall time"),
        ("spin_four", {"cpu_s": 1, "wall_s": 200}, "cpu time"),
        ("memory_of_many", {}, "memory"),
        ("big_file", {}, "files"),
        ("output", {}, "output"),
    ],
)
def test_what_takes_too_much_is_stopped(folder, attack, name, limits, why):
    ended = attack(name, **limits)
    assert ended.why == why, ended
    assert len(ended.stdout) <= SMALL.output_bytes
    assert all(file.stat().st_size <= SMALL.file_bytes for file in (folder / "work").iterdir())


@slow
@pytest.mark.parametrize("name", ["daemon", "forks"])
def test_nothing_is_left_running(attack, name):
    assert attack(name, wall_s=2).why in ("", "wall time")
    assert comes_true(lambda: running() == [], wait_s=1)


@slow
@pytest.mark.parametrize(
    ("script", "seen"),
    [
        ("cat {secret} {root}/lab 2>/dev/null", ""),
        ("ls / | grep -vxE 'bin|dev|etc|lib(32|64|x32)?|proc|sbin|tmp|usr|w'", ""),
        ("env | cut -d= -f1 | grep -vxE 'PATH|HOME|LC_ALL|PWD|_'", ""),
        ("cat /proc/*/environ 2>/dev/null | grep -c LAB_TEST", "0\n"),
        ("echo x >>/w/given && echo written", ""),
        ("ls /proc/self/fd | wc -l", "4\n"),  # the last is that of the list
    ],
)
def test_what_a_shell_sees(folder, shell, monkeypatch, script, seen):
    monkeypatch.setenv("LAB_TEST_SECRET", SECRET)
    script = script.replace("{secret}", str(folder / "secret")).replace("{root}", str(ROOT))
    with (folder / "secret").open() as file:
        os.set_inheritable(file.fileno(), True)
        assert shell(script).stdout == seen


@slow
def test_ranks_share_memory_that_is_limited(shell):
    """Of two files that fit, each alone, the second does not."""
    half = "head -c 3000000 /dev/zero >/dev/shm/{}"
    script = f"grep -c : /proc/net/dev && {half.format(1)} && {{ {half.format(2)} || echo full; }}"
    assert shell(script, ranks=True).stdout == "1\nfull\n"


def test_without_bubblewrap_nothing_runs(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(LabError, match=r"bubblewrap only: \./lab setup --grading"):
        require_isolation(ROOT)


@slow
@pytest.mark.parametrize(
    ("system", "told"),
    [
        ("--ro-bind / / --proc /proc --dev /dev", "it leaks here: .*it reads /etc/passwd"),
        ("--bind /no/such/folder /", "bubblewrap did not start: bwrap: Can't find source path"),
    ],
)
def test_a_sandbox_that_leaks_or_does_not_start_is_found(folder, monkeypatch, system, told):
    require_isolation(ROOT)
    monkeypatch.setattr(Sandbox, "_system", lambda _: system.split())
    with pytest.raises(LabError, match=told):
        require_isolation(ROOT)


@slow
@pytest.mark.parametrize(
    ("name", "why", "said"),
    [
        ("memory_of_many", "memory", "the checker goes on\n"),
        ("many", "processes", "the checker goes on\n"),
        ("sleep", "wall time", ""),
    ],
)
def test_what_the_checker_starts_is_watched(folder, name, why, said):
    """The kernel's own limits are far away."""
    few = SMALL._replace(processes=12)
    words = shlex.join([*Sandbox(Limits()).launcher(), "/bin/sh", "-c", ATTACKS[name]])
    ended = run_beside(["/bin/sh", "-c", f"{words}; echo the checker goes on"], 5, few)
    assert (ended.why, ended.stdout) == (why, said)
    assert comes_true(lambda: running() == [])


@slow
def test_where_the_machine_runs_out_of_memory_nobody_is_to_blame(attack, monkeypatch):
    """Such as by files in memory, which no process seems to use."""
    monkeypatch.setattr(sandbox, "_LEAST_MEMORY", 1.0)
    with pytest.raises(MemoryError):
        attack("sleep")
    assert comes_true(lambda: running() == [])


_GRADER = """
import shlex, sys, threading
from nbody_lab.core.errors import ended
from nbody_lab.grade import sandbox
from nbody_lab.grade.sandbox import Limits, Sandbox, run_beside
sandbox = Sandbox(Limits())
threading.Thread(target=sandbox.run, args=[sys.argv[1:]], daemon=True).start()
checker = shlex.join([*sandbox.launcher(), *sys.argv[1:]]) + "; echo checked"
sys.exit(ended(run_beside, ["/bin/sh", "-c", checker], 60))
"""


@slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_grader_that_is_stopped_leaves_nothing(folder, number):
    with subprocess.Popen([sys.executable, "-c", _GRADER, *SLEEP.split()]) as grader:
        assert comes_true(lambda: len(running()) == 2)
        started = psutil.Process(grader.pid).children(recursive=True)
        grader.send_signal(number)
    assert len(started) > 4
    assert comes_true(lambda: not any(one.is_running() for one in started))


@slow
@pytest.mark.skipif(
    os.geteuid() != 0 or not shutil.which("setpriv"), reason="only root can become another user"
)
def test_all_of_it_without_rights():
    """As another user, whose number is unique: the kernel counts processes per user, and tests run in parallel."""
    site = Path(pytest.__file__).parents[1]
    packages = [ROOT / "common/lab/src", ROOT / "common/lab", site]
    python = next(filter(os.path.exists, ("/usr/bin/python3", sys.executable)))
    user = ["setpriv", f"--reuid={60001 + os.getpid() % 1000}", "--regid=65534", "--clear-groups"]
    tests = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "addopts=", __file__]
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": os.pathsep.join(map(str, packages))}
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)
        environment["TMPDIR"] = folder
        done = subprocess.run(
            [*user, *tests], capture_output=True, text=True, check=False, cwd="/", env=environment
        )
    if "Permission denied" in done.stderr or "No module named" in done.stderr:
        pytest.skip("that user may not read this folder")
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
