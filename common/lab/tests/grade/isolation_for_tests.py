"""Test helpers: a sandbox of each kind with a program of attacks in it, and a second run of all tests without root's
rights."""

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

import pytest

from nbody_lab import ROOT
from nbody_lab.grade.isolation import RUN, NotStarted, choose
from nbody_lab.grade.limits import MB
from nbody_lab.grade.watch import is_running, tree_below

# Tiny hostile programs: each takes too much, or looks where it should not. In C, compiled by cc, and shell.
C = {
    "spin": "for (;;) {}",
    "spin_four": "fork(); fork(); signal(SIGXCPU, SIG_IGN); for (;;) {}",
    "sleep": "signal(SIGTERM, SIG_IGN); for (;;) pause();",
    "memory": 'for (;;) { char *m = malloc(1 << 24); if (!m) { fputs("out of memory", stderr); return 1; } memset(m, 1, 1 << 24); }',
    # Each process is within its limit, all together exceed it.
    "memory_of_many": "for (int k = 0; k < 12; ++k) if (fork() == 0) break; char *m = malloc(24 << 20); if (m) memset(m, 1, 24 << 20); pause();",
    "many": "for (int k = 0; k < 100; ++k) if (fork() == 0) break; pause();",
    "shared_memory": 'int n = shmget(IPC_PRIVATE, 1 << 20, 0600); perror(""); return n < 0 ? 7 : 0;',
    "memory_file": 'int n = memfd_create("x", 0); perror(""); return n < 0 ? 7 : 0;',
    "forks": "int n = 0; while (n < 5000 && fork() >= 0) ++n; usleep(200000); return 1;",
    "fork_count": 'int n = 0; for (; n < 500; ++n) { int p = fork(); if (p < 0) break; if (!p) { pause(); } } printf("%d", n); fflush(stdout); kill(0, SIGKILL);',
    "big_file": 'char b[65536] = {1}; FILE *f = fopen("big", "w"); while (f && fwrite(b, sizeof b, 1, f)) {} return 9;',
    "many_files": 'char b[262144] = {1}, n[32]; for (int k = 0;; ++k) { sprintf(n, "f%d", k); FILE *f = fopen(n, "w"); if (!f) return 9; fwrite(b, sizeof b, 1, f); fclose(f); usleep(1000); }',
    "open_files": 'int n = 0; while (open("/dev/null", O_RDONLY) >= 0) ++n; printf("%d", n);',
    "output": 'for (;;) puts("passed passed passed");',
    "daemon": "if (fork()) return 0; setsid(); if (fork()) _exit(0); close(0); close(1); close(2); for (;;) pause();",
    "socket": "int n = socket(AF_INET, SOCK_DGRAM, 0); struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = 9, .sin_addr = {htonl(0x01010101)}};"
    " return n >= 0 && connect(n, (void *)&a, sizeof a) == 0 ? 0 : 7;",
    "answer": 'const char *where = getenv("LAB_SOCKET"); int n = atoi(where); struct sockaddr_un a = {.sun_family = AF_UNIX};'
    " if (!n) { strcpy(a.sun_path, where); n = socket(AF_UNIX, SOCK_STREAM, 0); if (connect(n, (void *)&a, sizeof a)) return 7; }"
    ' return write(n, "hello", 5) == 5 ? 0 : 8;',
    "user_namespace": "return unshare(CLONE_NEWUSER) == 0 ? 0 : 7;",
    "clone_user": "long p = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0); return p >= 0 ? 0 : 7;",
    "trace": "return ptrace(PTRACE_ATTACH, getppid(), 0, 0) == 0 ? 0 : 7;",
    "freeze_parent": "return kill(getppid(), SIGSTOP) == 0 && kill(-1, SIGSTOP) == 0 ? 0 : 7;",
    "privileges": "return setuid(0) == 0 ? 0 : 7;",
    "descriptors": "int n = 0; for (int k = 3; k < 1024; ++k) n += fcntl(k, F_GETFD) >= 0; return n;",
    "environment": "extern char **environ; for (char **e = environ; *e; ++e) puts(*e);",
    "threads": 'int n = 0; pthread_t t; while (n < 2000 && pthread_create(&t, 0, (void *(*)(void *))sleep, (void *)9) == 0) ++n; printf("%d", n);',
}
HEADERS = """#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <signal.h>
#include <fcntl.h>
#include <sched.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <netinet/in.h>
"""


def compile_all(folder):
    """Compiles all attacks into one program, which its argument selects. The program's name is unique, so that parallel
    tests only find their own."""
    source, program = Path(folder, "attacks.c"), Path(folder, f"attacks_of_{Path(folder).name}")
    text = HEADERS + "".join(
        f"static int {name}_(void) {{ {body} return 0; }}\n" for name, body in C.items()
    )
    rows = "".join(f'  if (strcmp(v[1], "{name}") == 0) return {name}_();\n' for name in C)
    source.write_text(
        f"{text}int main(int c, char **v) {{\n  if (c < 2) return 99;\n{rows}  return 98;\n}}\n",
        encoding="ascii",
    )
    subprocess.run(["cc", "-w", "-O0", "-pthread", "-o", program, source], check=True)
    return program


LAB = ROOT / "common/lab"
PACKAGES = (LAB / "src", LAB, Path(pytest.__file__).parents[1])
SMALL = RUN._replace(
    wall_s=20, cpu_s=10, memory_bytes=128 * MB, processes=24, file_bytes=4 * MB, output_bytes=65536
)
SECRET = "the reference answers"


class Sandboxed:
    """Subclasses with a `kind` test it, or skip if the host lacks it."""

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
        cls.inside = f"/w/{cls.program.name}"
        try:
            cls.isolation = choose(LAB.parents[1], cls.kind)
        except NotStarted as reason:
            raise unittest.SkipTest(f"not here: {reason}") from None
        cls.addClassCleanup(cls.isolation.close)

    def tearDown(self):
        for left in running(self.program.name):  # left by a failed test, or started by words()
            with contextlib.suppress(ProcessLookupError):
                os.kill(left, signal.SIGKILL)

    def attack(self, name, **limits):
        return self.isolation.run(
            [self.inside, name],
            SMALL._replace(**limits),
            read_only=[(self.program, self.inside)],
            writable=[(self.work, "/work")],
            folder="/work",
        )

    def shell(self, script, **more):
        return self.isolation.run(
            ["/bin/sh", "-c", script],
            SMALL,
            writable=[(self.work, "/work")],
            folder="/work",
            **more,
        )

    def words(self, *program_words, isolation=None, limits=SMALL, serves=False):
        return (isolation or self.isolation).words(
            [*program_words], limits, read_only=[(self.program, self.inside)], serves=serves
        )


def running(words, below=None):
    """Numbers of running attack processes with `words` in their command line, below process `below` or everywhere."""
    numbers = (
        [below, *tree_below(below)]
        if below
        else [int(name) for name in os.listdir("/proc") if name.isdigit()]
    )
    found = []
    for number in numbers:
        try:
            line = Path(f"/proc/{number}/cmdline").read_bytes().decode(errors="replace")
        except OSError:
            continue
        if (
            words in line
            and "attacks" in line
            and "bwrap" not in line
            and "launcher" not in line
            and is_running(number)
        ):
            found.append(number)
    return found


def comes_true(condition, wait_s=20):
    end = time.monotonic() + wait_s
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return bool(condition())


class AsNobody:
    """As root, runs the whole test again as another user (`--as-nobody`)."""

    @unittest.skipUnless(
        "AS_NOBODY" not in os.environ and os.geteuid() == 0 and shutil.which("setpriv"),
        "only root can become another user",
    )
    def test_all_of_it_without_rights(self):
        python = next(
            (path for path in ("/usr/bin/python3", sys.executable) if os.access(path, os.X_OK)),
            None,
        )
        user = (
            60001 + os.getpid() % 1000
        )  # unique: the kernel counts processes per user, and tests run in parallel
        words = [
            "setpriv",
            f"--reuid={user}",
            "--regid=65534",
            "--clear-groups",
            python,
            "-m",
            "unittest",
            type(self).__module__,
        ]
        done = subprocess.run(
            words,
            capture_output=True,
            text=True,
            check=False,
            cwd="/",
            env={
                "PATH": os.environ["PATH"],
                "AS_NOBODY": "1",
                "PYTHONPATH": os.pathsep.join(map(str, PACKAGES)),
            },
        )
        if "Permission denied" in done.stderr and "Ran" not in done.stderr:
            self.skipTest("the user nobody may not read this folder")
        self.assertIn(done.returncode, (0, 77), done.stderr)
