"""What the system says about this machine, and what follows for measuring its memory; nothing is measured here."""

import json
import os
import platform
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import psutil

from nbody_lab.building.cpuinfo import features_of_processor, fields
from nbody_lab.core.run import capture
from nbody_lab.measure.results import MachineFacts

_SIMD = (
    *("sse2", "sse4_2", "avx", "avx2", "fma", "avx512f", "avx512dq", "avx512bw", "avx512vl"),
    *("asimd", "sve"),
)
_CGROUP = Path("/sys/fs/cgroup")
_SMALLEST_ARRAY = 8 << 10
_SMALLEST_IN_MEMORY = 64 << 20


@dataclass(frozen=True)
class Machine:
    facts: MachineFacts
    cpus: Sequence[int]  # one hardware thread of each core, no more than a container may use
    l3_caches: int  # that these cores have together


class Level(NamedTuple):
    """A memory level, and how much data is read to measure it."""

    name: str
    bytes: int  # all arrays of one thread together
    why_not: str = ""  # why this may not be a ceiling


def system_name() -> str:
    """Debian GNU/Linux 12 (bookworm), Linux 6.1.0"""
    return f"{platform.freedesktop_os_release()['PRETTY_NAME']}, Linux {platform.release()}"


def _lscpu(table: str) -> list[dict[str, Any]]:
    """A table of lscpu; empty if it cannot tell."""
    done = capture("lscpu", "--json", "--bytes", table)
    return next(iter(json.loads(done.stdout).values()), []) if done.stdout else []


def _processor_quota() -> float:
    """A container's limit in processors; 0: none."""
    with suppress(OSError, ValueError):  # "max 100000" is no limit
        quota, period = (_CGROUP / "cpu.max").read_text().split()
        return float(quota) / float(period)
    return 0.0


def free_memory() -> int:
    """Bytes that a program may take without evicting others."""
    free: int = psutil.virtual_memory().available
    with suppress(OSError, ValueError):
        most, used = (int((_CGROUP / f"memory.{name}").read_text()) for name in ("max", "current"))
        free = min(free, max(0, most - used))
    return free


def this_machine(build: Path) -> Machine:
    """As far as this process may use it. `build`: the folder whose programs measure it."""
    usable = sorted(os.sched_getaffinity(0))
    rows = {int(row["cpu"]): row for row in _lscpu("--extended=CPU,CORE,CACHE")}
    cores: dict[object, int] = {}  # the first hardware thread of each
    l3: set[str] = set()
    for cpu in usable:
        _, core, *caches = rows.get(cpu, {"cpu": cpu, "core": None}).values()
        cores.setdefault(f"cpu {cpu}" if core is None else core, cpu)
        l3.update(id_ for text in caches for id_ in str(text).split(":")[3:])  # L1d:L1i:L2:L3
    features, quota = features_of_processor(), _processor_quota()
    sizes = {row["name"]: int(row["one-size"]) for row in _lscpu("--caches=NAME,ONE-SIZE")}
    facts = MachineFacts(
        cpu=fields().get("model name") or "unknown CPU",
        virtual_machine="hypervisor" in features,
        cores=len(cores),
        hardware_threads=len(usable),
        processor_quota=quota,
        l1d_bytes=sizes.get("L1d", 0),
        l2_bytes=sizes.get("L2", 0),
        l3_bytes=sizes.get("L3", 0),
        simd=tuple(name for name in _SIMD if name in features),
        compiler=(build / "compiler.txt").read_text(encoding="utf-8").strip(),
        system=system_name(),
    )
    most = max(1, int(quota)) if quota else len(cores)
    return Machine(facts, list(cores.values())[:most], max(1, len(l3)))


def levels_of(machine: Machine, threads: int, free: int) -> list[Level]:
    """Half of each cache, since other data need the rest; each core has its L1 and L2, L3 is shared. Memory: four times
    all L3 together, as far as it is free. A cache that the system does not report has no level."""
    facts = machine.facts
    l1, l2, l3 = facts.l1d_bytes, facts.l2_bytes, facts.l3_bytes
    unknown = "" if l1 else "the system does not report the size of L1"
    levels = [Level("L1", max(l1 // 2, _SMALLEST_ARRAY), unknown)]
    if l2:
        levels.append(Level("L2", l2 // 2))
    if l3:
        shared = l3 // 2 * min(machine.l3_caches, threads) // threads
        inside = "half of L3 fits into the L2 of each core" if shared <= l2 else ""
        levels.append(Level("L3", shared, inside))
    caches = max(l3 * machine.l3_caches, l2 * max(1, facts.cores), l1)
    wanted = max(4 * caches, _SMALLEST_IN_MEMORY)
    total = min(wanted, free // 2)
    little = f"too little memory was free for four times the {caches >> 20} MiB of cache"
    return [*levels, Level("DRAM", total // threads, little if total < wanted else "")]
