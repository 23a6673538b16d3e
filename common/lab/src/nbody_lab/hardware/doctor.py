"""./lab doctor: what an instructor asks first, on one screen. It changes and builds nothing."""

import os
import platform
import re
import shutil
import subprocess
from pathlib import Path

from nbody_lab.core import cpuinfo
from nbody_lab.workshop import CUDA_COMPILERS


def first_line(*words):
    """The first line of a program's output; empty if it is missing or fails."""
    try:
        done = subprocess.run(words, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    lines = (done.stdout + done.stderr).strip().splitlines()
    return lines[0].strip() if lines and done.returncode == 0 else ""


def field(file, name):
    """The value of the first `name : value` or `name=value` line of a file."""
    try:
        found = re.search(
            rf"^{name}\s*[:=]\s*\"?(.*?)\"?$", Path(file).read_text(encoding="utf-8"), re.M
        )
    except OSError:
        return ""
    return found.group(1) if found else ""


def processor():
    told = cpuinfo.fields()
    flags = told.get("flags", "").split()
    sets = [
        name
        for name, flag in (
            ("SSE2", "sse2"),
            ("AVX2", "avx2"),
            ("FMA", "fma"),
            ("AVX-512", "avx512f"),
        )
        if flag in flags
    ]
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    name = told.get("model name") or platform.processor() or platform.machine()
    return (
        f"{name}; {usable} of {os.cpu_count()} cores usable; {' '.join(sets) or platform.machine()}"
    )


def load():
    try:
        one, five, _ = os.getloadavg()
    except OSError:
        return "unknown"
    busy = one > 0.5 * (os.cpu_count() or 1)
    return f"{one:.1f} in the last minute, {five:.1f} in the last five" + (
        "; busy: measure later" if busy else ""
    )


def memory():
    def gib(name):
        return int((field("/proc/meminfo", name) or "0").split()[0]) / 2**20

    return f"{gib('MemAvailable'):.1f} of {gib('MemTotal'):.1f} GiB free"


def gpu():
    return (
        first_line(
            "nvidia-smi", "--query-gpu=name,driver_version,compute_cap", "--format=csv,noheader"
        )
        or "no GPU answers"
    )


def cuda():
    try:
        nvcc = shutil.which("nvcc") or next(
            (str(file) for file in CUDA_COMPILERS if file.exists()), "nvcc"
        )
        done = subprocess.run(
            [nvcc, "--version"], capture_output=True, text=True, timeout=20, check=False
        )
        found = re.search(r"release ([\d.]+)", done.stdout)
        return f"nvcc {found.group(1)}" if found else "no nvcc"
    except (OSError, subprocess.TimeoutExpired):
        return "no nvcc (part 3 needs it: ./lab setup --cuda)"


def has(proof, root):
    """Whether a package of packages.txt is installed: its proof is a tool or a header."""
    kind, _, name = proof.partition(":")
    if kind == "tool":
        return shutil.which(name) is not None
    if kind == "header":
        return any(
            Path(folder, name).exists()
            for folder in ("/usr/include", "/usr/local/include", root / "build/tools/include")
        )
    return True


def packages(root):
    """(installed, missing) packages that the lab needs."""
    there, missing, needed = [], [], False
    for line in (root / "common/setup/packages.txt").read_text(encoding="utf-8").splitlines():
        line = line.split("#")[0].strip()
        if line.startswith("["):
            needed = line == "[needed]"
        elif needed and line:
            package, proof = line.split()[:2]
            (there if has(proof, root) else missing).append(package)
    return there, missing


def lines(root):
    system = field("/etc/os-release", "PRETTY_NAME") or platform.system()
    there, missing = packages(root)
    revision = first_line("git", "-C", str(root), "describe", "--always", "--dirty") or "unknown"
    built = [
        str(path.parent.relative_to(root)) for path in sorted(root.glob("build/*/manifest.json"))
    ]
    free = shutil.disk_usage(root).free / 2**30
    rows = [
        ("lab", revision),
        ("system", f"{system}, Linux {platform.release()}, Python {platform.python_version()}"),
        ("processor", processor()),
        ("load", load()),
        ("memory, disk", f"{memory()}; {free:.0f} GiB on disk"),
        (
            "compilers",
            "; ".join(
                filter(
                    None,
                    (
                        first_line(os.environ.get("CXX", "c++"), "--version"),
                        first_line("clang++", "--version"),
                    ),
                )
            )
            or "none",
        ),
        (
            "CMake, Ninja",
            f"{first_line('cmake', '--version') or 'no cmake'}; ninja {first_line('ninja', '--version') or 'missing'}",
        ),
        ("CUDA, GPU", f"{cuda()}; {gpu()}"),
        (
            "packages",
            f"{len(there)} of {len(there) + len(missing)} installed"
            + (f"; missing: {' '.join(missing)} (./lab setup)" if missing else ""),
        ),
        ("built", " ".join(built) or "nothing yet"),
        (
            "threads",
            (
                os.environ.get("OMP_NUM_THREADS", "")
                and f"OMP_NUM_THREADS={os.environ['OMP_NUM_THREADS']}"
            )
            or "OMP_NUM_THREADS not set",
        ),
    ]
    width = max(len(name) for name, _ in rows)
    return [f"{name.ljust(width)}  {value}" for name, value in rows]
