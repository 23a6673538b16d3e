"""What an instructor asks first, on one screen. It changes and builds nothing."""

import os
import platform
import re
import shutil
import subprocess
from pathlib import Path

from nbody_lab.building import cpuinfo
from nbody_lab.building.lab import CUDA_COMPILERS

_SETS = (("SSE2", "sse2"), ("AVX2", "avx2"), ("FMA", "fma"), ("AVX-512", "avx512f"))


def _output(*argv: str) -> str:
    """What a program prints; empty if it is missing or fails."""
    try:
        done = subprocess.run(argv, capture_output=True, text=True, timeout=20, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return (done.stdout + done.stderr).strip() if done.returncode == 0 else ""


def first_line(*argv: str) -> str:
    """The first line of a program's output; empty if it is missing or fails."""
    return _output(*argv).partition("\n")[0].strip()


def _field(file: str, name: str) -> str:
    """The value of the first `name : value` or `name=value` line of a file; empty if there is none."""
    try:
        text = Path(file).read_text(encoding="utf-8")
    except OSError:
        return ""
    found = re.search(rf"^{name}\s*[:=]\s*\"?(.*?)\"?$", text, re.M)
    return found.group(1) if found else ""


def _processor() -> str:
    flags = cpuinfo.features_of_processor()
    sets = [name for name, flag in _SETS if flag in flags]
    name = cpuinfo.fields().get("model name") or platform.processor() or platform.machine()
    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    cores = f"{usable} of {os.cpu_count()} cores usable"
    return f"{name}; {cores}; {' '.join(sets) or platform.machine()}"


def _load() -> str:
    try:
        one, five, _ = os.getloadavg()
    except OSError:
        return "unknown"
    busy = cpuinfo.busy_cores()
    now = f"; {busy:.1f} cores busy now: measure later" if busy > cpuinfo.QUIET else ""
    return f"{one:.1f} in the last minute, {five:.1f} in the last five{now}"


def _memory() -> str:
    available, total = (
        int((_field("/proc/meminfo", name) or "0").split()[0]) / 2**20
        for name in ("MemAvailable", "MemTotal")
    )
    return f"{available:.1f} of {total:.1f} GiB free"


def _cuda() -> str:
    installed = (str(file) for file in CUDA_COMPILERS if file.exists())
    nvcc = shutil.which("nvcc") or next(installed, "nvcc")
    found = re.search(r"release ([\d.]+)", _output(nvcc, "--version"))
    return f"nvcc {found.group(1)}" if found else "no nvcc (part 3 needs it: ./lab setup --cuda)"


def _gpu() -> str:
    query = "--query-gpu=name,driver_version,compute_cap"
    return first_line("nvidia-smi", query, "--format=csv,noheader") or "no GPU answers"


def _is_installed(proof: str, root: Path) -> bool:
    """The proof of a package in packages.txt is a tool or a header."""
    kind, _, name = proof.partition(":")
    if kind == "tool":
        return shutil.which(name) is not None
    if kind == "header":
        folders = (Path("/usr/include"), Path("/usr/local/include"), root / "build/tools/include")
        return any((folder / name).exists() for folder in folders)
    return True


def find_packages(root: Path) -> tuple[list[str], list[str]]:
    """(installed, missing) packages that the lab needs."""
    installed: list[str] = []
    missing: list[str] = []
    needed = False
    for line in (root / "common/setup/packages.txt").read_text(encoding="utf-8").splitlines():
        line = line.split("#")[0].strip()
        if line.startswith("["):
            needed = line == "[needed]"
        elif needed and line:
            package, proof = line.split()[:2]
            (installed if _is_installed(proof, root) else missing).append(package)
    return installed, missing


def _packages(root: Path) -> str:
    installed, missing = find_packages(root)
    lacks = f"; missing: {' '.join(missing)} (./lab setup)" if missing else ""
    return f"{len(installed)} of {len(installed) + len(missing)} installed{lacks}"


def _compilers() -> str:
    programs = (os.environ.get("CXX", "c++"), "clang++")
    return "; ".join(filter(None, (first_line(name, "--version") for name in programs))) or "none"


def report(root: Path) -> list[str]:
    """The lines of the screen."""
    revision = first_line("git", "-C", str(root), "describe", "--always", "--dirty") or "unknown"
    system = _field("/etc/os-release", "PRETTY_NAME") or platform.system()
    free = shutil.disk_usage(root).free / 2**30
    cmake, ninja = first_line("cmake", "--version"), first_line("ninja", "--version")
    built = [str(file.parent.relative_to(root)) for file in root.glob("build/*/manifest.json")]
    threads = os.environ.get("OMP_NUM_THREADS")
    rows = (
        ("lab", revision),
        ("system", f"{system}, Linux {platform.release()}, Python {platform.python_version()}"),
        ("processor", _processor()),
        ("load", _load()),
        ("memory, disk", f"{_memory()}; {free:.0f} GiB on disk"),
        ("compilers", _compilers()),
        ("CMake, Ninja", f"{cmake or 'no cmake'}; ninja {ninja or 'missing'}"),
        ("CUDA, GPU", f"{_cuda()}; {_gpu()}"),
        ("packages", _packages(root)),
        ("built", " ".join(sorted(built)) or "nothing yet"),
        ("threads", f"OMP_NUM_THREADS={threads}" if threads else "OMP_NUM_THREADS not set"),
    )
    return [f"{name:<12}  {value}" for name, value in rows]
