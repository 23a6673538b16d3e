"""The issue slots of a kernel, from recorded machine code."""

import re
import unittest
from unittest import mock

from nbody_lab.bound import sass as bound_sass
from nbody_lab.bound.loop_bound import ON_GPU, one_slot_less
from nbody_lab.bound.mca import CannotCount
from nbody_lab.bound.sass import (
    KINDS,
    UNITS,
    Units,
    by_kind,
    kernels_with_roots,
    kind_of,
    lanes_of,
    ports_of,
    readable,
    sass_bound,
)

# As cuobjdump -sass prints it: two kernels. The first has a main loop with two roots and a call for small numbers, and a
# remainder loop with one root; the second computes pairs.
TEXT = """
	code for sm_90
		Function : _Z5tilesv
	.headerflags	@"EF_CUDA_SM90"
        /*0000*/                   LDC R1, c[0x0][0x28] ;     /* 0x00000a00ff017b82 */
                                                              /* 0x000fe20000000800 */
        /*0010*/                   FFMA R2, R3, R4, R5 ;      /* 0x1 */
        /*0020*/                   MUFU.RSQ R6, R2 ;          /* 0x1 */
        /*0030*/              @!P0 BRA 0x60 ;                 /* 0x1 */
        /*0040*/                   MOV R8, 0x60 ;             /* 0x1 */
        /*0050*/                   CALL.REL.NOINC 0x200 ;     /* 0x1 */
        /*0060*/                   MUFU.RSQ R7, R2 ;          /* 0x1 */
        /*0070*/                   LDS.128 R8, [R9] ;         /* 0x1 */
        /*0080*/               @P1 BRA 0x10 ;                 /* 0x1 */
        /*0090*/                   MUFU.RSQ R7, R2 ;          /* 0x1 */
        /*00a0*/               @P1 BRA 0x90 ;                 /* 0x1 */
        /*00b0*/                   EXIT ;                     /* 0x1 */
        /*00c0*/                   BRA 0xc0;                  /* 0x1 */
		Function : _Z5pairsv
        /*0000*/                   FADD R2, R3, R4 ;          /* 0x1 */
        /*0010*/                   FADD R2, R3, R4 ;          /* 0x1 */
        /*0020*/                   FADD R2, R3, R4 ;          /* 0x1 */
        /*0030*/                   MUFU.RSQ R6, R2 ;          /* 0x1 */
        /*0040*/               @P1 BRA 0x0 ;                  /* 0x1 */
        /*0050*/                   EXIT ;                     /* 0x1 */
		Function : _Z10time_stepsv
        /*0000*/                   MUFU.RSQ R6, R2 ;          /* 0x1 */
        /*0010*/               @P1 BRA 0x0 ;                  /* 0x1 */
        /*0020*/                   EXIT ;                     /* 0x1 */
"""


def bound(*words, **more):
    with (
        mock.patch.object(bound_sass, "sass_of", return_value=TEXT),
        mock.patch.object(bound_sass, "readable", lambda name: name),
    ):
        return sass_bound("program", *words, **more)


class Test(unittest.TestCase):
    def test_the_main_loop_without_the_call(self):
        found = bound("sm_90", "tiles")
        self.assertEqual(
            found["loop"]["by_kind"],
            {
                "multiply and add": 1,
                "estimate of 1/sqrt": 2,
                "load of shared memory": 1,
                "control": 2,
            },
        )
        self.assertEqual((found["interactions_per_iteration"], found["ports"]["slots"]), (2, 6))

    def test_a_root_holds_its_unit_for_eight_cycles(self):
        self.assertEqual(ports_of(["MUFU.RSQ R1, R2"], "sm_90"), {"slots": 1.0, "special": 8.0})
        self.assertEqual(ports_of(["DFMA R1, R2, R3, R4"], "sm_90")["double"], 2)
        self.assertEqual(ports_of(["DFMA R1, R2, R3, R4"], "sm_86")["double"], 64)
        self.assertEqual(bound("sm_90", "tiles")["full_port"], "special")

    def test_one_instruction_less_saves_as_long_as_it_holds_its_unit(self):
        less = one_slot_less(bound("sm_90", "tiles"))  # 16 cycles of two estimates, 6 slots
        self.assertEqual(
            (less["words"], less["cycles_per_iteration"]),
            ("one estimate fewer for the special function unit", 8),
        )
        less = one_slot_less(
            bound("sm_90", "pairs")
            | {
                "ports": {"slots": 9.0, "special": 8.0},
                "full_ports": ["slots"],
                "limit": "slots",
                "slot": 1.0,
                "cycles_per_iteration": 9.0,
            }
        )
        self.assertEqual(
            (less["words"], less["cycles_per_iteration"]), ("one instruction fewer", 8)
        )
        self.assertEqual(set(ON_GPU), {"slots", *Units._fields})

    def test_a_float_instruction_of_sm_80_takes_two_cycles_and_a_slot(self):
        texts = ["FFMA R1, R2, R3, R4"] * 9 + ["MUFU.RSQ R6, R2"] + ["NOP"] * 7
        with mock.patch.object(bound_sass, "kernels_with_roots", return_value={"tiles": texts}):
            found = bound("sm_80")
        self.assertEqual(
            (found["ports"], found["slot"]), ({"slots": 17.0, "float": 18.0, "special": 8.0}, 2.0)
        )
        self.assertEqual(one_slot_less(found)["cycles_per_iteration"], 16)  # and 16 slots

    def test_the_same_units_as_the_devices_program(self):
        """The device program's table also has sm_60 and sm_61, which issue differently."""
        text = (bound_sass.ROOT / "common/cuda/device_facts.cpp").read_text(encoding="utf-8")
        rows = [tuple(map(int, row)) for row in re.findall(r"\{(\d+), (\d+), (\d+)\}", text)]
        self.assertEqual(
            {f"sm_{name}": units for name, *units in rows if name >= 70},
            {name: [units.float, units.double] for name, units in UNITS.items()},
        )
        self.assertEqual({units.special for units in UNITS.values()}, {16})

    def test_of_several_kernels_the_one_with_fewest_slots_an_interaction(self):
        self.assertEqual(
            bound("sm_90")["loop"]["function"], "_Z5pairsv"
        )  # 5 slots for two interactions, and 6 for two
        self.assertEqual(bound("sm_90")["interactions_per_iteration"], 2)
        self.assertEqual(bound("sm_90", counted=1.0)["loop"]["function"], "_Z5tilesv")
        self.assertEqual(bound("sm_90", launched={"_Z5tilesv"})["loop"]["function"], "_Z5tilesv")
        self.assertEqual(
            set(kernels_with_roots(TEXT)), {readable(name) for name in ("_Z5tilesv", "_Z5pairsv")}
        )

    def test_kinds_and_conditions(self):
        self.assertEqual(kind_of("@!P0 FFMA R1, R2, R3, R4"), ("multiply and add", "float"))
        self.assertEqual(
            kind_of("@!UP0 UIADD3 UR4, UR4, 0x1, URZ"), ("integers and addresses", "integer")
        )
        self.assertEqual(kind_of("FROBNICATE R1"), ("other", ""))
        self.assertEqual(
            by_kind(["IMAD R1, R2, R3, R4", "BRA 0x10"]),
            {"control": 1, "integers and addresses": 1},
        )
        self.assertLessEqual({unit for _, unit, _ in KINDS}, {"", *Units._fields})

    def test_the_hand_count_of_several_bodies(self):
        """13.3 slots (data/results/part3_slots.json) on 132 multiprocessors at 1.98 GHz."""
        self.assertAlmostEqual(lanes_of(132) * 1.98e9 / 13.27 / 1e12, 2.52, 2)

    def test_what_cannot_be_counted_is_one_line(self):
        with self.assertRaisesRegex(CannotCount, "no table for 'sm_10'; known are sm_70 sm_75"):
            bound("sm_10")
        with self.assertRaisesRegex(CannotCount, "no kernel called nonsense with a square root"):
            bound("sm_90", "nonsense")
        with (
            mock.patch.object(bound_sass, "tool_called", return_value=""),
            self.assertRaisesRegex(CannotCount, "./lab setup --cuda"),
        ):
            sass_bound("program")
