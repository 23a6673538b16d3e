"""The issue slots of a kernel, from recorded machine code: a main loop with two roots and a call for
small numbers, its remainder with one root; a kernel of pairs; and one that searches neighbours."""

import re
from pathlib import Path

import pytest

from nbody_lab import ROOT
from nbody_lab.bound import sass
from nbody_lab.bound.loop_bound import ON_GPU, with_gain
from nbody_lab.bound.ports import CannotCount
from nbody_lab.bound.sass import (
    KINDS,
    UNITS,
    Units,
    bound_of_kernel,
    check_architecture,
    count_kinds,
    count_ports,
    demangle,
    disassemble,
    find_main_loops,
    kind_and_unit,
    lanes_of,
)

TEXT = (Path(__file__).parent / "recordings/kernels.sass").read_text()
TILES, PAIRS = demangle("_Z5tilesv"), demangle("_Z5pairsv")
ON_MATRIX_UNITS = "\t\tFunction : _Z8matricesv\n    /*0000*/   @P0 HMMA.16816.F32 R4, R4, R8 ;\n"


def test_main_loop() -> None:
    """It has the most roots, without the call for small numbers."""
    bound = bound_of_kernel(TEXT, "sm_90", "tiles")
    assert bound.loop.by_kind == {
        "multiply and add": 1,
        "estimate of 1/sqrt": 2,
        "load of shared memory": 1,
        "control": 2,
    }
    assert (bound.interactions_per_iteration, bound.ports["slots"]) == (2, 6)
    assert bound.full_port == "special"


@pytest.mark.parametrize(
    ("text", "architecture", "ports"),
    [
        ("MUFU.RSQ R1, R2", "sm_90", {"slots": 1.0, "special": 8.0}),
        ("DFMA R1, R2, R3, R4", "sm_90", {"slots": 1.0, "double": 2.0}),
        ("DFMA R1, R2, R3, R4", "sm_86", {"slots": 1.0, "double": 64.0}),
        ("LDG R1, [R2]", "sm_90", {"slots": 1.0}),
    ],
)
def test_ports_of_an_instruction(text: str, architecture: str, ports: dict[str, float]) -> None:
    """It holds a unit that is narrower than a warp for several cycles."""
    assert count_ports([text], architecture) == ports


@pytest.mark.parametrize(
    ("full", "slot", "cycles", "others", "words", "after"),
    [
        ("special", 8, 16, {"slots": 6}, "one estimate fewer for the special function unit", 8),
        ("slots", 1, 9, {"special": 8}, "one instruction fewer", 8),
        # A float instruction of sm_80 takes two cycles, and a slot.
        ("float", 2, 18, {"slots": 17}, "one instruction fewer for the float units", 16),
    ],
)
def test_one_instruction_less(
    full: str, slot: float, cycles: float, others: dict[str, float], words: str, after: float
) -> None:
    """It saves as many cycles as it holds its unit, until something else is full."""
    change = {"full_ports": (full,), "limit": full, "slot": slot, "ports": {full: cycles, **others}}
    change |= {"ports_cycles": cycles, "cycles_per_iteration": cycles}
    bound = bound_of_kernel(TEXT, "sm_90", "tiles").model_copy(update=change)
    gain = with_gain(bound).one_slot_less
    assert gain and (gain.words, gain.cycles_per_iteration) == (words, after)


def test_units() -> None:
    """They are those of the devices program, which also knows sm_60 and sm_61; each has its words."""
    text = (ROOT / "common/cuda/device_facts.cpp").read_text(encoding="utf-8")
    rows = re.findall(r"\{(\d+), (\d+), (\d+)\}", text)
    facts = {f"sm_{name}": (int(single), int(double)) for name, single, double in rows}
    ours = {name: (units.float, units.double) for name, units in UNITS.items()}
    assert ours == {name: units for name, units in facts.items() if name not in ("sm_60", "sm_61")}
    assert {units.special for units in UNITS.values()} == {16}
    assert set(ON_GPU) == {"slots", *Units._fields}
    assert {unit for _, unit, _ in KINDS} <= {None, *Units._fields}


@pytest.mark.parametrize(
    ("choice", "kernel"),
    [
        ({}, PAIRS),  # 5 slots for two interactions, and 6 for two
        ({"roots": 1.0}, TILES),
        ({"launched": {TILES}}, TILES),
        ({"wanted": "tiles"}, TILES),
    ],
)
def test_one_of_several_kernels(choice: dict[str, object], kernel: str) -> None:
    """The one with the fewest slots per interaction, of those that a step launches."""
    bound = bound_of_kernel(TEXT, "sm_90", **choice)  # type: ignore[arg-type]
    assert bound.loop.function == kernel
    assert set(find_main_loops(TEXT)) == {TILES, PAIRS}


def test_kinds() -> None:
    """A condition does not change a kind; they are in the order of the table, not of the loop."""
    assert kind_and_unit("@!UP0 UIADD3 UR4, UR4, 0x1, URZ") == ("integers and addresses", "integer")
    assert kind_and_unit("FROBNICATE R1") == ("other", None)
    counts = count_kinds(["IMAD R1, R2, R3, R4", "BRA 0x10", "@!P0 FFMA R1, R2, R3, R4"])
    assert list(counts) == ["multiply and add", "control", "integers and addresses"]


def test_hand_count_of_several_bodies() -> None:
    """13.3 slots (data/results/part3_slots.json) on 132 multiprocessors at 1.98 GHz."""
    assert lanes_of(132) * 1.98e9 / 13.27 / 1e12 == pytest.approx(2.52, abs=0.005)


def test_matrix_units_have_no_bound() -> None:
    """Nor has a program that launches such a kernel beside one of pairs; a move by HFMA2.MMA is none."""
    for launched in ((), {TILES, demangle("_Z8matricesv")}):
        with pytest.raises(
            CannotCount, match="the program computes on the matrix units, which have"
        ):
            bound_of_kernel(TEXT + ON_MATRIX_UNITS, "sm_90", None, launched)
    named = bound_of_kernel(TEXT + ON_MATRIX_UNITS, "sm_90", "tiles")
    assert named == bound_of_kernel(TEXT, "sm_90", "tiles")
    assert bound_of_kernel(TEXT + ON_MATRIX_UNITS.replace("HMMA.16816.F32", "HFMA2.MMA"), "sm_90")


def test_what_cannot_be_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each reason is one line."""
    with pytest.raises(CannotCount, match="no table for 'sm_10'; known are sm_70 sm_75"):
        check_architecture("sm_10")
    with pytest.raises(CannotCount, match="no kernel called nonsense with a square root"):
        bound_of_kernel(TEXT, "sm_90", "nonsense")
    with pytest.raises(CannotCount, match="no code for sm_90"):
        bound_of_kernel("", "sm_90")
    monkeypatch.setattr(sass, "_FOLDERS", ())
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(CannotCount, match="setup --cuda"):
        disassemble(Path("program"), "sm_90")
