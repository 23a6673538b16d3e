"""Gives up every right that a program does not need, then becomes that program. Usage:

launcher.py TASK PROGRAM ARGUMENTS...     TASK: JSON, written by landlock.py
"""

import ctypes
import json
import os
import resource
import signal
import socket
import struct
import sys
from pathlib import Path

from nbody_lab.grade import filters
from nbody_lab.grade.watch import children_of, kill_tree

LIBC = ctypes.CDLL(None, use_errno=True)
PARENT_DEATH_SIGNAL, NO_NEW_RIGHTS, SUBREAPER = 1, 38, 36
EXECUTE, WRITE, READ, READ_FOLDER, TRUNCATE, DEVICE = (
    1 << 0,
    1 << 1,
    1 << 2,
    1 << 3,
    1 << 14,
    1 << 15,
)
ON_FILES = EXECUTE | WRITE | READ | TRUNCATE | DEVICE
ALL_OF_VERSION = {
    1: (1 << 13) - 1,
    2: (1 << 14) - 1,
    3: (1 << 15) - 1,
    4: (1 << 15) - 1,
    5: (1 << 16) - 1,
}
SYSTEM = (
    "/usr",
    "/lib",
    "/lib32",
    "/lib64",
    "/bin",
    "/sbin",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
)
GPU = ("/dev/nvidia", "/dev/dri")
CONNECTION = 3  # the first after the standard descriptors
OF_ITSELF = "/proc/self"  # where a GPU driver names its threads; this process becomes the program


def fail(text):
    print(f"launcher: {text}", file=sys.stderr)
    sys.exit(125)


def control(option, value):
    if LIBC.prctl(option, ctypes.c_ulong(value), 0, 0, 0):
        fail(f"prctl {option}: {os.strerror(ctypes.get_errno())}")


def call(number, *arguments):
    result = LIBC.syscall(number, *arguments)
    if result < 0:
        fail(f"Landlock: {os.strerror(ctypes.get_errno())}")
    return result


def limit(limits):
    seconds = max(1, int(limits["cpu_s"]))
    for kind, soft, hard in (
        (resource.RLIMIT_CPU, seconds, seconds + 1),
        (resource.RLIMIT_CORE, 0, 0),
        (resource.RLIMIT_NPROC, limits["processes"], None),
        (resource.RLIMIT_NOFILE, 128, None),
        (resource.RLIMIT_FSIZE, limits["file_bytes"], None),
        (resource.RLIMIT_MSGQUEUE, 0, 0),
        (resource.RLIMIT_AS, limits["memory_bytes"], None),
    ):
        if soft is not None:
            most = resource.getrlimit(kind)[1]
            least = soft if most == resource.RLIM_INFINITY else min(soft, most)
            resource.setrlimit(
                kind,
                (
                    least,
                    least if hard is None else max(least, hard) if most < 0 else min(hard, most),
                ),
            )


def restrict_files(task):
    version = call(444, None, ctypes.c_size_t(0), ctypes.c_uint32(1))
    everything = ALL_OF_VERSION[min(version, 5)]
    rules = struct.pack("QQQ", everything, 3, 3)[: 8 if version < 4 else 16 if version < 6 else 24]
    ruleset = call(444, rules, ctypes.c_size_t(len(rules)), ctypes.c_uint32(0))
    devices = [
        str(path)
        for start in GPU
        if task["gpu"]
        for path in Path("/dev").glob(Path(start).name + "*")
    ]
    for paths, rights in (
        (
            (*SYSTEM, *task["read"], *(["/sys"] if task["gpu"] else [])),
            EXECUTE | READ | READ_FOLDER,
        ),
        (("/dev/null", *devices, *([OF_ITSELF] if task["gpu"] else [])), ON_FILES | READ_FOLDER),
        (task["write"], everything & ~DEVICE),
    ):
        for path in paths:
            allow(ruleset, path, rights & everything)
    call(446, ctypes.c_int(ruleset), ctypes.c_uint32(0))
    os.close(ruleset)


def allow(ruleset, path, rights):
    try:
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    if not os.path.isdir(path):
        rights &= ON_FILES
    call(
        445,
        ctypes.c_int(ruleset),
        ctypes.c_int(1),
        struct.pack("=Qi", rights, opened),
        ctypes.c_uint32(0),
    )
    os.close(opened)


def restrict_calls(gpu):
    """Forbids all sockets and the kernel calls that no simulator needs."""
    seccomp = filters.library()
    if seccomp is None:
        fail("libseccomp is missing: the package libseccomp2")
    rules = filters.made(seccomp, "closed_gpu" if gpu else "closed")
    if seccomp.seccomp_load(rules):
        fail("the system-call filter was refused")


def connect():
    """Connects to the socket that LAB_SOCKET names. Returns its descriptor."""
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.connect(os.environ["LAB_SOCKET"])
    except OSError as fault:
        fail(f"the socket in LAB_SOCKET: {fault.strerror}")
    os.dup2(connection.detach(), CONNECTION)
    os.set_inheritable(CONNECTION, True)  # it may have been that number before
    return CONNECTION


def become(task, words, parent):
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    for number in (
        signal.SIGPIPE,
        signal.SIGXFSZ,
        signal.SIGINT,
    ):  # the program would inherit Python's handlers
        signal.signal(number, signal.SIG_DFL)
    for entrance in task["enter"]:
        Path(entrance).write_text(str(os.getpid()), encoding="ascii")
    if os.getsid(0) != os.getpid() and os.getpgid(0) != os.getpid():
        os.setsid()
    if task["serves"]:
        task["environment"]["LAB_SOCKET"] = str(connect())
    os.closerange(CONNECTION + 1 if task["serves"] else 3, 4096)
    limit(task["limits"])
    if task["uid"]:
        os.setgroups([])
        os.setresgid(*3 * [task["uid"]])
        os.setresuid(*3 * [task["uid"]])
    control(PARENT_DEATH_SIGNAL, signal.SIGKILL)  # after the change of user, which clears it
    control(NO_NEW_RIGHTS, 1)
    if os.getppid() != parent:
        sys.exit(125)
    if task["restrict"]:
        restrict_files(task)
    os.chdir(task["folder"])
    if task["restrict"]:
        restrict_calls(task["gpu"])
    try:
        os.execvpe(words[0], words, task["environment"])
    except OSError as fault:
        fail(f"{words[0]}: {fault.strerror}")


def stay(task, words):
    """Runs the program as a child, adopts all processes it leaves behind, and kills them."""
    control(PARENT_DEATH_SIGNAL, signal.SIGKILL)
    control(SUBREAPER, 1)
    me = os.getpid()
    program = os.fork()
    if program == 0:
        os.setsid()
        become(task, words, me)
    for number in (0, 1, 2):
        os.dup2(os.open("/dev/null", os.O_RDWR), number)
    status = os.waitstatus_to_exitcode(os.waitpid(program, 0)[1])
    while children_of(me):
        for child in children_of(me):
            kill_tree(child)
        while os.waitpid(-1, os.WNOHANG) != (0, 0) if children_of(me) else False:
            pass
    os._exit(status if status >= 0 else 128 - status)


def main():
    task, words = json.loads(sys.argv[1]), sys.argv[2:]
    if task["stay"]:
        stay(task, words)
    become(task, words, os.getppid())


if __name__ == "__main__":
    main()
