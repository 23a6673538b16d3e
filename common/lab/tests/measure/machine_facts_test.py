"""What the system says about the machine, and how much data shows the bandwidth of a memory level."""

import json
import os
from types import SimpleNamespace

import pytest

from nbody_lab.measure import machine_facts
from nbody_lab.measure.machine_facts import Machine, levels_of, this_machine
from nbody_lab.measure.results import MachineFacts
from tests.measure.ceilings_for_tests import MACHINE

KIB, MIB = 1 << 10, 1 << 20
COMMON = (32 * KIB, MIB, 32 * MIB)
LITTLE = {"DRAM": "too little memory was free for four times the 64 MiB of cache"}
INSIDE = {"L3": "half of L3 fits into the L2 of each core"}
UNKNOWN = {"L1": "the system does not report the size of L1"}


@pytest.mark.parametrize(
    ("caches", "l3_caches", "threads", "free", "sizes", "why_not"),
    [
        (COMMON, 2, 4, 1024, "L1 16 L2 512 L3 8192 DRAM 65536", {}),
        ((32 * KIB, MIB, 64 * MIB), 1, 1, 200, "L1 16 L2 512 L3 32768 DRAM 102400", LITTLE),
        ((32 * KIB, 4 * MIB, 16 * MIB), 1, 4, 1024, "L1 16 L2 2048 L3 2048 DRAM 16384", INSIDE),
        ((0, 0, 0), 1, 2, 1024, "L1 8 DRAM 32768", UNKNOWN),
    ],
)
def test_levels(caches, l3_caches, threads, free, sizes, why_not):
    names = ("l1d_bytes", "l2_bytes", "l3_bytes")
    facts = MachineFacts.model_validate({**MACHINE, "cores": 4, **dict(zip(names, caches))})
    levels = levels_of(Machine(facts, (0, 1, 2, 3), l3_caches), threads, free * MIB)
    assert " ".join(f"{level.name} {level.bytes // KIB}" for level in levels) == sizes
    assert {level.name: level.why_not for level in levels if level.why_not} == why_not


TOPOLOGY = [  # CPU, core, caches: two threads on each of two cores with an L3 of their own, and one on a third
    *((0, 0, "0:0:0:0"), (1, 1, "1:1:1:1"), (2, 0, "0:0:0:0"), (3, 1, "1:1:1:1")),
    (4, 2, "2:2:2:2"),
]


@pytest.mark.parametrize(
    ("usable", "topology", "quota", "cpus", "cores", "l3_caches"),
    [
        ({2, 3, 4}, TOPOLOGY, "max 100000", [2, 3, 4], 3, 3),
        ({0, 1, 4}, TOPOLOGY, "50000 100000", [0], 3, 3),
        ({0, 3}, [], "", [0, 3], 2, 1),
    ],
)
def test_topology(monkeypatch, tmp_path, usable, topology, quota, cpus, cores, l3_caches):
    (tmp_path / "compiler.txt").write_text("some++ 1\n")
    if quota:
        (tmp_path / "cpu.max").write_text(quota)
    rows = [{"cpu": cpu, "core": core, "l1d:l1i:l2:l3": caches} for cpu, core, caches in topology]
    caches = [{"name": "L1d", "one-size": "49152"}, {"name": "L1i", "one-size": "32768"}]
    tables = {"--extended=CPU,CORE,CACHE": rows, "--caches=NAME,ONE-SIZE": caches}

    def lscpu(_program, _json, _bytes, table):
        return SimpleNamespace(stdout=json.dumps({"any": tables[table]}))

    monkeypatch.setattr(machine_facts, "capture", lscpu)
    monkeypatch.setattr(machine_facts, "_CGROUP", tmp_path)
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: usable)
    here = this_machine(tmp_path)
    assert (list(here.cpus), here.facts.cores, here.l3_caches) == (cpus, cores, l3_caches)
    assert here.facts.hardware_threads == len(usable)
    assert (here.facts.l1d_bytes, here.facts.compiler) == (49152, "some++ 1")
