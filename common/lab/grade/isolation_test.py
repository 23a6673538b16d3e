#!/usr/bin/env python3
"""Is what a program takes, sees and leaves behind stopped, by each kind of isolation that this host has?

As root it runs itself once more as a user without rights: `isolation_test.py --as-nobody` is that second run."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

LAB = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(LAB))

from grade.attacks_for_tests import C, compile_all  # noqa: E402
from grade.isolation import COMPILE, RUN, NotStarted, choose  # noqa: E402
from grade.limits import MB  # noqa: E402
from grade.watch import is_running, tree_below, watching  # noqa: E402

SMALL = RUN._replace(wall_s=20, cpu_s=10, memory_bytes=128 * MB, processes=24, file_bytes=4 * MB, output_bytes=65536)
SECRET = "the reference answers"


class Kind:
    """The tests of one kind; its subclasses below name it."""
    kind = ""

    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp(prefix="lab_isolation_test_"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.folder.chmod(0o755)
        cls.work = cls.folder / "work"
        cls.work.mkdir()
        cls.secret = cls.folder / "secret"
        cls.secret.write_text(SECRET, encoding="ascii")
        cls.program = compile_all(cls.folder)
        try:
            cls.isolation = choose(LAB.parents[1], cls.kind)
        except NotStarted as reason:
            raise unittest.SkipTest(f"not here: {reason}") from None
        cls.addClassCleanup(cls.isolation.close)

    def tearDown(self):
        for left in running(str(self.program)):  # by a test that failed, or one of words() alone
            with contextlib.suppress(ProcessLookupError):
                os.kill(left, signal.SIGKILL)

    def attack(self, name, **limits):
        return self.isolation.run(["/w/attacks", name], SMALL._replace(**limits), read_only=[(self.program, "/w/attacks")],
                                  writable=[(self.work, "/work")], folder="/work")

    def shell(self, script, **more):
        return self.isolation.run(["/bin/sh", "-c", script], SMALL, writable=[(self.work, "/work")], folder="/work", **more)

    def test_an_honest_program(self):
        ended = self.shell("cat; echo to $OMP_NUM_THREADS >&2; echo written >result; exit 5", input=b"said " * 50000,
                           environment={"OMP_NUM_THREADS": 3})
        self.assertEqual((ended.why, len(ended.stdout)), ("output", SMALL.output_bytes))
        ended = self.shell("cat; echo to $OMP_NUM_THREADS >&2; echo written >result; exit 5", input=b"said " * 5000,
                           environment={"OMP_NUM_THREADS": 3})
        self.assertEqual((ended.status, ended.signal, ended.why, ended.stdout, ended.stderr),
                         (5, 0, "", b"said " * 5000, b"to 3\n"))
        result = self.work / "result"
        self.assertEqual((result.read_text(), result.stat().st_uid), ("written\n", os.getuid()))

    def test_a_signal_is_told(self):
        ended = self.shell("kill -SEGV $$" if self.kind != "landlock" else "ulimit -c 0; exit 139")
        self.assertEqual((ended.status, ended.signal, ended.why), (139, 11, ""))

    def test_wall_time(self):
        ended = self.attack("sleep", wall_s=0.5)
        self.assertEqual(ended.why, "wall time")
        self.assertLess(ended.seconds, 10)

    def test_processor_time(self):
        self.assertEqual(self.attack("spin", cpu_s=1, wall_s=200).why, "cpu time")

    def test_processor_time_of_all_together(self):
        self.assertEqual(self.attack("spin_four", cpu_s=1, wall_s=200).why, "cpu time")

    def test_memory(self):
        self.assertEqual(self.attack("memory").why, "memory")

    def test_memory_of_all_together(self):
        self.assertEqual(self.attack("memory_of_many").why, "memory")

    def test_processes(self):
        ended = self.attack("fork_count")
        self.assertTrue(ended.stdout.isdigit() and 5 < int(ended.stdout) < 40, ended)

    def test_a_fork_bomb(self):
        self.assertLess(self.attack("forks").seconds, 15)

    def test_threads(self):
        self.assertLess(int(self.attack("threads").stdout), 40)

    def test_a_big_file(self):
        ended = self.attack("big_file")
        self.assertEqual(ended.why, "files", ended)
        self.assertLessEqual((self.work / "big").stat().st_size, SMALL.file_bytes)

    def test_many_files(self):
        self.assertEqual(self.attack("many_files").why, "files")

    def test_open_files(self):
        self.assertLess(int(self.attack("open_files").stdout), 130)

    def test_output_is_cut_while_it_comes(self):
        ended = self.attack("output")
        self.assertEqual((ended.why, len(ended.stdout)), ("output", SMALL.output_bytes))

    def test_nothing_is_left_behind(self):
        for name in ("daemon", "memory_of_many", "forks"):
            self.attack(name, wall_s=2)
            self.assertEqual(running(f"{self.program.name}\0{name}"), [], name)

    def test_an_empty_environment(self):
        os.environ["LAB_TEST_SECRET"] = SECRET
        self.addCleanup(os.environ.pop, "LAB_TEST_SECRET")
        said = self.attack("environment").stdout.decode()
        self.assertLessEqual({line.split("=")[0] for line in said.splitlines()}, {"PATH", "HOME", "LC_ALL", "TMPDIR", "PWD"})

    def test_no_environment_of_the_caller(self):
        """As a user without rights, the sandbox's first process belongs to the same user as the program."""
        words = self.words("/bin/sh", "-c", "cat /proc/*/environ; env")
        done = subprocess.run(words, capture_output=True, check=False, env={**os.environ, "LAB_TEST_SECRET": SECRET})
        if self.kind != "none":
            self.assertNotIn(SECRET.encode(), done.stdout)

    def test_three_descriptors(self):
        with open(self.secret, encoding="ascii") as file:
            os.set_inheritable(file.fileno(), True)
            self.assertEqual(self.attack("descriptors").status, 0)

    def test_no_more_rights(self):
        if os.getuid() == 0:
            self.assertNotEqual(self.shell("id -u").stdout, b"0\n")
        if self.kind != "none":
            self.assertEqual(self.attack("privileges").status, 7)

    def words(self, *program_words, **more):
        return self.isolation.words([*program_words], SMALL, read_only=[(self.program, "/w/attacks")], **more)

    def test_words_keep_the_pipes(self):
        done = subprocess.run(self.words("cat"), input=b"\0binary\n" * 100000, capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"\0binary\n" * 100000, b""))

    def test_words_die_when_their_first_process_is_killed(self):
        words = self.words("/w/attacks", "sleep")
        with subprocess.Popen(words, stdin=subprocess.PIPE) as process:
            started = comes_true(lambda: running("sleep", below=process.pid))
            inside = running("sleep", below=process.pid)
            process.kill()
        self.assertTrue(started)
        self.assertTrue(comes_true(lambda: not any(map(is_running, inside))))

    def test_words_die_when_the_caller_dies(self):
        words = self.words("/w/attacks", "sleep")
        caller = "import subprocess, sys; print(subprocess.Popen(sys.argv[1:]).pid, flush=True); sys.stdin.read()"
        with subprocess.Popen([sys.executable, "-c", caller, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            first = int(process.stdout.readline())
            started = comes_true(lambda: running("sleep", below=process.pid))
            inside = running("sleep", below=process.pid)
            process.kill()
        self.assertTrue(started)
        self.assertTrue(comes_true(lambda: not any(map(is_running, [first, *inside]))))

    def test_words_watched(self):
        """What no cgroup holds, the watcher does."""
        words = self.isolation.words(["/w/attacks", "memory_of_many"], RUN, read_only=[(self.program, "/w/attacks")])
        with subprocess.Popen(words) as process, watching(os.getpid(), SMALL) as why:
            ended = comes_true(lambda: process.poll() is not None)
            process.kill()
        self.assertEqual((ended, why[:1]), (True, ["memory"]))


class Closed(Kind):
    """What limits alone do not stop."""

    def test_files_of_the_host(self):
        script = f"cat {self.secret} /etc/passwd /etc/shadow {LAB / 'main.py'} 2>/dev/null"
        self.assertEqual(self.shell(script).stdout, b"")

    def test_the_compiler_cannot_include_them(self):
        source = self.work / "a.c"
        source.write_text(f'__asm__(".incbin \\"{self.secret}\\"");\nint main(void) {{ return 0; }}\n', encoding="ascii")
        compiled = self.isolation.run(["cc", "/work/a.c", "-o", "/work/a"], COMPILE, writable=[(self.work, "/work")])
        self.assertNotEqual(compiled.status, 0)
        self.assertIn(b"secret", compiled.stderr)
        source.write_text("int main(void) { return 3; }\n", encoding="ascii")
        compiled = self.isolation.run(["cc", "/work/a.c", "-o", "/work/a"], COMPILE, writable=[(self.work, "/work")])
        self.assertEqual((compiled.status, compiled.stderr), (0, b""))
        self.assertEqual(self.isolation.run(["/work/a"], RUN, read_only=[(self.work, "/work")]).status, 3)

    def test_writing_elsewhere(self):
        script = f"for folder in / /usr /dev /dev/shm {self.folder} /etc; do echo x >$folder/lab_test && echo $folder; done 2>/dev/null"
        self.assertEqual(self.shell(script).stdout, b"")

    def test_read_only_stays_so(self):
        ended = self.isolation.run(["/bin/sh", "-c", "echo x >/w/secret"], RUN, read_only=[(self.folder, "/w")])
        self.assertNotEqual(ended.status, 0)
        self.assertEqual(self.secret.read_text(), SECRET)

    def test_calls_of_the_kernel(self):
        for name in ("socket", "user_namespace", "clone_user", "trace", "shared_memory", "memory_file", "freeze_parent"):
            self.assertEqual(self.attack(name).status, 7, name)


class BubblewrapTest(Closed, unittest.TestCase):
    kind = "bubblewrap"

    def test_its_own_processes_alone(self):
        self.assertLess(len(self.shell("ls -d /proc/[0-9]*").stdout.split()), 6)

    def test_names_of_the_host(self):
        seen = set(self.shell("ls /").stdout.decode().split())
        self.assertLessEqual(seen, set("bin dev etc lib lib32 lib64 libx32 proc sbin tmp usr work".split()))

    def test_tmp_is_small(self):
        self.assertNotEqual(self.shell("for k in 1 2 3; do head -c 3000000 /dev/zero >/tmp/$k || exit 1; done").status, 0)


class LandlockTest(Closed, unittest.TestCase):
    kind = "landlock"

    def test_it_says_so(self):
        self.assertTrue(self.isolation.banner.startswith("WEAKER ISOLATION"))


class NothingTest(Kind, unittest.TestCase):
    kind = "none"

    def test_it_says_so(self):
        self.assertTrue(self.isolation.banner.startswith("NOT ISOLATED"))
        self.assertEqual(self.shell(f"cat {self.secret}").stdout.decode(), SECRET)  # so that the others can fail


class AsNobody(unittest.TestCase):
    @unittest.skipUnless(os.geteuid() == 0 and shutil.which("setpriv"), "only root can become another user")
    def test_all_of_it_without_rights(self):
        python = next((path for path in ("/usr/bin/python3", sys.executable) if os.access(path, os.X_OK)), None)
        words = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", python, __file__, "--as-nobody"]
        done = subprocess.run(words, capture_output=True, text=True, check=False, cwd="/", env={"PATH": os.environ["PATH"]})
        if "Permission denied" in done.stderr and "Ran" not in done.stderr:
            self.skipTest("nobody may not read this folder")
        self.assertIn(done.returncode, (0, 77), done.stderr)


def running(words, below=None):
    """Numbers of processes, not zombies, with this in their command line."""
    numbers = [below, *tree_below(below)] if below else [int(name) for name in os.listdir("/proc") if name.isdigit()]
    found = []
    for number in numbers:
        try:
            line = Path(f"/proc/{number}/cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue
        if words in line and "attacks" in line and "bwrap" not in line and "launcher" not in line and is_running(number):
            found.append(number)
    return found


def comes_true(condition, wait_s=20):
    end = time.monotonic() + wait_s
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return bool(condition())


if __name__ == "__main__":
    assert len(C) > 20
    if not shutil.which("cc"):
        print("skipped: no cc to compile attacks with")
        sys.exit(77)
    if sys.argv[1:2] == ["--as-nobody"]:
        del sys.argv[1], AsNobody
    unittest.main()
