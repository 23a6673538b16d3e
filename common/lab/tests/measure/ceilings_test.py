"""What counts as a ceiling, and how build/ceilings.json is made."""

from itertools import product
from types import SimpleNamespace

import pytest

from nbody_lab.building.lab import Built
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


COSTS = {"clock": 3e9, "latency/float/add": 4, "throughput/float/add": 1}
COSTS |= {"latency/float/1/sqrt": 24, "throughput/float/1/sqrt": 7}


def made_up(program, *words, plan=None, **environment):
    """What the programs measure: as many a second as threads, which have their places; nothing with AVX-512."""
    threads = int(environment.get("OMP_NUM_THREADS", 1))
    rates = {"fma/double/": 3e9} if program.name == "ceilings_scalar" else {}
    if program.name == "ceilings_avx2":
        assert environment.get("OMP_PLACES") == ("{0},{2}" if threads > 1 else None)
        of_one = {"load": 5e9, "copy": 6e9, "triad": 7e9}
        rates = {f"{row['operation']}//{row['level']}": row["operation"] for row in plan["traffic"]}
        rates = {name: of_one[operation] * threads for name, operation in rates.items()}
    rates = COSTS if program.name == "operation_costs" else rates
    return {name: {"best": x, "median": x, "spread": 0.01} for name, x in rates.items()}


@pytest.fixture
def lab(tmp_path, monkeypatch):
    """A lab that keeps ceilings in tmp_path."""
    (tmp_path / "bin").mkdir()
    for name in ("avx512f", "avx2", "scalar"):
        (tmp_path / "bin" / f"ceilings_{name}").touch()
    here = Machine(MachineFacts.model_validate(MACHINE), (0, 2), 1)
    monkeypatch.setattr(ceilings, "run_benchmarks", made_up)
    monkeypatch.setattr(ceilings, "this_machine", lambda build: here)
    monkeypatch.setattr(ceilings, "FILE", tmp_path / "ceilings.json")
    monkeypatch.setattr(ceilings, "busy_cores", lambda: 0.1)
    return SimpleNamespace(build_dir=tmp_path, build=lambda *words: Built(), gpu=lambda: "")


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
    """A busy machine is told before."""
    ceilings.FILE.write_text(text)
    monkeypatch.setattr(ceilings, "busy_cores", lambda: 1.6)
    assert len(known_ceilings(lab).ceilings) == 20
    assert "other programs use 1.6 cores" in capsys.readouterr().err


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
