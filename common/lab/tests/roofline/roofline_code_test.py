"""Reading a loop's machine code: units, widths, fma, calls of pow."""

import sys
import unittest
from collections import namedtuple
from pathlib import Path
from unittest import mock

from nbody_lab.hardware.cores import Core
from nbody_lab.roofline import code as roofline_code
from nbody_lab.roofline.code import code_of, code_of_loop, unit_of
from nbody_lab.roofline.model import limits_of, plain_code
from tests.roofline import roofline_for_tests as made

Loop = namedtuple("Loop", "instructions instruction_set lanes roots calls others")
Text = namedtuple("Text", "text")
# naive as g++ compiles it: of its seven divisions, two pairs share an instruction.
NAIVE = (
    "subss  %xmm4,%xmm1",
    "mulss  %xmm1,%xmm1",
    "sqrtss %xmm0,%xmm0",
    "divss  %xmm0,%xmm2",
    "divss  %xmm7,%xmm3",
    "divps  %xmm7,%xmm1",
    "divss  %xmm6,%xmm2",
    "divps  %xmm5,%xmm1",
    "addss  (%rax),%xmm1",
    "movss  %xmm1,(%rax)",
    "cmp    %rdx,%rax",
)


def loop(texts, instruction_set="scalar", lanes=1, roots=1, calls=(), others=()):
    return Loop([Text(text) for text in texts], instruction_set, lanes, roots, calls, others)


class CodeTest(unittest.TestCase):
    def test_single_instructions(self):
        for text, wanted in (
            ("vdivps %ymm1,%ymm2,%ymm3", ("div", "avx2")),
            ("divss %xmm6,%xmm2", ("div", "scalar")),
            ("rsqrtps %xmm1,%xmm2", ("rsqrt", "sse2")),
            ("vrsqrt14ps %zmm1,%zmm2", ("rsqrt", "avx512f")),
            ("vfnmadd213ss %xmm0,%xmm1,%xmm2", ("arithmetic", "scalar")),
            ("addpd %xmm1,%xmm2", ("arithmetic", "sse2")),
            ("vsqrtsd %xmm0,%xmm0,%xmm0", ("sqrt", "scalar")),
            ("fdiv s0, s1, s2", ("div", "scalar")),
            ("fmla v0.4s, v1.4s, v2.4s", ("arithmetic", "neon")),
            ("fsqrt v0.4s, v1.4s", ("sqrt", "neon")),
            ("mov %rax,%rdx", None),
            ("cvtss2sd %xmm0,%xmm0", None),
            ("imul %rax,%rdx", None),
            ("", None),
        ):
            self.assertEqual(unit_of(text), wanted, text)

    def test_naive(self):
        code = code_of_loop(loop(NAIVE), made.NAIVE, "float", 1e-8)
        self.assertEqual(
            code.units,
            {
                ("arithmetic", "scalar"): 3,
                ("sqrt", "scalar"): 1,
                ("div", "scalar"): 3,
                ("div", "sse2"): 8,
            },
        )
        self.assertEqual((code.fma, code.pow_seconds), (False, 0))

    def test_a_turn_of_several_interactions(self):
        texts = (
            "vfmadd231ps %zmm1,%zmm2,%zmm3",
            "vrsqrt14ps %zmm3,%zmm4",
            "vmulps %zmm3,%zmm4,%zmm5",
        )
        code = code_of_loop(loop(texts, "avx512f", roots=16), made.NEWTON, "float", 0)
        self.assertEqual(code.units, {("arithmetic", "avx512f"): 2, ("rsqrt", "avx512f"): 1})
        self.assertTrue(code.fma)
        both = code_of_loop(
            loop(texts, "avx512f", roots=16), made.work(rsqrt=0.5), "float", 0
        )  # one root for both bodies
        self.assertEqual(both.units[("rsqrt", "avx512f")], 0.5)

    def test_calls_of_pow_have_a_price(self):
        code = code_of_loop(
            loop(("sqrtss %xmm0,%xmm0",), calls=["powf", "sqrtf"]), made.NAIVE, "float", 1e-8
        )
        self.assertEqual(code.pow_seconds, 1e-8)

    def test_steps_of_the_same_work_stand_beside_it(self):
        step = loop(("addps  %xmm1,%xmm2", "mulps  %xmm1,%xmm2"), "sse2", 4, 0)
        rest = loop(("addss  %xmm1,%xmm2",), "scalar", 1, 0)
        code = code_of_loop(
            loop(("sqrtps %xmm0,%xmm0",), "sse2", 4, 4, others=[step, rest]), made.FUSED, "float", 0
        )
        self.assertEqual(code.units, {("sqrt", "sse2"): 1, ("arithmetic", "sse2"): 2})

    def test_a_narrow_step_counts_as_often_as_it_goes_round(self):
        """Roots are computed four at a time, the other loops run one by one."""
        roots = (
            "sqrtps (%r11,%rax,1),%xmm0",
            "divps %xmm0,%xmm1",
            "movaps %xmm1,(%rax,%rdx,1)",
            "add $0x10,%rax",
            "cmp %rax,%r14",
            "jne 0 <f>",
        )
        sums = (
            "mulss (%rcx),%xmm0",
            "addss (%rax),%xmm0",
            "add $0x4,%rdx",
            "movss -0x4(%rdx),%xmm1",
            "add $0x28,%rcx",
            "cmp %rdx,%r8",
            "jne 0 <f>",
        )
        split = loop(roots, "sse2", 4, 4, others=[loop(sums, roots=0)])
        with mock.patch.object(roofline_code, "core_in", lambda: Core("a core", (), "", "", 5)):
            code = code_of_loop(split, made.THIRD_LAW, "float", 0, 1e9)
        self.assertEqual(
            code.units, {("sqrt", "sse2"): 0.5, ("div", "sse2"): 0.5, ("arithmetic", "scalar"): 1}
        )  # per 8 interactions
        self.assertAlmostEqual(
            code.begin_seconds, (5 + 4 * 6) / 5 / 8 / 1e9
        )  # a comparison and its jump are fused
        scalar_adds = {
            limit["name"]: limit["interactions_per_s"]
            for limit in limits_of(
                made.processor_rows(1), made.work(sqrt=0.5, add=1), code, "float", 1
            )
        }
        self.assertAlmostEqual(scalar_adds["adding and multiplying"], 2 * made.CLOCK)
        self.assertAlmostEqual(scalar_adds["issuing instructions"], 1 / code.begin_seconds)

    def test_a_core_that_nobody_knows_has_no_limit_of_instructions(self):
        with mock.patch.object(roofline_code, "core_in", lambda: None):
            self.assertEqual(
                code_of_loop(loop(NAIVE), made.NAIVE, "float", 0, 1e9).begin_seconds, 0
            )

    def test_without_a_root_the_source_counts(self):
        self.assertIsNone(code_of_loop(loop(NAIVE, roots=0), made.NAIVE, "float", 0).units)
        self.assertIsNone(code_of_loop(loop(NAIVE), made.work(add=1), "float", 0).units)

    def test_without_a_loop_the_manifest_is_believed(self):
        self.assertEqual(
            code_of(Path(sys.executable), made.NAIVE, "float", 0, "avx2"), plain_code("avx2")
        )
