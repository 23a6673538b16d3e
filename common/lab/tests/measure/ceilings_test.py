"""What counts as a ceiling, and how build/ceilings.json is made."""

import sys
from itertools import product
from types import SimpleNamespace

import pytest

from nbody_lab.core.errors import LabError
from nbody_lab.core.model import load
from nbody_lab.measure import ceilings
from nbody_lab.measure.ceilings import known_ceilings, measure
from nbody_lab.measure.machine_facts import Machine
from nbody_lab.measure.results import Ceilings, MachineFacts, judged
from tests import BUILD
from tests.measure.ceilings_for_tests import MACHINE, known, levels, row

NEAR = "L3, farther away, was faster: something slowed L2 down"
SPREADS = "it spread over more than 10 % while it was measured: something else was running"


@pytest.mark.parametrize(
    ("rows", "reasons"),
    [
        ([row("flops", "fma", 1e9, spread=x) for x in (0, 0.1, 0.1001)], ["", "", SPREADS]),
        # Of two levels out of order, by more than a tenth and their spreads, the near one is no ceiling.
        (levels(9e9, 3e9, 5e9, 1e9)[::-1], ["", "", NEAR, ""]),
        (levels(9e9, 5e9, 5.4e9, 1e9), [""] * 4),
        # Neither threads are compared with levels, nor operations.
        ([*levels(9e9), *levels(9.9e9, 9e9, threads=2)], [""] * 3),
        ([*levels(9e9), row("bandwidth", "copy", 50e9, level="L2")], [""] * 2),
    ],
)
def test_what_is_a_ceiling(rows, reasons):
    """A row is a ceiling unless there is a reason why not."""
    found = judged(rows, ceilings.LEVELS)
    assert [(one.is_ceiling, one.why_not) for one in found] == [(not why, why) for why in reasons]


# The file, made by programs that print made-up figures as Google Benchmark does.


def put_program(folder, name, text):
    file = folder / "bin" / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"#!{sys.executable}\nimport json, os, sys\n{text}")
    file.chmod(0o755)


PRINT = """def show(benchmarks):
    rows = [
        {"run_name": name + "/iterations:1/repeats:30/manual_time", "name": "", "aggregate_name": kind, "value": value}
        for name, values in benchmarks.items() for kind, value in zip(("mean", "median", "best", "spread"), values)
    ]
    print(json.dumps({"context": {}, "benchmarks": rows}))
"""
COSTS = {
    "clock": (3e9,) * 4,
    "latency/float/add": (9, 4, 9, 0),
    "throughput/float/add": (9, 1, 9, 0),
}
COSTS |= {"latency/float/1/sqrt": (9, 24, 9, 0), "throughput/float/1/sqrt": (9, 7, 9, 0)}
# As many a second as threads, and where they may run.
TRAFFIC = """plan, threads = json.load(sys.stdin), int(os.environ["OMP_NUM_THREADS"])
places = os.environ["OMP_PROC_BIND"] == "true" and os.environ["OMP_PLACES"]
assert places == ("{0},{2}" if threads > 1 else False), places
of_one = {"load": 5e9, "copy": 6e9, "triad": 7e9}
show({f"{row['operation']}//{row['level']}": [of_one[row["operation"]] * threads] * 3 + [0.01]
      for row in plan["traffic"]})
"""


@pytest.fixture
def lab(tmp_path, monkeypatch):
    """A lab whose programs measure nothing, and which keeps ceilings in tmp_path."""
    put_program(tmp_path, "operation_costs", f"{PRINT}show({COSTS!r})")
    put_program(tmp_path, "ceilings_avx512f", "")  # this processor does not support it
    put_program(tmp_path, "ceilings_avx2", PRINT + TRAFFIC)
    put_program(tmp_path, "ceilings_scalar", PRINT + "show({'fma/double/': (2e9, 2e9, 3e9, 0.01)})")
    here = Machine(MachineFacts.model_validate(MACHINE), (0, 2), 1)
    monkeypatch.setattr(ceilings, "this_machine", lambda build: here)
    monkeypatch.setattr(ceilings, "FILE", tmp_path / "ceilings.json")
    monkeypatch.setattr(ceilings, "busy_cores", lambda: 0.1)
    return SimpleNamespace(build_dir=tmp_path, build=lambda *words: None, gpu=lambda: "")


def test_what_is_measured(lab, capsys):
    """The widest set there is measures all levels; its rows come last. An addition follows on a root. The file is kept."""
    measured = known_ceilings(lab)
    scalar, _, load_l1, *rest = measured.ceilings
    found = (scalar.name, scalar.kind, scalar.lanes, scalar.best, scalar.threads)
    assert found == ("scalar + FMA", "flops", 1, 3e9, 1)
    wide = {"name": "L1 load, AVX2", "instruction_set": "avx2", "lanes": 8, "level": "L1"}
    assert load_l1 == row("bandwidth", "load", 5e9, array_bytes=24 << 10, median=5e9, **wide)
    assert [(one.level, one.operation) for one in (load_l1, *rest)] == 2 * [
        *product(("L1", "L2", "DRAM"), ("load", "copy", "triad"))
    ]
    assert (rest[-1].threads, rest[-1].best) == (2, 14e9)
    costs = {one.operation: one for one in measured.prices if one.precision == "float"}
    root, fma = costs["1/sqrt"], costs["fma"]
    assert (root.latency_cycles.median, root.one_every_cycles.median) == (20, 7)
    assert (measured.clock_hz, fma.there, fma.latency_cycles) == (3e9, False, None)
    assert "about a minute" in capsys.readouterr().err
    assert load(Ceilings, ceilings.FILE) == known_ceilings(lab) == measured
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("text", [known([], cpu="Other").model_dump_json(), "{}"])
def test_any_other_file_is_measured_again(lab, capsys, monkeypatch, text):
    """A busy machine is told before. A program that fails leaves the old file."""
    ceilings.FILE.write_text(text)
    monkeypatch.setattr(ceilings, "busy_cores", lambda: 1.6)
    assert len(known_ceilings(lab).ceilings) == 20
    assert "other programs use 1.6 cores" in capsys.readouterr().err
    before = ceilings.FILE.read_bytes()
    put_program(lab.build_dir, "ceilings_scalar", "sys.exit('no memory')")
    with pytest.raises(LabError, match="ceilings_scalar stopped: no memory"):
        ceilings.measure_ceilings(lab)
    assert ceilings.FILE.read_bytes() == before


@pytest.mark.skipif(not (BUILD / "bin/ceilings_scalar").exists(), reason="not built")
def test_a_whole_measurement():
    """On this machine, too quick to be reliable: no two rows are alike, and costs are those of a processor, which a loop
    that the compiler has folded or vectorised would not have."""
    content = measure(BUILD, 0.003)
    rows = content.ceilings
    assert all(one.best > 0 for one in rows)
    keys = ("instruction_set", "operation", "level", "precision", "threads")
    assert len({tuple(getattr(one, key) for key in keys) for one in rows}) == len(rows)
    deep = {one.instruction_set for one in rows if one.level == "DRAM"}
    assert len(deep) == 1  # one set measures memory, and it also has loads from L1
    assert deep <= {one.instruction_set for one in rows if one.level == "L1"}
    assert 3e8 < content.clock_hz < 8e9
    for precision in ("float", "double"):
        there = [one for one in content.prices if one.there and one.precision == precision]
        every = {one.operation: one.one_every_cycles.median for one in there}
        latency = {one.operation: one.latency_cycles.median for one in there}
        assert min(latency.values()) > 0.2 and min(every.values()) > 0.05
        assert every["div"] > 1.3 * every["mul"] and every["pow"] > 2 * every["mul"]
        assert latency["1/sqrt"] > latency["div"] > latency["mul"] > every["mul"]
