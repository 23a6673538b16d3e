"""Runs a tiny program in a sandbox that reports everything it sees but should not."""

import os

from grade.bubblewrap import reason
from grade.contained import NotStarted
from grade.limits import MB, Limits

LIMITS = Limits(wall_s=10, cpu_s=5, memory_bytes=512 * MB, processes=32, file_bytes=MB, output_bytes=65536)

# Uses only the shell's own commands, so that nothing else is needed. Each line that it prints is a leak.
READS = """for file in "$@"; do (: <"$file") 2>/dev/null && echo "it reads $file"; done
for folder in / /usr /dev /dev/shm /etc /var/tmp; do (: >"$folder/lab_probe") 2>/dev/null && echo "it writes to $folder"; done
"""
SEES = """for file in "$@"; do [ -e "$file" ] && echo "it sees $file"; done
set -- /proc/[0-9]*; [ $# -le 5 ] || echo "it sees $# processes"
while read -r name rest; do case $name in *:*) [ "$name" = lo: ] || echo "it has the network $name";; esac; done </proc/net/dev
"""
USER = """[ "$(id -u)" != 0 ] || echo "it runs as root"
"""
END = "echo looked around\n"


def leaks(isolation, root):
    """"" if the sandbox is tight, else one line that says what is wrong. With "none" the program only has to start."""
    missing = isolation.builder.missing()
    if missing:
        return missing
    script = {"bubblewrap": READS + SEES, "landlock": READS, "none": ""}[isolation.kind]
    hidden = [name for name in ("/etc/shadow", "/etc/passwd", "/root/.bashrc", "/home", str(root / "lab")) if os.path.exists(name)]
    try:
        ended = isolation.run(["/bin/sh", "-c", script + (USER if isolation.builder.as_root else "") + END, "sh", *hidden], LIMITS)
    except NotStarted as fault:
        return reason(str(fault))
    except OSError as fault:
        return str(fault)
    lines = ended.stdout.decode(errors="replace").splitlines()
    if lines[-1:] != ["looked around"]:
        return reason((ended.stderr or ended.stdout).decode(errors="replace"))
    return "; ".join(lines[:-1])
