"""What counts as a ceiling, and how build/ceilings.json is made."""

import sys
from types import SimpleNamespace

import pytest

from nbody_lab.core.errors import LabError
from nbody_lab.measure import ceilings
from nbody_lab.measure.ceilings import judge, known_ceilings, measure
from nbody_lab.measure.results import NoInput, format_ceilings, read_ceilings
from tests import BUILD
from tests.measure.ceilings_for_tests import MACHINE, known, levels, row

NEAR = "L3, farther away, was faster: something slowed L2 down"
MISFIT = "2 threads were 3.0 times as fast: its array did not fit into L3"
SPREADS = "it spread over more than 10 % while it was measured: something else was running"


_L1_OF_TWO = {"level": "L1", "threads": 2, "array_bytes": 48 << 10}


def l3(best, **more):
    """All threads share it, and so an array."""
    return row("bandwidth", "load", best, level="L3", array_bytes=1 << 20, **more)


@pytest.mark.parametrize(
    ("rows", "reasons"),
    [
        ([row("flops", "fma", 1e9, spread=x) for x in (0, 0.1, 0.1001)], ["", "", SPREADS]),
        ([l3(1e9, spread=0.5, why_not="no memory was free")], ["no memory was free"]),
        (levels(9e9, 5e9, 5e9, 1e9), [""] * 4),
        (levels(9e9, 3e9, 5e9, 1e9)[::-1], ["", "", NEAR, ""]),
        (levels(9e9, 5e9, 1e9, 1.09e9), [""] * 4),
        ([l3(1e9), l3(2.1e9, threads=2)], ["", ""]),
        ([l3(1e9), l3(3e9, threads=2)], [MISFIT, ""]),
        ([*levels(9e9), *levels(9.9e9, 9e9, threads=2)], [""] * 3),
        ([*levels(9e9), row("bandwidth", "load", 27e9, **_L1_OF_TWO)], [""] * 2),
        ([*levels(9e9), row("bandwidth", "copy", 50e9, level="L2")], [""] * 2),
        ([*levels(8e9), *levels(8e9, 5e9, precision="double")], [""] * 3),
    ],
    ids=[
        "a tenth of spread is the limit",
        "what the program says stays",
        "levels in order",
        "of two levels out of order the near one is no ceiling",
        "a difference within a tenth is none",
        "all threads together",
        "an array that did not fit where that of all did",
        "threads are not compared with levels",
        "each thread has an L1 of its own, with as large an array",
        "nor operations",
        "nor precisions",
    ],
)
def test_judge(rows, reasons):
    """A row is a ceiling unless there is a reason why not."""
    judged = judge(rows)
    assert [one.why_not for one in judged] == reasons
    assert [one.is_ceiling for one in judged] == [not why for why in reasons]


def test_beyond_a_tenth_or_the_spread_a_farther_level_is_faster():
    """And memory is compared with the second level if there is no third."""
    assert [one.is_ceiling for one in judge(levels(9e9, 5e9, 1e9, 1.12e9))] == [True, True, 0, True]
    *near, far = levels(9e9, 5e9, 1e9, 1.15e9)
    wide = far.model_copy(update={"spread": 0.2})
    assert [one.is_ceiling for one in judge([*near, wide])] == [True, True, True, 0]
    without_l3 = [one for one in levels(9e9, 3e9, 0, 4e9) if one.level != "L3"]
    assert [one.is_ceiling for one in judge(without_l3)] == [True, False, True]


# The file, made by programs that print made-up rows.


def put_program(folder, name, text):
    file = folder / "bin" / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"#!{sys.executable}\nimport json, sys\n{text}")
    file.chmod(0o755)


def put_ceilings(folder, name, rows):
    text = f"""rows = {[one.as_json() for one in rows]!r}
if "--count" in sys.argv:
    print(len(rows))
else:
    for row in rows:
        print(json.dumps(dict(row, name=" ".join(sys.argv[1:]))))
"""
    put_program(folder, f"ceilings_{name}", text)


@pytest.fixture
def lab(tmp_path, monkeypatch):
    """A lab whose programs measure nothing, and which keeps ceilings in tmp_path."""
    content = f"dict(machine={MACHINE!r}, clock_hz=3e9, prices=[])"
    put_program(tmp_path, "machine", f"print(json.dumps({content}))")
    put_ceilings(tmp_path, "avx512f", [])  # this processor does not support it
    put_ceilings(tmp_path, "avx2", levels(9e9, 5e9))
    put_ceilings(tmp_path, "scalar", [row("flops", "mul_add", 1e9)])
    monkeypatch.setattr(ceilings, "FILE", tmp_path / "ceilings.json")
    monkeypatch.setattr(ceilings, "busy_cores", lambda: 0.1)
    return SimpleNamespace(build_dir=tmp_path, build=lambda *words: None, gpu=lambda: "")


@pytest.fixture
def file(lab):
    return ceilings.FILE


def test_the_widest_set_there_is_measures_all_levels(lab, file, capsys):
    """Its rows come last, as the sets come from narrow to wide; the file is kept."""
    measured = known_ceilings(lab)
    assert [one.name for one in measured.ceilings] == ["", "--all-levels", "--all-levels"]
    assert "about a minute" in capsys.readouterr().err
    assert read_ceilings(file) == known_ceilings(lab) == measured
    assert capsys.readouterr().err == ""


def test_a_busy_machine_is_told_before_measuring(lab, capsys, monkeypatch):
    ceilings.measure_ceilings(lab)
    assert "other programs" not in capsys.readouterr().err
    monkeypatch.setattr(ceilings, "busy_cores", lambda: 1.6)
    ceilings.measure_ceilings(lab)
    assert "other programs use 1.6 cores" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (format_ceilings(known([], cpu="Other")), f"(cpu: Other, here {MACHINE['cpu']})"),
        (format_ceilings(known([], cores=3)), "another machine or compiler (cores: 3, here 2)"),
        ("", "is not JSON"),
        ('{"what": "ceilings", "version": 2}', "version 2, not 1"),
    ],
)
def test_any_other_file_is_measured_again(lab, file, capsys, text, why):
    """And the reason is said."""
    file.write_text(text)
    assert len(known_ceilings(lab).ceilings) == 3
    error = capsys.readouterr().err
    assert why in error
    assert ": measuring again\n" in error


def test_a_wrong_field_measures_nothing(lab, file):
    """It may have been edited: that is not lost."""
    text = format_ceilings(known([])).replace("3250000000.0", '"fast"')
    file.write_text(text)
    with pytest.raises(NoInput, match=r"ceilings.json: clock_hz .*: measure again"):
        known_ceilings(lab)
    assert file.read_text() == text


def test_a_place_that_cannot_be_written_is_refused_before_measuring(lab, file):
    file.mkdir()
    put_program(lab.build_dir, "machine", "raise AssertionError('it measured')")
    with pytest.raises(LabError, match=r"ceilings.json cannot be written: it is a folder"):
        known_ceilings(lab)


def test_a_program_that_fails_leaves_the_old_file(lab, file, capsys):
    known_ceilings(lab)
    before = file.read_bytes()
    rows = "rows = [1]\nprint(1)\nsys.exit('--count' not in sys.argv)"
    put_program(lab.build_dir, "ceilings_scalar", rows)
    with pytest.raises((SystemExit, LabError)):
        ceilings.measure_ceilings(lab)
    assert file.read_bytes() == before


@pytest.mark.skipif(not (BUILD / "bin/ceilings_scalar").exists(), reason="not built")
def test_a_whole_measurement():
    """On this machine, too quick to be reliable: no two rows are alike."""
    content = measure(BUILD, ("--seconds", "0.003"))
    rows = content.ceilings
    assert all(one.best > 0 and one.is_ceiling == (not one.why_not) for one in rows)
    keys = {
        (one.instruction_set, one.operation, one.level, one.precision, one.threads) for one in rows
    }
    assert len(keys) == len(rows)
    deep = {one.instruction_set for one in rows if one.level == "DRAM"}
    assert len(deep) == 1  # one set measures memory, and it also has loads from L1
    assert deep <= {one.instruction_set for one in rows if one.level == "L1"}
