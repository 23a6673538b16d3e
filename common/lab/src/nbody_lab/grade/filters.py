"""The system calls that a sandbox forbids (seccomp), by libseccomp, which knows each processor's call numbers."""

import ctypes
import errno
from pathlib import Path
from typing import Any

_ALLOW = 0x7FFF0000
_ERRNO = 0x00050000
_NEW_USER = 0x10000000  # CLONE_NEWUSER
_NOT_EQUAL, _MASKED_EQUAL = 1, 7
_UNIX_SOCKETS = 1  # AF_UNIX

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


def write_filter(file: Path, gpu: bool) -> None:
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
    # A network namespace does not confine all families: AF_VSOCK reaches the hypervisor.
    for call in ("socket", "socketpair"):
        forbid(call, _Comparison(0, _NOT_EQUAL, _UNIX_SOCKETS, 0))
    forbid("clone", _Comparison(0, _MASKED_EQUAL, _NEW_USER, _NEW_USER))
    # Its flags are in memory, where filters cannot look. Without it, the C library uses clone.
    forbid("clone3", error=errno.ENOSYS)
    with file.open("wb") as opened:
        failed = seccomp.seccomp_export_bpf(rules, opened.fileno())
    seccomp.seccomp_release(rules)
    if failed:
        raise OSError(-failed, "libseccomp cannot write its filter", str(file))
