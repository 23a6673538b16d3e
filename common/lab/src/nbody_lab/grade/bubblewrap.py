"""The command line of bubblewrap: own namespaces, a read-only system, nothing else of the host.

Root creates the namespaces directly, and the program runs under its own user number. This works on systems that forbid
user namespaces; everybody else needs one."""

import ctypes
import errno
import glob
import os
import shlex
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nbody_lab.grade.limits import MB, Limits, namespaces_count_apart, prlimit_words
from nbody_lab.grade.watch import owner_name, read_proc

Binds = Sequence[tuple[str | os.PathLike[str], str | os.PathLike[str]]]  # (path here, path inside)

_SYSTEM = ("/lib", "/lib32", "/lib64", "/libx32", "/bin", "/sbin")
_SETTINGS = ("/etc/alternatives", "/etc/ld.so.cache")
_ENVIRONMENT = {"PATH": "/usr/bin:/bin", "HOME": "/", "LC_ALL": "C.UTF-8"}
# Ranks exchange messages through /dev/shm alone: nothing else of the host is there, and no process reads another's
# memory. What a library looks for in vain is no matter.
_RANKS = {
    "UCX_TLS": "self,posix",
    "UCX_LOG_LEVEL": "fatal",
    "HWLOC_HIDE_ERRORS": "2",
    "OMPI_MCA_btl": "self,vader",
    "OMPI_MCA_btl_vader_single_copy_mechanism": "none",
}
_LARGEST_TMP = 256 * MB
_ROOTS_RIGHTS = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP")  # needed to drop root's rights
_PASSED_IN = 9  # the descriptor that passes the filter
_SOCKET = "/lab_socket"  # inside
_HOST = "lab"  # the name of this machine inside
FOLDERS = "lab_isolation_"  # in /tmp; followed by the process that made it


@dataclass(frozen=True)
class Access:
    """What a program sees and may use of this machine."""

    read_only: Binds = ()
    writable: Binds = ()
    folder: str = "/"  # where it starts
    gpu: bool = False
    ranks: bool = False  # several processes with messages, within the sandbox
    environment: Mapping[str, object] = field(default_factory=dict)


class Bubblewrap:
    kind = "bubblewrap"

    def __init__(self, program: str, as_root: bool) -> None:
        """`program`: bwrap. Raises OSError if libseccomp is missing."""
        self.program, self.as_root = program, as_root
        argv = [program, "--help"]
        self.options = subprocess.run(argv, capture_output=True, text=True, check=False).stdout
        self._folder = tempfile.TemporaryDirectory(prefix=f"{FOLDERS}{owner_name()}_")
        folder = Path(self._folder.name)
        self.filters = {
            (gpu, ranks): _write_filter(folder / f"gpu_{gpu}_ranks_{ranks}", gpu, ranks)
            for gpu in (False, True)
            for ranks in (False, True)
        }
        self.hosts = folder / "hosts"
        self.hosts.write_text(f"127.0.0.1 localhost {_HOST}\n", encoding="ascii")

    def words(
        self,
        program_words: Iterable[object],
        limits: Limits,
        access: Access,
        uid: int = 0,
        enter: Path | None = None,
        info: int | None = None,
        serves: bool = False,
    ) -> list[str]:
        """`enter`: the cgroup's file to which the process adds itself. `info`: a descriptor to which bubblewrap reports the
        first process inside and how the program ended. With `serves` the program talks through the socket whose path
        the checker or the clock puts in place of the word SOCKET."""
        words = [self.program, *self._namespaces(), *self._system(limits, access), "--clearenv"]
        more = {**(_RANKS if access.ranks else {}), **({"LAB_SOCKET": _SOCKET} if serves else {})}
        for name, value in {**_ENVIRONMENT, **more, **access.environment}.items():
            words += ["--setenv", name, str(value)]
        words += _folders_above(where for _, where in (*access.read_only, *access.writable))
        for kind, binds in (("--ro-bind", access.read_only), ("--bind", access.writable)):
            for host, where in binds:
                words += [kind, str(host), str(where)]
        words += ["--ro-bind", "SOCKET", _SOCKET] if serves else []
        words += ["--remount-ro", "/", "--chdir", access.folder]
        words += ["--json-status-fd", str(info)] if info is not None else []
        words += ["--seccomp", str(_PASSED_IN), "--", *self._drop_rights(limits, access.gpu, uid)]
        return [
            *_start_by_shell(enter, self.filters[access.gpu, access.ranks]),
            *words,
            *map(str, program_words),
        ]

    def _namespaces(self) -> list[str]:
        words = "--unshare-pid --unshare-net --unshare-ipc --unshare-uts --unshare-cgroup-try"
        words += f" --hostname {_HOST} --die-with-parent --new-session --cap-drop ALL"
        if self.as_root:
            return words.split() + [
                word for right in _ROOTS_RIGHTS for word in ("--cap-add", right)
            ]
        disable = ["--disable-userns"] if "--disable-userns" in self.options else []
        return ["--unshare-user", *disable, *words.split()]

    def _system(self, limits: Limits, access: Access) -> list[str]:
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
        if access.gpu:
            for device in sorted(glob.glob("/dev/nvidia*") + glob.glob("/dev/dri")):
                words += ["--dev-bind", device, device]
            words += ["--ro-bind", "/sys", "/sys"]
        words += ["--remount-ro", "/dev"]  # including /dev/shm, whose memory would not be counted
        if (
            "--size" in self.options
        ):  # bubblewrap 0.6 lacks it: no /tmp rather than one without a limit
            size = ["--perms", "1777", "--size", str(min(limits.file_bytes, _LARGEST_TMP))]
            words += [*size, "--tmpfs", "/tmp"]
            # Where ranks exchange their messages; in its cgroup this memory is counted.
            words += [*size, "--tmpfs", "/dev/shm"] if access.ranks else []
        words += ["--ro-bind", str(self.hosts), "/etc/hosts"] if access.ranks else []
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


def _start_by_shell(enter: Path | None, filter_file: Path) -> list[str]:
    """A shell that enters the cgroup, opens the filter and replaces itself by bubblewrap, with an empty environment:
    the program could read it from the first process inside."""
    script = f"echo $$ >{shlex.quote(str(enter))} || exit 125; " if enter else ""
    opened = f"{_PASSED_IN}<{shlex.quote(str(filter_file))}"
    return ["/bin/sh", "-c", f'{script}exec /usr/bin/env -i "$@" {opened}', "sh"]


# --- the system calls that it forbids (seccomp), by libseccomp, which knows each processor's call numbers ---

_ALLOW = 0x7FFF0000
_ERRNO = 0x00050000
_NEW_USER = 0x10000000  # CLONE_NEWUSER
_NOT_EQUAL, _EQUAL, _GREATER, _MASKED_EQUAL = 1, 4, 6, 7
_UNIX_SOCKETS = 1  # AF_UNIX
# Families for messages between ranks: these three see only the sandbox's own network, which is a loopback.
_OF_RANKS = (_UNIX_SOCKETS, 2, 10, 16)  # and AF_INET, AF_INET6, AF_NETLINK

_KERNEL = """mount umount2 pivot_root chroot unshare setns ptrace process_vm_readv process_vm_writev keyctl add_key
    request_key bpf perf_event_open userfaultfd io_uring_setup open_by_handle_at name_to_handle_at kexec_load
    fsopen open_tree move_mount mount_setattr quotactl syslog acct swapon modify_ldt io_setup fanotify_init
    inotify_init inotify_init1 pidfd_open pidfd_getfd pidfd_send_signal""".split()
# Memory that escapes the limits of a process until it is mapped. A GPU's driver needs it.
_MEMORY = "memfd_create memfd_secret shmget msgget semget mq_open".split()


class _Comparison(ctypes.Structure):
    _fields_ = (
        ("argument", ctypes.c_uint),
        ("operation", ctypes.c_int),
        ("first", ctypes.c_uint64),
        ("second", ctypes.c_uint64),
    )


def _load_library() -> Any:
    """libseccomp. Raises OSError if it is missing."""
    found = ctypes.CDLL("libseccomp.so.2", use_errno=True)
    rules, number = ctypes.c_void_p, ctypes.c_uint32
    found.seccomp_init.restype = rules
    found.seccomp_init.argtypes = [number]
    found.seccomp_syscall_resolve_name.argtypes = [ctypes.c_char_p]
    found.seccomp_rule_add_array.argtypes = [
        *(rules, number, ctypes.c_int, ctypes.c_uint),
        ctypes.POINTER(_Comparison),
    ]
    found.seccomp_export_bpf.argtypes = [rules, ctypes.c_int]
    found.seccomp_release.argtypes = [rules]
    return found


def _other_families(ranks: bool) -> list[_Comparison]:
    """The first argument of socket() for the families that are forbidden. A network namespace does not confine all:
    AF_VSOCK reaches the hypervisor."""
    if not ranks:
        return [_Comparison(0, _NOT_EQUAL, _UNIX_SOCKETS, 0)]
    known = range(max(_OF_RANKS))
    forbidden = [_Comparison(0, _EQUAL, one, 0) for one in known if one not in _OF_RANKS]
    return [*forbidden, _Comparison(0, _GREATER, max(_OF_RANKS), 0)]


def _write_filter(file: Path, gpu: bool, ranks: bool = False) -> Path:
    """Writes the filter for bubblewrap. Calls unknown to this system are left out. Raises OSError."""
    seccomp = _load_library()
    rules = seccomp.seccomp_init(_ALLOW)

    def forbid(call: str, *when: _Comparison, error: int = errno.EPERM) -> None:
        number = seccomp.seccomp_syscall_resolve_name(call.encode())
        if number >= 0:
            conditions = (_Comparison * len(when))(*when) if when else None
            seccomp.seccomp_rule_add_array(rules, _ERRNO | error, number, len(when), conditions)

    for call in _KERNEL if gpu else _KERNEL + _MEMORY:
        forbid(call)
    for call in ("socket", "socketpair"):
        for family in _other_families(ranks):
            forbid(call, family)
    forbid("clone", _Comparison(0, _MASKED_EQUAL, _NEW_USER, _NEW_USER))
    # Its flags are in memory, where filters cannot look. Without it, the C library uses clone.
    forbid("clone3", error=errno.ENOSYS)
    # It takes room on the disk beyond the limit on files. Without it, the C library writes zeros.
    forbid("fallocate", error=errno.EOPNOTSUPP)
    with file.open("wb") as opened:
        failed = seccomp.seccomp_export_bpf(rules, opened.fileno())
    seccomp.seccomp_release(rules)
    if failed:
        raise OSError(-failed, "libseccomp cannot write its filter", str(file))
    return file


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
    return read_proc(f"/proc/sys/{name.replace('.', '/')}").strip()


def explain_refusal(said: str, read: Callable[[str], str] = _read_sysctl) -> str:
    """Why bubblewrap did not start, in one line that tells an administrator what to change."""
    for setting, forbids, why in _FORBIDDEN:
        if read(setting) == forbids:
            return why
    last = next((line for line in reversed(said.splitlines()) if line.strip()), "no message")
    if any(words in said for words in _IN_CONTAINER):
        return f"{last}; in a container: start it with --privileged, or grade outside of it"
    return last
