"""Does each isolation of this host limit what a program takes, hide what it must not see, and clean up after it?"""

import os
import unittest

import pytest

from nbody_lab.grade.isolation import COMPILE, RUN
from tests.grade.isolation_for_tests import LAB, SECRET, SMALL, AsNobody, Sandboxed, running

pytestmark = pytest.mark.slow


class Kind(Sandboxed):
    """Tests for one kind of isolation, named by the subclasses below."""

    def test_an_honest_program(self):
        ended = self.shell(
            "cat; echo to $OMP_NUM_THREADS >&2; echo written >result; exit 5",
            input=b"said " * 50000,
            environment={"OMP_NUM_THREADS": 3},
        )
        self.assertEqual((ended.why, len(ended.stdout)), ("output", SMALL.output_bytes))
        ended = self.shell(
            "cat; echo to $OMP_NUM_THREADS >&2; echo written >result; exit 5",
            input=b"said " * 5000,
            environment={"OMP_NUM_THREADS": 3},
        )
        self.assertEqual(
            (ended.status, ended.signal, ended.why, ended.stdout, ended.stderr),
            (5, 0, "", b"said " * 5000, b"to 3\n"),
        )
        result = self.work / "result"
        self.assertEqual((result.read_text(), result.stat().st_uid), ("written\n", os.getuid()))

    def test_a_signal_is_told(self):
        ended = self.shell("kill -SEGV $$" if self.kind != "landlock" else "ulimit -c 0; exit 139")
        self.assertEqual((ended.status, ended.signal, ended.why), (139, 11, ""))

    def test_what_takes_too_much(self):
        """Each attack, its limits, and the one that stops it. The processes of "many" and "four" are within the limit
        one by one, and exceed it together."""
        for name, limits, why in (
            ("sleep", {"wall_s": 0.5}, "wall time"),
            ("spin", {"cpu_s": 1, "wall_s": 200}, "cpu time"),
            ("spin_four", {"cpu_s": 1, "wall_s": 200}, "cpu time"),
            ("memory", {}, "memory"),
            ("memory_of_many", {}, "memory"),
            ("big_file", {}, "files"),
            ("many_files", {}, "files"),
        ):
            with self.subTest(name):
                ended = self.attack(name, **limits)
                self.assertEqual(ended.why, why, ended)
                self.assertLess(ended.seconds, 10 if name == "sleep" else 200)
        self.assertLessEqual((self.work / "big").stat().st_size, SMALL.file_bytes)

    def test_processes(self):
        ended = self.attack("fork_count")
        # It tries 500. Without a namespace other processes count as well, and some end meanwhile.
        self.assertTrue(ended.stdout.isdigit() and 5 < int(ended.stdout) < 150, ended)

    def test_a_fork_bomb(self):
        self.assertLess(self.attack("forks").seconds, 15)

    def test_threads(self):
        self.assertLess(int(self.attack("threads").stdout), 150)

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
        self.assertLessEqual(
            {line.split("=")[0] for line in said.splitlines()},
            {"PATH", "HOME", "LC_ALL", "TMPDIR", "PWD"},
        )

    def test_three_descriptors(self):
        with open(self.secret, encoding="ascii") as file:
            os.set_inheritable(file.fileno(), True)
            self.assertEqual(self.attack("descriptors").status, 0)

    def test_no_more_rights(self):
        if os.getuid() == 0:
            self.assertNotEqual(self.shell("id -u").stdout, b"0\n")
        if self.kind != "none":
            self.assertEqual(self.attack("privileges").status, 7)


class Closed(Kind):
    """What limits alone do not stop."""

    def test_files_of_the_host(self):
        script = (
            f"cat {self.secret} /etc/passwd /etc/shadow {LAB / 'src/nbody_lab/cli.py'} 2>/dev/null"
        )
        self.assertEqual(self.shell(script).stdout, b"")

    def test_the_compiler_cannot_include_them(self):
        source = self.work / "a.c"
        source.write_text(
            f'__asm__(".incbin \\"{self.secret}\\"");\nint main(void) {{ return 0; }}\n',
            encoding="ascii",
        )
        compiled = self.isolation.run(
            ["cc", "/work/a.c", "-o", "/work/a"], COMPILE, writable=[(self.work, "/work")]
        )
        self.assertNotEqual(compiled.status, 0)
        self.assertIn(b"secret", compiled.stderr)
        source.write_text("int main(void) { return 3; }\n", encoding="ascii")
        compiled = self.isolation.run(
            ["cc", "/work/a.c", "-o", "/work/a"], COMPILE, writable=[(self.work, "/work")]
        )
        self.assertEqual((compiled.status, compiled.stderr), (0, b""))
        self.assertEqual(
            self.isolation.run(["/work/a"], RUN, read_only=[(self.work, "/work")]).status, 3
        )

    def test_writing_elsewhere(self):
        script = f"for folder in / /usr /dev /dev/shm {self.folder} /etc; do echo x >$folder/lab_test && echo $folder; done 2>/dev/null"
        self.assertEqual(self.shell(script).stdout, b"")

    def test_read_only_stays_so(self):
        ended = self.isolation.run(
            ["/bin/sh", "-c", "echo x >/w/secret"], RUN, read_only=[(self.folder, "/w")]
        )
        self.assertNotEqual(ended.status, 0)
        self.assertEqual(self.secret.read_text(), SECRET)

    def test_calls_of_the_kernel(self):
        for name in (
            "socket",
            "user_namespace",
            "clone_user",
            "trace",
            "shared_memory",
            "memory_file",
            "freeze_parent",
        ):
            self.assertEqual(self.attack(name).status, 7, name)


class BubblewrapTest(Closed, unittest.TestCase):
    kind = "bubblewrap"

    def test_its_own_processes_alone(self):
        self.assertLess(len(self.shell("ls -d /proc/[0-9]*").stdout.split()), 6)

    def test_names_of_the_host(self):
        seen = set(self.shell("ls /").stdout.decode().split())
        self.assertLessEqual(
            seen,
            {
                "bin",
                "dev",
                "etc",
                "lib",
                "lib32",
                "lib64",
                "libx32",
                "proc",
                "sbin",
                "tmp",
                "usr",
                "work",
            },
        )

    def test_tmp_is_small(self):
        self.assertNotEqual(
            self.shell(
                "for k in 1 2 3; do head -c 3000000 /dev/zero >/tmp/$k || exit 1; done"
            ).status,
            0,
        )


class LandlockTest(Closed, unittest.TestCase):
    kind = "landlock"

    def test_it_says_so(self):
        self.assertTrue(self.isolation.banner.startswith("WEAKER ISOLATION"))


class NothingTest(Kind, unittest.TestCase):
    kind = "none"

    def test_it_says_so(self):
        self.assertTrue(self.isolation.banner.startswith("NOT ISOLATED"))
        self.assertEqual(
            self.shell(f"cat {self.secret}").stdout.decode(), SECRET
        )  # so that the other checks can fail


class AsNobodyTest(AsNobody, unittest.TestCase):
    pass
