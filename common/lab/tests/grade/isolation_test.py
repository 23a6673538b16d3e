"""Does the sandbox limit what a program takes, hide what it must not see, and clean up after it?"""

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest

from nbody_lab import ROOT
from nbody_lab.core.errors import LabError
from nbody_lab.grade.bubblewrap import explain_refusal
from nbody_lab.grade.isolation import Isolation, _find_leak, choose
from nbody_lab.grade.limits import COMPILE, RUN, Group, Groups, find_place
from nbody_lab.grade.watch import owner_name
from tests.grade.attacks_for_tests import FAMILIES, SECRET, SMALL, SUM_OF_RANKS

slow = pytest.mark.slow

# --- what it takes ---


@slow
def test_an_honest_program(sandbox):
    """It gets its input and environment, and writes where it may; the output is told to the byte."""
    script = "cat; echo to $OMP_NUM_THREADS >&2; echo written >result; exit 5"
    ended = sandbox.shell(script, input=b"said " * 5000, environment={"OMP_NUM_THREADS": 3})
    assert (ended.status, ended.why) == (5, "")
    assert (ended.stdout, ended.stderr) == (b"said " * 5000, b"to 3\n")
    result = sandbox.work / "result"
    assert (result.read_text(), result.stat().st_uid) == ("written\n", os.getuid())
    ended = sandbox.shell("kill -SEGV $$")
    assert (ended.status, ended.why) == (139, "")


@slow
@pytest.mark.parametrize(
    ("attack", "limits", "why"),
    [
        ("sleep", {"wall_s": 0.5}, "wall time"),
        ("spin", {"cpu_s": 1, "wall_s": 200}, "cpu time"),
        ("spin_four", {"cpu_s": 1, "wall_s": 200}, "cpu time"),
        ("memory", {}, "memory"),
        ("memory_of_many", {}, "memory"),
        ("big_file", {}, "files"),
        ("many_files", {}, "files"),
        ("output", {}, "output"),
        ("output_at_once", {}, "output"),
    ],
)
def test_what_takes_too_much_is_stopped(sandbox, attack, limits, why):
    """The processes of "many" and "four" are within the limit one by one, and exceed it together."""
    ended = sandbox.attack(attack, **limits)
    assert ended.why == why, ended
    assert len(ended.stdout) <= SMALL.output_bytes
    assert all(file.stat().st_size <= SMALL.file_bytes for file in sandbox.work.iterdir())


@slow
@pytest.mark.parametrize(
    ("attack", "most"), [("fork_count", 150), ("threads", 150), ("open_files", 130)]
)
def test_counts_are_limited(sandbox, attack, most):
    """Each would take 500 or more."""
    assert 5 < int(sandbox.attack(attack).stdout) < most


@slow
@pytest.mark.parametrize("attack", ["daemon", "memory_of_many", "forks"])
def test_nothing_is_left_running(sandbox, attack):
    start = time.monotonic()
    sandbox.attack(attack, wall_s=2)
    assert time.monotonic() - start < 15
    assert sandbox.running(attack) == []


# --- what it sees ---


CALLS = """user_namespace clone_user trace shared_memory memory_file freeze_parent privileges follow_files
    handle_of_process reserve_disk""".split()
OF_RANKS = ("AF_INET", "AF_INET6", "AF_NETLINK")  # their network is the sandbox's own loopback


@slow
@pytest.mark.parametrize("attack", [*CALLS, *FAMILIES])
@pytest.mark.parametrize("ranks", [False, True], ids=["alone", "of ranks"])
def test_a_call_is_refused(sandbox, attack, ranks):
    ended = sandbox.run(sandbox.inside, attack, ranks=ranks)
    assert ended.status == (0 if ranks and attack in OF_RANKS else 7)


@slow
def test_ranks_share_memory_that_is_limited(sandbox):
    """Of two files that fit, each alone, the second does not."""
    half = "head -c 3000000 /dev/zero >/dev/shm/{}"
    script = (
        f"cat /proc/net/dev | grep -c :; {half.format(1)} && {{ {half.format(2)} || echo full; }}"
    )
    assert sandbox.shell(script, ranks=True).stdout == b"1\nfull\n"


@slow
@pytest.mark.parametrize("name", ["mpich", "openmpi"])
def test_ranks_of_each_library(sandbox, name):
    """Each adds its number to the sum."""
    compiler, launcher = shutil.which(f"mpicc.{name}"), shutil.which(f"mpiexec.{name}")
    if not compiler or not launcher:
        pytest.skip(f"{name} is not installed")
    source, program = sandbox.work / "sum.c", sandbox.work / "sum"
    source.write_text(SUM_OF_RANKS, encoding="ascii")
    subprocess.run([compiler, "-o", program, source], check=True)
    ended = sandbox.run(
        *("/usr/bin/env", "OMPI_ALLOW_RUN_AS_ROOT=1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"),
        *("OMPI_MCA_rmaps_base_oversubscribe=1", launcher, "-n", "3", "/work/sum"),
        limits=RUN._replace(wall_s=60),
        ranks=True,
    )
    assert (ended.status, ended.stdout) == (0, b"3\n"), ended


@slow
@pytest.mark.parametrize(
    ("script", "seen"),
    [
        ("cat {secret} /etc/passwd /etc/shadow {root}/lab 2>/dev/null", ""),
        (
            "for folder in / /usr /dev /dev/shm {folder} /etc; do echo x >$folder/lab_test && echo $folder; done",
            "",
        ),
        ("ls / | grep -vxE 'bin|dev|etc|lib(32|64|x32)?|proc|sbin|tmp|usr|w|work'", ""),
        ("test $(ls -d /proc/[0-9]* | wc -l) -lt 8", ""),
        ("[ $(id -u) != 0 ] || echo root", ""),
        ("env | cut -d= -f1 | grep -vxE 'PATH|HOME|LC_ALL|PWD|_'", ""),
        ("head -c 3000000 /dev/zero >/tmp/1 && head -c 3000000 /dev/zero >/tmp/2 && echo full", ""),
        ("echo x >/w/secret && echo written", ""),
        ("ls /proc/self/fd | wc -l", "4\n"),  # the last is that of the list
    ],
)
def test_what_a_shell_sees(sandbox, monkeypatch, script, seen):
    monkeypatch.setenv("LAB_TEST_SECRET", SECRET)
    words = {"secret": sandbox.secret, "root": ROOT, "folder": sandbox.folder}
    for name, value in words.items():
        script = script.replace(f"{{{name}}}", str(value))
    if os.getuid() and "id -u" in script:
        pytest.skip("its user is the tester")
    with sandbox.secret.open() as file:
        os.set_inheritable(file.fileno(), True)
        ended = sandbox.shell(script, read_only=[(sandbox.folder, "/w")])
    assert ended.stdout.decode() == seen


@slow
def test_a_compiler_works_and_includes_nothing_of_the_host(sandbox):
    source = sandbox.work / "a.c"
    compiler = ["cc", "/work/a.c", "-o", "/work/a"]
    source.write_text(f'__asm__(".incbin \\"{sandbox.secret}\\"");\nint main(void) {{}}\n')
    ended = sandbox.run(*compiler, limits=COMPILE)
    assert ended.status != 0 and b"secret" in ended.stderr
    source.write_text("int main(void) { return 3; }\n")
    ended = sandbox.run(*compiler, limits=COMPILE)
    assert (ended.status, ended.stderr) == (0, b"")
    assert sandbox.run("/work/a", writable=[], read_only=[(sandbox.work, "/work")]).status == 3


# --- hosts without bubblewrap ---


def test_without_bubblewrap_nothing_runs(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(LabError, match=r"bubblewrap only.*not installed: \./lab setup --grading"):
        choose(ROOT)


@slow
def test_a_sandbox_that_leaks_is_found(sandbox, monkeypatch):
    """It shows the whole disk."""
    builder = sandbox.isolation.builder
    shown = ["--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"]
    monkeypatch.setattr(builder, "_system", lambda *_: shown)
    assert "it reads /etc/passwd" in _find_leak(Isolation(builder, Groups()), ROOT)


_UBUNTU = "bwrap: setting up uid map: Permission denied\n"
_APPARMOR = "kernel.apparmor_restrict_unprivileged_userns"
_CLONE, _MOST = "kernel.unprivileged_userns_clone", "user.max_user_namespaces"


@pytest.mark.parametrize(
    ("said", "settings", "words"),
    [
        (_UBUNTU, {_APPARMOR: "1"}, f"sysctl -w {_APPARMOR}=0"),
        (_UBUNTU, {_CLONE: "0"}, f"sysctl -w {_CLONE}=1"),
        (_UBUNTU, {_MOST: "0"}, f"sysctl -w {_MOST}"),
        ("bwrap: Can't mount proc on /newroot/proc: no", {}, "--privileged"),
        ("one\nbwrap: two\n", {}, "bwrap: two"),
    ],
)
def test_one_line_says_what_an_administrator_must_change(said, settings, words):
    told = explain_refusal(said, lambda name: settings.get(name, ""))
    assert words in told and "\n" not in told


# --- control groups: a folder stands for the kernel's ---


def proc_with(folder, mounts="cgroup2 {} cgroup2 rw 0 0\n", controllers="cpu memory pids\n"):
    """Its own group is user/session."""
    top = folder / "groups"
    (top / "user/session").mkdir(parents=True)
    (top / "user/cgroup.subtree_control").write_text(controllers)
    (top / "user/cgroup.procs").write_text("")
    (folder / "self").mkdir()
    (folder / "self/mounts").write_text(mounts.format(top))
    (folder / "self/cgroup").write_text("3:cpu:/\n0::/user/session\n")
    return folder


@pytest.mark.parametrize(
    ("there", "place"),
    [
        ({}, "user"),
        ({"controllers": "cpu\n"}, None),
        ({"mounts": "cgroup {} cgroup rw 0 0\n"}, None),
    ],
)
def test_where_groups_can_be_made(tmp_path, there, place):
    proc = proc_with(tmp_path, **there)
    assert Groups(proc).place == find_place(proc) == (place and tmp_path / "groups" / place)


def test_a_group_has_the_limits_of_a_program(tmp_path):
    group = Group(tmp_path / "one")
    group.make(RUN)
    set_to = {file.name: file.read_text() for file in group.folder.iterdir()}
    assert set_to == {
        "memory.max": str(RUN.memory_bytes),
        "memory.swap.max": "0",
        "pids.max": str(RUN.processes + 8),
    }


@pytest.mark.parametrize(
    ("oom_kill", "max", "status", "why"),
    [(0, 0, 1, ""), (1, 0, 137, "memory"), (0, 3, 1, "processes"), (0, 3, 0, "")],
)
def test_what_a_group_ended(tmp_path, oom_kill, max, status, why):  # noqa: A002
    (tmp_path / "memory.events").write_text(f"oom 7\noom_kill {oom_kill}\n")
    (tmp_path / "pids.events").write_text(f"max {max}\n")
    assert Group(tmp_path).exceeded(status) == why


def test_the_groups_of_killed_graders_go(tmp_path):
    groups = Groups(proc_with(tmp_path))
    names = ("lab_grade_1-1_0", f"lab_grade_{owner_name()}_0", "session")
    for name in names:
        (groups.place / name).mkdir(exist_ok=True)
    groups.sweep()
    assert [(groups.place / name).exists() for name in names] == [False, True, True]


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
    tests = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "addopts="]
    tests += [__file__, str(Path(__file__).with_name("contained_test.py"))]
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
