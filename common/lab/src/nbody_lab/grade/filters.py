"""System call filters (seccomp) for a sandbox, made by libseccomp, which knows each processor's call numbers."""

import ctypes
import errno
import os

ALLOW = 0x7FFF0000
ERRNO = 0x00050000
NEW_USER = 0x10000000  # CLONE_NEWUSER
NOT_EQUAL, MASKED_EQUAL = 1, 7

KERNEL = """mount umount2 pivot_root chroot unshare setns ptrace process_vm_readv process_vm_writev keyctl add_key
    request_key bpf perf_event_open userfaultfd io_uring_setup open_by_handle_at name_to_handle_at kexec_load
    fsopen open_tree move_mount mount_setattr quotactl syslog acct swapon""".split()
# Memory that escapes the limits of a process until it is mapped.
MEMORY = "memfd_create memfd_secret shmget msgget semget mq_open".split()
# Other programs and the network, for sandboxes without namespaces.
OTHERS = "socket socketpair kill tkill rt_sigqueueinfo rt_tgsigqueueinfo pidfd_open pidfd_send_signal".split()
# A GPU driver listens on its own socket, but nothing connects to it.
CONNECTIONS = "connect accept4 sendto sendmsg sendmmsg".split()
UNIX_SOCKETS = 1
FILTERS = {
    "cpu": KERNEL + MEMORY,
    "gpu": KERNEL,
    "closed": KERNEL + MEMORY + OTHERS,
    "closed_gpu": KERNEL + [call for call in OTHERS if call != "socket"] + CONNECTIONS,
}


class Comparison(ctypes.Structure):
    _fields_ = [
        ("argument", ctypes.c_uint),
        ("operation", ctypes.c_int),
        ("first", ctypes.c_uint64),
        ("second", ctypes.c_uint64),
    ]


def library():
    """libseccomp; None if it is missing."""
    try:
        found = ctypes.CDLL("libseccomp.so.2", use_errno=True)
    except OSError:
        return None
    found.seccomp_init.restype = ctypes.c_void_p
    found.seccomp_init.argtypes = [ctypes.c_uint32]
    found.seccomp_syscall_resolve_name.argtypes = [ctypes.c_char_p]
    found.seccomp_rule_add_array.argtypes = [
        ctypes.c_void_p,
        ctypes.c_uint32,
        ctypes.c_int,
        ctypes.c_uint,
        ctypes.POINTER(Comparison),
    ]
    found.seccomp_export_bpf.argtypes = [ctypes.c_void_p, ctypes.c_int]
    found.seccomp_load.argtypes = [ctypes.c_void_p]
    found.seccomp_release.argtypes = [ctypes.c_void_p]
    return found


def made(seccomp, name):
    """A libseccomp filter, to export or load. Calls unknown to this system are left out."""
    rules = seccomp.seccomp_init(ALLOW)
    for call in FILTERS[name]:
        number = seccomp.seccomp_syscall_resolve_name(call.encode())
        if number >= 0:
            seccomp.seccomp_rule_add_array(rules, ERRNO | errno.EPERM, number, 0, None)
    if name == "closed_gpu":
        seccomp.seccomp_rule_add_array(
            rules,
            ERRNO | errno.EPERM,
            seccomp.seccomp_syscall_resolve_name(b"socket"),
            1,
            Comparison(0, NOT_EQUAL, UNIX_SOCKETS, 0),
        )
    clone = seccomp.seccomp_syscall_resolve_name(b"clone")
    seccomp.seccomp_rule_add_array(
        rules, ERRNO | errno.EPERM, clone, 1, Comparison(0, MASKED_EQUAL, NEW_USER, NEW_USER)
    )
    # Its flags are in memory, where filters cannot look. Without it, the C library uses clone.
    clone3 = seccomp.seccomp_syscall_resolve_name(b"clone3")
    if clone3 >= 0:
        seccomp.seccomp_rule_add_array(rules, ERRNO | errno.ENOSYS, clone3, 0, None)
    return rules


def write(folder, name):
    """Writes the filter as a file for bubblewrap, by rename; None without libseccomp."""
    seccomp = library()
    if seccomp is None:
        return None
    folder.mkdir(parents=True, exist_ok=True)
    path, unfinished = folder / f"{name}.seccomp", folder / f".{name}.{os.getpid()}"
    with open(unfinished, "wb") as file:
        rules = made(seccomp, name)
        failed = seccomp.seccomp_export_bpf(rules, file.fileno())
        seccomp.seccomp_release(rules)
    if failed:
        unfinished.unlink()
        return None
    os.replace(unfinished, path)
    return path
