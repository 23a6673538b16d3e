"""Does the sandbox limit what a program takes, hide what it must not see, and clean up after it?"""

import os
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from nbody_lab import ROOT
from nbody_lab.core.messages import UserError
from nbody_lab.grade.bubblewrap import FOLDERS, explain_refusal
from nbody_lab.grade.isolation import COMPILE, RUN, Access, Isolation, OwnFiles, _find_leak, choose
from nbody_lab.grade.limits import MB, Allowance, Groups, find_places
from nbody_lab.grade.watch import is_running, owner_is_running, owner_name, tree_below
from tests.grade.attacks_for_tests import FAMILIES, SUM_OF_RANKS, compile_attacks

SMALL = RUN._replace(
    wall_s=20, cpu_s=10, memory_bytes=128 * MB, processes=24, file_bytes=4 * MB, output_bytes=65536
)
SECRET = "the reference answers"


class Sandbox(SimpleNamespace):
    """A folder with a secret and the attacks, and the isolation."""

    def run(self, *words, limits=SMALL, **more):
        """`more`: fields of Access, and what is passed in."""
        given = {"input": more.pop("input")} if "input" in more else {}
        binds = {"read_only": [(self.program, self.inside)], "writable": [(self.work, "/work")]}
        access = Access(folder="/work", **{**binds, **more})
        return self.isolation.run(words, limits, access, **given)

    def attack(self, name, **limits):
        return self.run(self.inside, name, limits=SMALL._replace(**limits))

    def shell(self, script, **more):
        return self.run("/bin/sh", "-c", script, **more)

    def words(self, *words, isolation=None, limits=SMALL, **more):
        access = Access([(self.program, self.inside)])
        return (isolation or self.isolation).words(words, limits, access, **more)

    def running(self, attack, below=None):
        """Its processes, below a process or everywhere."""
        everywhere = [int(name) for name in os.listdir("/proc") if name.isdigit()]
        found = []
        for process in tree_below(below) if below else everywhere:
            try:
                line = Path(f"/proc/{process}/cmdline").read_bytes()
            except OSError:
                continue
            if line == f"{self.inside}\0{attack}\0".encode() and is_running(process):
                found.append(process)
        return found


@pytest.fixture(scope="module")
def sandbox():
    folder = Path(tempfile.mkdtemp(prefix="lab_attacks_"))
    folder.chmod(0o755)
    try:
        isolation = choose(ROOT)
    except UserError as reason:
        pytest.skip(str(reason))
    (folder / "work").mkdir()
    (folder / "secret").write_text(SECRET, encoding="ascii")
    program = compile_attacks(folder)
    with isolation:
        yield Sandbox(
            folder=folder,
            work=folder / "work",
            secret=folder / "secret",
            program=program,
            inside=f"/w/{program.name}",
            isolation=isolation,
        )
    shutil.rmtree(folder)


def comes_true(condition, wait_s=20):
    end = time.monotonic() + wait_s
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return bool(condition())


slow = pytest.mark.slow

# --- what it takes ---


@slow
def test_an_honest_program(sandbox):
    """It gets its input and environment, and writes where it may; the output is told to the byte."""
    script = "cat; echo to $OMP_NUM_THREADS >&2; echo written >result; exit 5"
    ended = sandbox.shell(script, input=b"said " * 5000, environment={"OMP_NUM_THREADS": 3})
    assert (ended.status, ended.signal, ended.why) == (5, 0, "")
    assert (ended.stdout, ended.stderr) == (b"said " * 5000, b"to 3\n")
    result = sandbox.work / "result"
    assert (result.read_text(), result.stat().st_uid) == ("written\n", os.getuid())
    ended = sandbox.shell("kill -SEGV $$")
    assert (ended.status, ended.signal, ended.why) == (139, 11, "")


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
    assert sandbox.attack(attack, wall_s=2).seconds < 15
    assert sandbox.running(attack) == []


# --- what it sees ---


@slow
@pytest.mark.parametrize(
    "attack",
    [
        *("user_namespace", "clone_user", "trace", "shared_memory", "memory_file", "freeze_parent"),
        *("privileges", "follow_files", "handle_of_process", "reserve_disk", *FAMILIES),
    ],
)
def test_a_call_is_refused(sandbox, attack):
    assert sandbox.attack(attack).status == 7


@slow
@pytest.mark.parametrize("family", FAMILIES)
def test_ranks_reach_each_other_and_nothing_else(sandbox, family):
    """Their network is the sandbox's own loopback."""
    among_ranks = family in ("AF_INET", "AF_INET6", "AF_NETLINK")
    ended = sandbox.run(sandbox.inside, family, ranks=True)
    assert ended.status == (0 if among_ranks else 7)


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
    ],
)
def test_what_a_shell_sees(sandbox, monkeypatch, script, seen):
    monkeypatch.setenv("LAB_TEST_SECRET", SECRET)
    words = {"secret": sandbox.secret, "root": ROOT, "folder": sandbox.folder}
    for name, value in words.items():
        script = script.replace(f"{{{name}}}", str(value))
    if os.getuid() and "id -u" in script:
        pytest.skip("its user is the tester")
    assert sandbox.shell(script).stdout.decode() == seen


@slow
def test_three_descriptors(sandbox):
    with sandbox.secret.open() as file:
        os.set_inheritable(file.fileno(), True)
        assert sandbox.attack("descriptors").status == 0


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


@slow
def test_read_only_stays_so(sandbox):
    ended = sandbox.shell("echo x >/w/secret", read_only=[(sandbox.folder, "/w")])
    assert (ended.status != 0, sandbox.secret.read_text()) == (True, SECRET)


# --- after words(): it is started by the checker or the clock ---


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
        ({"budget": 1}, "the submission used up its limit of 1 s"),
        ({"budget": 0}, "the submission used up its limit of 0 s"),
    ],
)
def test_time_that_is_used_up(sandbox, limits, why):
    status, _, told = ask(sandbox, "sleep", **limits)
    assert status is None and told.startswith(why)
    assert comes_true(lambda: not sandbox.running("sleep"))


_GRADER = """
import shlex, sys, threading
from pathlib import Path
from nbody_lab.grade.isolation import RUN, Access, choose
from nbody_lab.grade.limits import Allowance
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
            *((folder, f"lab_grade_{owner}_*") for folder in Groups().places.values()),
        ]
        assert [list(folder.glob(pattern)) for folder, pattern in places] == [[]] * len(places)


def test_a_number_that_came_again_owns_nothing():
    """As in a container that is started again."""
    assert owner_is_running(owner_name())
    assert not owner_is_running(f"{os.getpid()}-1")
    assert not owner_is_running(owner_name(1 << 30))


# --- hosts without bubblewrap ---


def test_without_bubblewrap_only_own_files_run(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UserError, match=r"bubblewrap only.*not installed: \./lab setup --grading"):
        choose(ROOT)
    isolation = choose(ROOT, own_files=True)
    assert "your own files run without a sandbox" in capsys.readouterr().err
    monkeypatch.undo()
    ended = isolation.run(["sh", "-c", "pwd; echo $A; sleep 9"], SMALL._replace(wall_s=1))
    assert (ended.stdout, ended.why) == (b"/\n\n", "wall time")
    ended = isolation.run(
        ["sh", "-c", "pwd; echo $A"], SMALL, Access(folder="/usr", environment={"A": 3})
    )
    assert (ended.stdout, ended.status) == (b"/usr\n3\n", 0)
    assert isolation.to_watch(SMALL) == SMALL
    # The checker starts it by its path.
    assert isolation.words(["true"], SMALL)[0].startswith("/")


def test_a_sandbox_that_leaks_is_found():
    assert "it reads /etc/passwd" in _find_leak(Isolation(OwnFiles(), Groups()), ROOT)


_UBUNTU = "bwrap: setting up uid map: Permission denied\n"


@pytest.mark.parametrize(
    ("said", "settings", "words"),
    [
        (
            _UBUNTU,
            {"kernel.apparmor_restrict_unprivileged_userns": "1"},
            "sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
        ),
        (
            _UBUNTU,
            {"kernel.unprivileged_userns_clone": "0"},
            "sysctl -w kernel.unprivileged_userns_clone=1",
        ),
        (_UBUNTU, {"user.max_user_namespaces": "0"}, "sysctl -w user.max_user_namespaces"),
        ("bwrap: Can't mount proc on /newroot/proc: no", {}, "--privileged"),
        ("one\nbwrap: two\n", {}, "bwrap: two"),
    ],
)
def test_one_line_says_what_an_administrator_must_change(said, settings, words):
    told = explain_refusal(said, lambda name: settings.get(name, ""))
    assert words in told and "\n" not in told


_V2 = "cgroup2 {} cgroup2 rw 0 0\n", "0::/user/session\n"


@pytest.mark.parametrize(
    ("mounts", "own", "controllers", "version", "places"),
    [
        (*_V2, "cpu memory pids\n", 2, {"": "user"}),
        (*_V2, "cpu\n", 0, {}),
        (
            *("cgroup {} cgroup rw,memory,pids 0 0\n", "3:memory,pids:/user\n", ""),
            *(1, {"memory": "user", "pids": "user"}),
        ),
    ],
)
def test_where_groups_can_be_made(tmp_path, mounts, own, controllers, version, places):
    top = tmp_path / "groups"
    (top / "user/session").mkdir(parents=True)
    (top / "user/cgroup.subtree_control").write_text(controllers)
    (top / "user/cgroup.procs").write_text("")
    (tmp_path / "self").mkdir()
    (tmp_path / "self/mounts").write_text(mounts.format(top))
    (tmp_path / "self/cgroup").write_text(own)
    wanted = {name: top / place for name, place in places.items()}
    assert find_places(tmp_path) == (version, wanted)


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
