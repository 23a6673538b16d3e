"""What an instructor asks first, on one screen. It changes and builds nothing."""

import os
import platform
import shutil
from pathlib import Path

import psutil

from nbody_lab import ROOT
from nbody_lab.building import cpuinfo
from nbody_lab.building.lab import CUDA_COMPILERS
from nbody_lab.core.console import show
from nbody_lab.core.run import capture
from nbody_lab.measure.machine_facts import system_name

_SETS = (("SSE2", "sse2"), ("AVX2", "avx2"), ("FMA", "fma"), ("AVX-512", "avx512f"))
_GPU = ("nvidia-smi", "--query-gpu=name,driver_version,compute_cap", "--format=csv,noheader")
_GIB = 1 << 30


def first_line(program: object, *words: object) -> str:
    """The first line of a program's output; empty if it is missing or fails."""
    if not shutil.which(str(program)):
        return ""
    done = capture(program, *words)
    return "" if done.returncode else done.stdout.partition("\n")[0].strip()


def report(root: Path) -> list[str]:
    """The lines of the screen."""
    flags, memory = cpuinfo.features_of_processor(), psutil.virtual_memory()
    sets = " ".join(name for name, flag in _SETS if flag in flags)
    cores = f"{len(os.sched_getaffinity(0))} of {os.cpu_count()} cores usable"
    busy = cpuinfo.busy_cores()
    nvcc = next((file for file in ("nvcc", *CUDA_COMPILERS) if shutil.which(file)), None)
    built = sorted(
        str(file.parent.relative_to(root)) for file in root.glob("build/*/manifest.json")
    )
    compilers = (first_line(one, "--version") for one in (os.environ.get("CXX", "c++"), "clang++"))
    rows = {
        "lab": first_line("git", "-C", root, "describe", "--always", "--dirty") or "unknown",
        "system": f"{system_name()}, Python {platform.python_version()}",
        "processor": f"{cpuinfo.fields().get('model name', platform.machine())}; {cores}; {sets}",
        "load": f"{busy:.1f} cores busy now{': measure later' if busy > cpuinfo.QUIET else ''}",
        "memory, disk": f"{memory.available / _GIB:.1f} of {memory.total / _GIB:.1f} GiB free; "
        f"{shutil.disk_usage(root).free / _GIB:.0f} GiB on disk",
        "compilers": "; ".join(filter(None, compilers)) or "none",
        "CMake, Ninja": f"{first_line('cmake', '--version') or 'no cmake'}; "
        f"ninja {first_line('ninja', '--version') or 'missing'}",
        "CUDA": capture(nvcc, "--version").stdout.strip().splitlines()[-1]
        if nvcc
        else "no nvcc (part 3 needs it: ./lab setup --cuda)",
        "GPU": first_line(*_GPU) or "no GPU answers",
        "built": " ".join(built) or "nothing yet",
        "threads": f"OMP_NUM_THREADS={os.environ.get('OMP_NUM_THREADS', 'not set')}",
    }
    return [f"{name:<12}  {value}" for name, value in rows.items()]


def doctor() -> None:
    """machine, load, compilers, packages on one screen, for your instructor"""
    show(*report(ROOT))
