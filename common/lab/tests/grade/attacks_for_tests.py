"""For tests: tiny hostile programs, each of which takes too much or looks where it should not, and their sandbox."""

import os
import subprocess
from pathlib import Path

from nbody_lab.grade.bubblewrap import Access
from nbody_lab.grade.isolation import Isolation
from nbody_lab.grade.limits import MB, RUN
from nbody_lab.grade.watch import is_running, tree_below

SMALL = RUN._replace(
    wall_s=20, cpu_s=10, memory_bytes=128 * MB, processes=24, file_bytes=4 * MB, output_bytes=65536
)
SECRET = "the reference answers"
FAMILIES = ("AF_INET", "AF_INET6", "AF_NETLINK", "AF_PACKET", "AF_VSOCK", "AF_ALG", "AF_BLUETOOTH")
# Bodies of C functions. Those that try what is forbidden return 7 if it is refused.
_C = {
    "spin": "for (;;) {}",
    "spin_four": "fork(); fork(); signal(SIGXCPU, SIG_IGN); for (;;) {}",
    "sleep": "signal(SIGTERM, SIG_IGN); for (;;) pause();",
    "memory": """for (;;) {
        char *m = malloc(1 << 24);
        if (!m) { fputs("out of memory", stderr); return 1; }
        memset(m, 1, 1 << 24);
    }""",
    # Each process is within its limit, all together exceed it.
    "memory_of_many": """for (int k = 0; k < 12; ++k) if (fork() == 0) break;
        char *m = malloc(24 << 20); if (m) memset(m, 1, 24 << 20); pause();""",
    "many": "for (int k = 0; k < 100; ++k) if (fork() == 0) break; pause();",
    "shared_memory": "return shmget(IPC_PRIVATE, 1 << 20, 0600) < 0 ? 7 : 0;",
    "memory_file": 'return memfd_create("x", 0) < 0 ? 7 : 0;',
    "forks": "int n = 0; while (n < 5000 && fork() >= 0) ++n; usleep(200000); return 1;",
    "fork_count": """int n = 0;
        for (; n < 500; ++n) { int p = fork(); if (p < 0) break; if (!p) pause(); }
        printf("%d", n); fflush(stdout); kill(0, SIGKILL);""",
    "big_file": """char b[65536] = {1}; FILE *f = fopen("big", "w");
        while (f && fwrite(b, sizeof b, 1, f)) {} return 9;""",
    "many_files": """char b[262144] = {1}, n[32];
        for (int k = 0;; ++k) {
            sprintf(n, "f%d", k); FILE *f = fopen(n, "w"); if (!f) return 9;
            fwrite(b, sizeof b, 1, f); fclose(f); usleep(1000);
        }""",
    "open_files": """int n = 0; while (open("/dev/null", O_RDONLY) >= 0) ++n;
        printf("%d", n);""",
    "output": 'for (;;) puts("passed passed passed");',
    "output_at_once": "static char b[65537]; return write(1, b, sizeof b) < 0;",
    "daemon": """if (fork()) return 0; setsid(); if (fork()) _exit(0);
        close(0); close(1); close(2); for (;;) pause();""",
    "answer": """struct sockaddr_un a = {.sun_family = AF_UNIX}; strcpy(a.sun_path, getenv("LAB_SOCKET"));
        int n = socket(AF_UNIX, SOCK_STREAM, 0); if (connect(n, (void *)&a, sizeof a)) return 6;
        return write(n, "hello", 5) == 5 ? 0 : 8;""",
    "user_namespace": "return unshare(CLONE_NEWUSER) == 0 ? 0 : 7;",
    "clone_user": "return syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0) >= 0 ? 0 : 7;",
    "trace": "return ptrace(PTRACE_ATTACH, getppid(), 0, 0) == 0 ? 0 : 7;",
    "freeze_parent": "return kill(getppid(), SIGSTOP) == 0 && kill(-1, SIGSTOP) == 0 ? 0 : 7;",
    "privileges": "return setuid(0) == 0 ? 0 : 7;",
    "follow_files": "return syscall(SYS_inotify_init1, 0) >= 0 || errno != EPERM ? 0 : 7;",
    "handle_of_process": "return syscall(SYS_pidfd_open, getpid(), 0) >= 0 || errno != EPERM ? 0 : 7;",
    "reserve_disk": """int file = open("big", O_CREAT | O_RDWR, 0600);
        return fallocate(file, FALLOC_FL_KEEP_SIZE, 0, 1L << 28) < 0 ? 7 : 0;""",
    "threads": """int n = 0; pthread_t t;
        while (n < 2000 && !pthread_create(&t, 0, (void *(*)(void *))sleep, (void *)9)) ++n;
        printf("%d", n);""",
    **{
        family: f"return socket({family}, SOCK_STREAM, 0) >= 0 || errno != EPERM ? 0 : 7;"
        for family in FAMILIES
    },
}
_HEADERS = """errno.h stdio.h stdlib.h string.h unistd.h signal.h fcntl.h sched.h pthread.h sys/mman.h
    sys/ptrace.h sys/shm.h sys/socket.h sys/syscall.h sys/un.h""".split()

# No attack: each rank adds its number to the sum.
SUM_OF_RANKS = """#include <mpi.h>
#include <stdio.h>
int main(int c, char **v) {
  int rank, sum;
  MPI_Init(&c, &v);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("%d\\n", sum);
  return MPI_Finalize();
}
"""


def compile_attacks(folder: Path) -> Path:
    """One program with all of them, which its argument selects. Its name is unique, so that parallel tests only find
    their own."""
    program = folder / f"attacks_of_{folder.name}"
    lines = ["#define _GNU_SOURCE", *(f"#include <{name}>" for name in _HEADERS)]
    lines += [f"static int {name}_(void) {{ {body} return 0; }}" for name, body in _C.items()]
    lines += ["int main(int c, char **v) {", "  if (c < 2) return 99;"]
    lines += [f'  if (strcmp(v[1], "{name}") == 0) return {name}_();' for name in _C]
    source = folder / "attacks.c"
    source.write_text("\n".join([*lines, "  return 98;", "}", ""]), encoding="ascii")
    subprocess.run(["cc", "-w", "-O0", "-pthread", "-o", program, source], check=True)
    return program


class Sandbox:
    """A folder with a secret and the attacks, and the isolation."""

    def __init__(self, folder: Path, isolation: Isolation) -> None:
        self.folder, self.isolation = folder, isolation
        self.work, self.secret = folder / "work", folder / "secret"
        self.work.mkdir()
        self.secret.write_text(SECRET, encoding="ascii")
        self.secret.chmod(0o666)  # what keeps it is the sandbox
        self.program = compile_attacks(folder)
        self.inside = f"/w/{self.program.name}"

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
