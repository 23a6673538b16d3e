"""A program after words(), started by the checker or the clock: it dies with them, and the watcher stops it where no
cgroup does."""

import os
import shlex
import socket
import subprocess
import sys
import tempfile
import unittest

import pytest

from nbody_lab.grade.cgroups import Groups
from nbody_lab.grade.isolation import RUN, Isolation
from nbody_lab.grade.limits import Allowance
from nbody_lab.grade.watch import is_running
from tests.grade.isolation_for_tests import (
    SECRET,
    SMALL,
    AsNobody,
    Sandboxed,
    comes_true,
    running,
)

pytestmark = pytest.mark.slow


class Words(Sandboxed):
    def test_no_environment_of_the_caller(self):
        """For a user without rights, the sandbox's first process belongs to the same user as the program."""
        words = self.words("/bin/sh", "-c", "cat /proc/*/environ; env")
        done = subprocess.run(
            words, capture_output=True, check=False, env={**os.environ, "LAB_TEST_SECRET": SECRET}
        )
        if self.kind != "none":
            self.assertNotIn(SECRET.encode(), done.stdout)

    def test_they_keep_the_pipes(self):
        done = subprocess.run(
            self.words("cat"), input=b"\0binary\n" * 100000, capture_output=True, check=False
        )
        self.assertEqual(
            (done.returncode, done.stdout, done.stderr), (0, b"\0binary\n" * 100000, b"")
        )

    def test_a_simulator_reaches_its_socket(self):
        with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listener:
            path = f"{folder}/socket"
            listener.bind(path)
            os.chmod(path, 0o666)
            listener.listen(1)
            listener.settimeout(60)
            words = [
                path if word == "SOCKET" else word
                for word in self.words(self.inside, "answer", serves=True)
            ]
            with (
                subprocess.Popen(words, env={**os.environ, "LAB_SOCKET": path}) as process,
                listener.accept()[0] as connection,
            ):
                said = connection.recv(5)
            self.assertEqual((process.returncode, said), (0, b"hello"))

    def test_they_die_when_their_first_process_is_killed(self):
        words = self.words(self.inside, "sleep")
        with subprocess.Popen(words, stdin=subprocess.PIPE) as process:
            started = comes_true(lambda: running("sleep", below=process.pid))
            inside = running("sleep", below=process.pid)
            process.kill()
        self.assertTrue(started)
        self.assertTrue(comes_true(lambda: not any(map(is_running, inside))))

    def test_they_die_when_the_caller_dies(self):
        words = self.words(self.inside, "sleep")
        caller = "import subprocess, sys; print(subprocess.Popen(sys.argv[1:]).pid, flush=True); sys.stdin.read()"
        with subprocess.Popen(
            [sys.executable, "-c", caller, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as process:
            first = int(process.stdout.readline())
            started = comes_true(lambda: running("sleep", below=process.pid))
            inside = running("sleep", below=process.pid)
            process.kill()
        self.assertTrue(started)
        self.assertTrue(comes_true(lambda: not any(map(is_running, [first, *inside]))))

    def asked(self, attack, seconds=60, budget=60):
        """Runs an attack from a shell in place of the checker, on a host without cgroups. RUN keeps the kernel's own
        limits far away."""
        with Isolation(self.isolation.builder, Groups(proc="/no/proc")) as isolation:
            words = self.words(self.inside, attack, isolation=isolation, limits=RUN)
            allowance = Allowance(isolation.to_watch(SMALL), budget)
            return allowance.run(
                ["/bin/sh", "-c", f"{shlex.join(words)}; echo the checker goes on"], seconds
            )

    def test_the_watcher_holds_what_no_cgroup_holds(self):
        for attack, why in (("memory_of_many", "too much memory"), ("many", "too many processes")):
            with self.subTest(attack):
                status, said, told = self.asked(attack)
                self.assertEqual(
                    (status, said.splitlines()[-1:], told), (0, ["the checker goes on"], why)
                )
                self.assertEqual(running(f"{self.program.name}\0{attack}"), [])

    def test_time_that_is_used_up(self):
        self.assertEqual(self.asked("sleep", seconds=1)[::2], (None, "it was stopped after 1 s"))
        self.assertEqual(
            self.asked("sleep", budget=1)[::2], (None, "the submission used up its limit of 1 s")
        )
        self.assertEqual(
            self.asked("sleep", budget=0), (None, "", "the submission used up its limit of 0 s")
        )
        self.assertTrue(comes_true(lambda: not running(f"{self.program.name}\0sleep")))


class BubblewrapTest(Words, unittest.TestCase):
    kind = "bubblewrap"


class LandlockTest(Words, unittest.TestCase):
    kind = "landlock"


class NothingTest(Words, unittest.TestCase):
    kind = "none"


class AsNobodyTest(AsNobody, unittest.TestCase):
    pass
