"""The command line of bubblewrap: own namespaces, a read-only system, nothing else of the host.

Root creates the namespaces directly, and the program runs under its own user number. This works on systems that forbid
user namespaces; everybody else needs one."""

from __future__ import annotations

import glob
import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from nbody_lab.grade.filters import write_filter
from nbody_lab.grade.limits import MB, namespaces_count_apart, prlimit_words
from nbody_lab.grade.watch import owner_name

if TYPE_CHECKING:
    from nbody_lab.grade.limits import Limits

Binds = Sequence[tuple[str | os.PathLike[str], str | os.PathLike[str]]]  # (path here, path inside)

_SYSTEM = ("/lib", "/lib32", "/lib64", "/libx32", "/bin", "/sbin")
_SETTINGS = ("/etc/alternatives", "/etc/ld.so.cache")
_ENVIRONMENT = {"PATH": "/usr/bin:/bin", "HOME": "/", "LC_ALL": "C.UTF-8"}
_LARGEST_TMP = 256 * MB
_ROOTS_RIGHTS = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP")  # needed to drop root's rights
_PASSED_IN = 9  # the descriptor that passes the filter
_SOCKET = "/lab_socket"  # inside
FOLDERS = "lab_isolation_"  # in /tmp; followed by the process that made it


@dataclass(frozen=True)
class Access:
    """What a program sees and may use of this machine."""

    read_only: Binds = ()
    writable: Binds = ()
    folder: str = "/"  # where it starts
    gpu: bool = False
    environment: Mapping[str, object] = field(default_factory=dict)


class Bubblewrap:
    kind = "bubblewrap"

    def __init__(self, as_root: bool) -> None:
        """Raises OSError if libseccomp is missing."""
        self.as_root = as_root
        self.program = shutil.which("bwrap") or ""
        self.options = ""
        if self.program:
            help_text = [self.program, "--help"]
            self.options = subprocess.run(
                help_text, capture_output=True, text=True, check=False
            ).stdout
        self._folder = tempfile.TemporaryDirectory(prefix=f"{FOLDERS}{owner_name()}_")
        self.filters = {gpu: Path(self._folder.name, f"gpu_{gpu}") for gpu in (False, True)}
        for gpu, file in self.filters.items():
            write_filter(file, gpu)

    def words(
        self,
        program_words: Iterable[object],
        limits: Limits,
        access: Access,
        uid: int = 0,
        enter: Sequence[Path] = (),
        info: int | None = None,
        serves: bool = False,
    ) -> list[str]:
        """`enter`: cgroup files to which the process adds itself. `info`: a descriptor to which bubblewrap reports the
        first process inside and how the program ended. With `serves` the program talks through the socket whose path
        the checker or the clock puts in place of the word SOCKET."""
        words = [self.program, *self._namespaces(), *self._system(limits, access.gpu), "--clearenv"]
        socket = {"LAB_SOCKET": _SOCKET} if serves else {}
        for name, value in {**_ENVIRONMENT, **access.environment, **socket}.items():
            words += ["--setenv", name, str(value)]
        words += _folders_above(where for _, where in (*access.read_only, *access.writable))
        for kind, binds in (("--ro-bind", access.read_only), ("--bind", access.writable)):
            for host, where in binds:
                words += [kind, str(host), str(where)]
        words += ["--ro-bind", "SOCKET", _SOCKET] if serves else []
        words += ["--remount-ro", "/", "--chdir", access.folder]
        words += ["--json-status-fd", str(info)] if info is not None else []
        words += ["--seccomp", str(_PASSED_IN), "--", *self._drop_rights(limits, access.gpu, uid)]
        return [*_start_by_shell(enter, self.filters[access.gpu]), *words, *map(str, program_words)]

    def _namespaces(self) -> list[str]:
        words = "--unshare-pid --unshare-net --unshare-ipc --unshare-uts --unshare-cgroup-try"
        words += " --hostname lab --die-with-parent --new-session --cap-drop ALL"
        if self.as_root:
            return words.split() + [
                word for right in _ROOTS_RIGHTS for word in ("--cap-add", right)
            ]
        disable = ["--disable-userns"] if "--disable-userns" in self.options else []
        return ["--unshare-user", *disable, *words.split()]

    def _system(self, limits: Limits, gpu: bool) -> list[str]:
        words = ["--ro-bind", "/usr", "/usr"]
        for path in _SYSTEM:
            if os.path.islink(path):
                words += ["--symlink", os.readlink(path), path]
            elif os.path.isdir(path):
                words += ["--ro-bind", path, path]
        words += _folders_above(_SETTINGS)
        for path in _SETTINGS:
            words += ["--ro-bind-try", path, path]
        words += ["--proc", "/proc", "--dev", "/dev"]
        if gpu:
            for device in sorted(glob.glob("/dev/nvidia*") + glob.glob("/dev/dri")):
                words += ["--dev-bind", device, device]
            words += ["--ro-bind", "/sys", "/sys"]
        words += ["--remount-ro", "/dev"]  # including /dev/shm, whose memory would not be counted
        if "--size" in self.options:
            size = min(limits.file_bytes, _LARGEST_TMP)
            words += ["--perms", "1777", "--size", str(size), "--tmpfs", "/tmp"]
        return words

    def _drop_rights(self, limits: Limits, gpu: bool, uid: int) -> list[str]:
        """The prefix inside the namespaces, where the kernel counts processes separately."""
        if not self.as_root:
            return prlimit_words(limits, gpu, namespaces_count_apart())
        drop = "--clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all"
        user = [f"--reuid={uid}", f"--regid={uid}"]
        return [*prlimit_words(limits, gpu), "setpriv", *user, *drop.split()]


def _folders_above(paths: Iterable[str | os.PathLike[str]]) -> list[str]:
    """Options that create parent folders; bubblewrap would make them readable for its own user only."""
    above = sorted({str(parent) for path in paths for parent in Path(path).parents} - {"/", "/usr"})
    return [word for folder in above for word in ("--perms", "0755", "--dir", folder)]


def _start_by_shell(enter: Sequence[Path], filter_file: Path) -> list[str]:
    """A shell that enters the cgroups, opens the filter and replaces itself by bubblewrap, with an empty environment:
    the program could read it from the first process inside."""
    script = "".join(f"echo $$ >{shlex.quote(str(path))} || exit 125; " for path in enter)
    opened = f"{_PASSED_IN}<{shlex.quote(str(filter_file))}"
    return ["/bin/sh", "-c", f'{script}exec /usr/bin/env -i "$@" {opened}', "sh"]


# --- why it does not start ---

_FORBIDDEN = (  # setting, its value that forbids, what an administrator does
    (
        *("kernel.apparmor_restrict_unprivileged_userns", "1"),
        "AppArmor forbids user namespaces: an administrator can allow them with a profile for /usr/bin/bwrap or "
        "`sysctl -w kernel.apparmor_restrict_unprivileged_userns=0`",
    ),
    (
        *("kernel.unprivileged_userns_clone", "0"),
        "user namespaces are off: an administrator can set `sysctl -w kernel.unprivileged_userns_clone=1`",
    ),
    (
        *("user.max_user_namespaces", "0"),
        "user namespaces are off: an administrator can set `sysctl -w user.max_user_namespaces=10000`",
    ),
)
_IN_CONTAINER = ("Can't mount proc", "Creating new namespace failed", "No permissions to c")


def _read_sysctl(name: str) -> str:
    try:
        return Path("/proc/sys", name.replace(".", "/")).read_text(encoding="utf-8").strip()
    except OSError:
        return ""


def explain_refusal(said: str, read: Callable[[str], str] = _read_sysctl) -> str:
    """Why bubblewrap did not start, in one line that tells an administrator what to change."""
    for setting, forbids, why in _FORBIDDEN:
        if read(setting) == forbids:
            return why
    last = next((line for line in reversed(said.splitlines()) if line.strip()), "no message")
    if any(words in said for words in _IN_CONTAINER):
        return f"{last}; in a container: start it with --privileged, or grade outside of it"
    return last
