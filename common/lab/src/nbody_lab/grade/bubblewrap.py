"""The command line of bubblewrap: own namespaces, a read-only system, nothing else of the host.

Root creates the namespaces directly, and the program runs under its own user number. This works on systems that forbid
user namespaces; everybody else needs one."""

import glob
import os
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path

from nbody_lab.grade import filters
from nbody_lab.grade.limits import MB, namespaces_count_apart, prlimit_words

SYSTEM = ("/lib", "/lib32", "/lib64", "/libx32", "/bin", "/sbin")
SETTINGS = ("/etc/alternatives", "/etc/ld.so.cache")
LARGEST_TMP = 256 * MB
ROOTS_RIGHTS = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP")  # needed to drop root's rights
PASSED_IN = 9  # the descriptor that passes the filter
SOCKET = "/lab_socket"  # inside


class Bubblewrap:
    kind = "bubblewrap"

    def __init__(self, as_root):
        self.as_root = as_root
        self.program = shutil.which("bwrap")
        self.options = self.help_text() if self.program else ""
        self.folder = tempfile.TemporaryDirectory(prefix="lab_isolation_")
        self.filters = {
            name: filters.write(Path(self.folder.name), name) for name in ("cpu", "gpu")
        }

    def missing(self):
        return (
            ""
            if self.program
            else "it is not installed: ./lab setup --grading, or apt-get install bubblewrap"
        )

    @staticmethod
    def banner(_):
        return ""

    def help_text(self):
        return subprocess.run(
            [self.program, "--help"], capture_output=True, text=True, check=False
        ).stdout

    def words(
        self,
        program_words,
        limits,
        read_only=(),
        writable=(),
        folder="/",
        gpu=False,
        environment=None,
        uid=0,
        enter=(),
        info=None,
        serves=False,
    ):
        """The command line. `enter`: cgroup files to which the process adds itself. `info`: a descriptor to which
        bubblewrap reports the first process inside and how the program ended. With `serves` the program talks through
        the socket whose path the checker or the clock puts in place of the word SOCKET."""
        environment = {**(environment or {}), **({"LAB_SOCKET": SOCKET} if serves else {})}
        inside = [*self.limit_words(limits, gpu, uid), *program_words]
        words = [
            self.program,
            *self.namespaces(),
            *self.system(limits, gpu),
            *self.environment(environment),
        ]
        words += folders_above([where for _, where in (*read_only, *writable)])
        for kind, binds in (("--ro-bind", read_only), ("--bind", writable)):
            for host, where in binds:
                words += [kind, str(host), str(where)]
        words += ["--ro-bind", "SOCKET", SOCKET] if serves else []
        words += ["--remount-ro", "/", "--chdir", folder]
        words += ["--json-status-fd", str(info)] if info is not None else []
        filtered = self.filters["gpu" if gpu else "cpu"]
        words += ["--seccomp", str(PASSED_IN)] if filtered else []
        return [str(word) for word in [*started_by_shell(enter, filtered), *words, "--", *inside]]

    def namespaces(self):
        words = [
            "--unshare-pid",
            "--unshare-net",
            "--unshare-ipc",
            "--unshare-uts",
            "--unshare-cgroup-try",
            "--hostname",
            "lab",
            "--die-with-parent",
            "--new-session",
            "--cap-drop",
            "ALL",
        ]
        if self.as_root:
            return words + [word for right in ROOTS_RIGHTS for word in ("--cap-add", right)]
        return [
            "--unshare-user",
            *(["--disable-userns"] if "--disable-userns" in self.options else []),
            *words,
        ]

    def system(self, limits, gpu):
        words = ["--ro-bind", "/usr", "/usr"]
        for path in SYSTEM:
            if os.path.islink(path):
                words += ["--symlink", os.readlink(path), path]
            elif os.path.isdir(path):
                words += ["--ro-bind", path, path]
        words += folders_above(SETTINGS)
        for path in SETTINGS:
            words += ["--ro-bind-try", path, path]
        words += ["--proc", "/proc", "--dev", "/dev"]
        if gpu:
            for device in sorted(glob.glob("/dev/nvidia*") + glob.glob("/dev/dri")):
                words += ["--dev-bind", device, device]
            words += ["--ro-bind", "/sys", "/sys"]
        words += ["--remount-ro", "/dev"]  # including /dev/shm, whose memory would not be counted
        if "--size" in self.options:
            words += [
                "--perms",
                "1777",
                "--size",
                str(min(limits.file_bytes, LARGEST_TMP)),
                "--tmpfs",
                "/tmp",
            ]
        return words

    @staticmethod
    def environment(more):
        words = ["--clearenv"]
        for name, value in {
            "PATH": "/usr/bin:/bin",
            "HOME": "/",
            "LC_ALL": "C.UTF-8",
            **more,
        }.items():
            words += ["--setenv", name, str(value)]
        return words

    def limit_words(self, limits, gpu, uid):
        """The prlimit prefix inside the namespaces, where the kernel counts processes separately."""
        if not self.as_root:
            return prlimit_words(limits, gpu, namespaces_count_apart())
        return [
            *prlimit_words(limits, gpu),
            "setpriv",
            f"--reuid={uid}",
            f"--regid={uid}",
            "--clear-groups",
            "--no-new-privs",
            "--inh-caps=-all",
            "--bounding-set=-all",
        ]


def folders_above(paths):
    """Options that create parent folders; bubblewrap would make them readable for its own user only."""
    above = sorted({str(parent) for path in paths for parent in Path(path).parents} - {"/", "/usr"})
    return [word for folder in above for word in ("--perms", "0755", "--dir", folder)]


def started_by_shell(enter, filtered):
    """A shell that enters the cgroups, opens the filter and replaces itself by bubblewrap, with an empty environment:
    the program could read it from the first process inside."""
    script = "".join(f"echo $$ >{shlex.quote(str(path))} || exit 125; " for path in enter)
    source = f" {PASSED_IN}<{shlex.quote(str(filtered))}" if filtered else ""
    return ["/bin/sh", "-c", f'{script}exec /usr/bin/env -i "$@"{source}', "sh"]


def sysctl(name):
    try:
        return Path("/proc/sys", name.replace(".", "/")).read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def reason(said, read=sysctl):
    """Why bubblewrap did not start, in one line that tells an administrator what to change."""
    if read("kernel.apparmor_restrict_unprivileged_userns") == "1":
        return (
            "AppArmor forbids user namespaces; an administrator can allow them with a profile for /usr/bin/bwrap "
            "or `sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`"
        )
    if read("kernel.unprivileged_userns_clone") == "0":
        return "user namespaces are off; an administrator can set `sysctl -w kernel.unprivileged_userns_clone=1`"
    if read("user.max_user_namespaces") == "0":
        return "user namespaces are off; an administrator can set `sysctl -w user.max_user_namespaces=10000`"
    lines = [line for line in said.splitlines() if line.strip()]
    last = lines[-1] if lines else "no message"
    if (
        "Can't mount proc" in said
        or "Creating new namespace failed" in said
        or "No permissions to c" in said
    ):
        return f"{last}; in a container: start it with --privileged, or grade outside of it"
    return last
