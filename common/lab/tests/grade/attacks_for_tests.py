"""For tests: tiny hostile programs, each of which takes too much or looks where it should not, and their sandbox."""

import subprocess
from pathlib import Path
from typing import Any

import psutil

from nbody_lab.grade.sandbox import MB, Ended, Limits, Sandbox

SMALL = Limits(
    wall_s=20, cpu_s=10, memory_bytes=128 * MB, processes=24, file_bytes=4 * MB, output_bytes=65536
)
SECRET = "the reference answers"
# Bodies of C functions.
_C = {
    "spin_four": "fork(); fork(); signal(SIGXCPU, SIG_IGN); for (;;) {}",
    "sleep": "signal(SIGTERM, SIG_IGN); for (;;) pause();",
    # Each process is within its limit, all together exceed it.
    "memory_of_many": """for (int k = 0; k < 12; ++k) if (fork() == 0) break;
        char *m = malloc(24 << 20); if (m) memset(m, 1, 24 << 20); pause();""",
    "many": "for (int k = 0; k < 100; ++k) if (fork() == 0) break; pause();",
    "forks": "int n = 0; while (n < 5000 && fork() >= 0) ++n; usleep(200000); return 1;",
    "big_file": """char b[65536] = {1}; FILE *f = fopen("big", "w");
        while (f && fwrite(b, sizeof b, 1, f)) {} return 9;""",
    "output": 'for (;;) puts("passed passed passed");',
    "daemon": """if (fork()) return 0; setsid(); if (fork()) _exit(0);
        close(0); close(1); close(2); for (;;) pause();""",
}
_HEADERS = "stdio.h stdlib.h string.h unistd.h signal.h".split()


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
    subprocess.run(["cc", "-w", "-O0", "-o", program, source], check=True)
    return program


class Attacked:
    """A folder with a secret and the attacks, and sandboxes in which they run."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.secret = folder, folder / "secret"
        self.secret.write_text(SECRET, encoding="ascii")
        self.secret.chmod(0o666)  # what keeps it is the sandbox
        self.work = folder / "work"
        self.work.mkdir()
        self.program = compile_attacks(folder)
        self.inside = f"/w/{self.program.name}"

    def sandbox(self, limits: Limits = SMALL, **more: Any) -> Sandbox:
        return Sandbox(limits, [(self.program, self.inside)], **more)

    def attack(self, name: str, **limits: float) -> Ended:
        """In a folder that it may write to, which no student's program has."""
        sandbox = self.sandbox(SMALL._replace(**limits), writable=[(self.work, "/work")])
        return sandbox.run(["/bin/sh", "-c", 'cd /work && exec "$@"', "sh", self.inside, name])

    def shell(self, script: str, **more: Any) -> Ended:
        return self.sandbox(**more).run(["/bin/sh", "-c", script])

    def running(self, attack: str) -> list[psutil.Process]:
        """Its processes."""
        return [
            one
            for one in psutil.process_iter(["cmdline", "status"])
            if one.info["cmdline"] == [self.inside, attack]
            and one.info["status"] != psutil.STATUS_ZOMBIE
        ]
