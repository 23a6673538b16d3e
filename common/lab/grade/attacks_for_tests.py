"""Tiny hostile programs: each takes too much, or looks where it should not. In C, compiled by cc, and shell."""

import subprocess
from pathlib import Path

C = {
    "spin": "for (;;) {}",
    "spin_four": "fork(); fork(); signal(SIGXCPU, SIG_IGN); for (;;) {}",
    "sleep": "signal(SIGTERM, SIG_IGN); for (;;) pause();",
    "memory": "for (;;) { char *m = malloc(1 << 24); if (!m) { fputs(\"out of memory\", stderr); return 1; } memset(m, 1, 1 << 24); }",
    # Each process is within its limit, all together exceed it.
    "memory_of_many": "for (int k = 0; k < 12; ++k) if (fork() == 0) break; char *m = malloc(24 << 20); if (m) memset(m, 1, 24 << 20); pause();",
    "many": "for (int k = 0; k < 100; ++k) if (fork() == 0) break; pause();",
    "shared_memory": "int n = shmget(IPC_PRIVATE, 1 << 20, 0600); perror(\"\"); return n < 0 ? 7 : 0;",
    "memory_file": "int n = memfd_create(\"x\", 0); perror(\"\"); return n < 0 ? 7 : 0;",
    "forks": "int n = 0; while (n < 5000 && fork() >= 0) ++n; usleep(200000); return 1;",
    "fork_count": "int n = 0; for (; n < 500; ++n) { int p = fork(); if (p < 0) break; if (!p) { pause(); } } printf(\"%d\", n); fflush(stdout); kill(0, SIGKILL);",
    "big_file": "char b[65536] = {1}; FILE *f = fopen(\"big\", \"w\"); while (f && fwrite(b, sizeof b, 1, f)) {} return 9;",
    "many_files": "char b[262144] = {1}, n[32]; for (int k = 0;; ++k) { sprintf(n, \"f%d\", k); FILE *f = fopen(n, \"w\"); if (!f) return 9; fwrite(b, sizeof b, 1, f); fclose(f); usleep(1000); }",
    "open_files": "int n = 0; while (open(\"/dev/null\", O_RDONLY) >= 0) ++n; printf(\"%d\", n);",
    "output": "for (;;) puts(\"passed passed passed\");",
    "daemon": "if (fork()) return 0; setsid(); if (fork()) _exit(0); close(0); close(1); close(2); for (;;) pause();",
    "socket": "int n = socket(AF_INET, SOCK_DGRAM, 0); struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = 9, .sin_addr = {htonl(0x01010101)}};"
              " return n >= 0 && connect(n, (void *)&a, sizeof a) == 0 ? 0 : 7;",
    "user_namespace": "return unshare(CLONE_NEWUSER) == 0 ? 0 : 7;",
    "clone_user": "long p = syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0); return p >= 0 ? 0 : 7;",
    "trace": "return ptrace(PTRACE_ATTACH, getppid(), 0, 0) == 0 ? 0 : 7;",
    "freeze_parent": "return kill(getppid(), SIGSTOP) == 0 && kill(-1, SIGSTOP) == 0 ? 0 : 7;",
    "privileges": "return setuid(0) == 0 ? 0 : 7;",
    "descriptors": "int n = 0; for (int k = 3; k < 1024; ++k) n += fcntl(k, F_GETFD) >= 0; return n;",
    "environment": "extern char **environ; for (char **e = environ; *e; ++e) puts(*e);",
    "threads": "int n = 0; pthread_t t; while (n < 2000 && pthread_create(&t, 0, (void *(*)(void *))sleep, (void *)9) == 0) ++n; printf(\"%d\", n);",
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
#include <netinet/in.h>
"""


def compile_all(folder):
    """Compiles all attacks into one program, which its argument selects. The program's name is unique, so that parallel
    tests only find their own."""
    source, program = Path(folder, "attacks.c"), Path(folder, f"attacks_of_{Path(folder).name}")
    text = HEADERS + "".join(f"static int {name}_(void) {{ {body} return 0; }}\n" for name, body in C.items())
    rows = "".join(f'  if (strcmp(v[1], "{name}") == 0) return {name}_();\n' for name in C)
    source.write_text(f"{text}int main(int c, char **v) {{\n  if (c < 2) return 99;\n{rows}  return 98;\n}}\n", encoding="ascii")
    subprocess.run(["cc", "-w", "-O0", "-pthread", "-o", program, source], check=True)
    return program
