"""Hot loops, in recorded machine code and in small loops built by the compilers here."""

import shutil
import subprocess
import unittest

from nbody_lab.bound import machine_symbols
from nbody_lab.bound.machine_code import NoLoop, candidates, hot_loop, loops_with_roots, shape_of
from nbody_lab.bound.machine_symbols import (
    Symbol,
    addresses_in,
    entries,
    instructions_in,
    most_derived,
    pointers_in,
    symbols_in,
)
from tests.folder_for_tests import InFolder

NM = """0000000000001000 0000000000000100 W nbody::Naive::compute_accelerations()
0000000000001100 0000000000000100 W nbody::Mine::compute_accelerations()
0000000000001200 0000000000000080 t nbody::Mine::compute_accelerations() [clone ._omp_fn.0]
0000000000001300 0000000000000016 t nbody::(anonymous namespace)::ScaledSimulation<float>::compute_accelerations()
0000000000002000 0000000000000018 V typeinfo for nbody::SimulatorOf<float>
0000000000002020 0000000000000018 V typeinfo for nbody::Naive
0000000000002040 0000000000000018 V typeinfo for nbody::Mine
0000000000002060 0000000000000018 V typeinfo for nbody::InputError
0000000000002100 0000000000000030 V vtable for nbody::Mine
                 U sqrtf
"""
READELF = """
    Offset             Info             Type               Symbol's Value  Symbol's Name + Addend
0000000000002030  0000000000000008 R_X86_64_RELATIVE                         2000
0000000000002050  0000000000000008 R_X86_64_RELATIVE                         2020
0000000000002110  0000000000000008 R_X86_64_RELATIVE                         1100
"""


class TestOfSymbols(unittest.TestCase):
    """A program has the functions of its class and of its base classes."""

    def setUp(self):
        self.functions, self.data = symbols_in(NM)
        self.pointers = pointers_in(READELF)

    def test_the_class_that_nobody_derives_from_is_the_programs(self):
        self.assertEqual(most_derived(self.data, self.pointers).name, "vtable for nbody::Mine")

    def test_its_function_and_what_the_compiler_made_of_it_are_the_entries(self):
        names = [
            symbol.address
            for symbol in entries(self.functions, self.data, self.pointers, "compute_accelerations")
        ]
        self.assertEqual(names, [0x1100, 0x1200])

    def test_a_class_that_inherits_the_function_leads_to_that_of_its_base(self):
        pointers = {**self.pointers, 0x2110: 0x1000}
        names = [
            symbol.address
            for symbol in entries(self.functions, self.data, pointers, "compute_accelerations")
        ]
        self.assertEqual(names, [0x1000])

    def test_without_pointers_all_of_the_name_are_entries(self):
        names = [
            symbol.address
            for symbol in entries(self.functions, self.data, {}, "compute_accelerations")
        ]
        self.assertEqual(names, [0x1000, 0x1100, 0x1200])

    def test_addresses_of_calls_and_of_functions_that_are_handed_on(self):
        self.assertEqual(addresses_in("call 1200 <nbody::f()>"), [0x1200])
        self.assertEqual(addresses_in("lea 0x10(%rip),%rdi # 1200 <nbody::f()>"), [0x1200])
        self.assertEqual(addresses_in("mov $0x401200,%edi"), [0x401200])
        self.assertEqual(addresses_in("vaddps %zmm1,%zmm2,%zmm3"), [])


# A loop with an if, a call for negative numbers after the function's end, and padding.
WITH_CALL = """
    1000:	xor    %eax,%eax
    1002:	cmp    %rax,%rbx
    1005:	je     1020 <f+0x20>
    1007:	subss  (%rdi),%xmm0
    100b:	ucomiss %xmm0,%xmm3
    100e:	ja     1040 <f+0x40>
    1010:	sqrtss %xmm0,%xmm0
    1014:	divss  %xmm0,%xmm1
    1018:	addss  %xmm1,%xmm2
    1020:	add    $0x1,%rax
    1024:	cmp    %rcx,%rax
    1027:	jb     1002 <f+0x2>
    1029:	ret
    1040:	movss  %xmm1,0xc(%rsp)
    1044:	call   900 <sqrtf@plt>
    1049:	addss  %xmm1,%xmm0
    104a:	addss  %xmm1,%xmm0
    104b:	jmp    1014 <f+0x14>
    1050:	nop
"""
# A vector body, its scalar remainder, and an atomic addition that retries.
VECTOR = """
    1000:	vsqrtps (%rdi,%rax,1),%ymm0
    1004:	vfmadd231ps %ymm0,%ymm0,%ymm1
    1008:	add    $0x20,%rax
    100c:	cmp    %rax,%rcx
    1010:	jne    1000 <f>
    1014:	vsqrtss (%rdi,%rax,1),%xmm0,%xmm0
    1018:	mov    (%rsi),%eax
    101c:	vaddss %xmm0,%xmm1,%xmm2
    1020:	lock cmpxchg %edx,(%rsi)
    1024:	jne    101c <f+0x1c>
    1028:	add    $0x4,%rax
    102c:	cmp    %rax,%rcx
    1030:	jne    1014 <f+0x14>
    1034:	ret
"""


def loops_in(text):
    return loops_with_roots(Symbol(0x1000, 0x100, "f()"), instructions_in(text))


class TestOfLoops(unittest.TestCase):
    def test_the_way_round_does_the_work_and_leaves_out_the_call_for_negative_numbers(self):
        (loop,) = loops_in(WITH_CALL)
        self.assertEqual(
            [hex(one.address) for one in loop.instructions],
            [
                "0x1002",
                "0x1005",
                "0x1007",
                "0x100b",
                "0x100e",
                "0x1010",
                "0x1014",
                "0x1018",
                "0x1020",
                "0x1024",
                "0x1027",
            ],
        )
        self.assertEqual(
            (loop.instruction_set, loop.lanes, loop.roots, loop.calls), ("scalar", 1, 1, [])
        )

    def test_body_and_remainder_are_two_loops_and_what_tries_again_is_none(self):
        self.assertEqual(
            [(loop.roots, len(loop.instructions)) for loop in loops_in(VECTOR)], [(8, 5), (1, 8)]
        )

    def test_no_instructions_no_loop(self):
        self.assertEqual(loops_in(""), [])

    def test_a_call_of_pow_is_a_root_where_there_is_no_instruction(self):
        text = WITH_CALL.replace("sqrtss %xmm0,%xmm0", "call 900 <powf@plt>").replace(
            "ja     1040 <f+0x40>", "nop"
        )
        (loop,) = loops_in(text)
        self.assertEqual((loop.roots, loop.calls), (1, ["powf"]))


class TestOfShapes(unittest.TestCase):
    """shape_of() returns (instruction set, lanes, roots)."""

    def test_of_vectors(self):
        self.assertEqual(
            shape_of(["vrsqrt14ps %zmm1,%zmm2", "vmulps %zmm1,%zmm1,%zmm1"]), ("avx512f", 16, 16)
        )
        self.assertEqual(shape_of(["sqrtpd %xmm1,%xmm2"]), ("sse2", 2, 2))
        self.assertEqual(
            shape_of(["fsqrt v0.4s, v1.4s", "fadd v0.4s, v0.4s, v1.4s"]), ("neon", 4, 4)
        )

    def test_coordinates_side_by_side_make_no_vector_code(self):
        self.assertEqual(
            shape_of(["mulps %xmm0,%xmm1", "divps %xmm0,%xmm1", "sqrtss %xmm0,%xmm0"]),
            ("scalar", 1, 1),
        )

    def test_an_estimate_in_float_of_roots_in_double_is_worth_the_lanes_of_double(self):
        self.assertEqual(
            shape_of(["rsqrtps %xmm2,%xmm2", "mulpd %xmm1,%xmm2", "addpd %xmm1,%xmm2"]),
            ("sse2", 2, 2),
        )
        self.assertEqual(
            shape_of(
                ["vrsqrtps %xmm2,%xmm2", "vmulpd %ymm1,%ymm2,%ymm0", "vaddpd %ymm1,%ymm2,%ymm0"]
            ),
            ("avx2", 4, 4),
        )

    def test_without_arithmetic(self):
        self.assertEqual(shape_of(["add $0x1,%rax"]), ("scalar", 1, 0))


SOURCE = """
#include <cmath>
__attribute__((noinline)) void compute_accelerations(const float* x, float* __restrict a, int n) {
  for (int i = 0; i < n; ++i) {
    float sum = 0;
    for (int j = 0; j < n; ++j) { const float d = x[j] - x[i]; sum += d / std::sqrt(d * d + 1e-3F); }
    a[i] = sum;
  }
}
__attribute__((noinline)) float largest_time_step(const float* x, int n) {
  float sum = 0;
  for (int j = 0; j < n; ++j) sum += std::sqrt(x[j]) + std::sqrt(x[j] + 1);
  return sum;
}
int main(int argc, char**) {
  static float x[1000], a[1000];
  compute_accelerations(x, a, argc);
  return static_cast<int>(a[0] + largest_time_step(x, argc));
}
"""


@unittest.skipUnless(shutil.which("objdump"), "no binutils here")
class TestOfCompilers(InFolder):
    def setUp(self):
        super().setUp()
        (self.folder / "one.cpp").write_text(SOURCE, encoding="utf-8")

    def built(self, compiler, *flags):
        program = self.folder / "one"
        done = subprocess.run(
            [compiler, *flags, self.folder / "one.cpp", "-o", program],
            check=False,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        return program

    def test_scalar_and_vector_code_of_each_compiler(self):
        for compiler in filter(shutil.which, ("g++", "clang++")):
            with self.subTest(compiler):
                scalar = hot_loop(self.built(compiler, "-O2", "-fno-tree-vectorize"))
                self.assertEqual(
                    (scalar.lanes, scalar.instruction_set, scalar.calls), (1, "scalar", [])
                )
                # clang++ does two interactions per iteration
                self.assertEqual(
                    sum("sqrtss" in one.text for one in scalar.instructions), scalar.roots
                )
                self.assertIn(scalar.roots, (1, 2))
                vector = hot_loop(self.built(compiler, "-O3", "-ffast-math"))
                self.assertGreater(vector.lanes, 1)
                self.assertEqual(vector.roots % vector.lanes, 0)

    def test_the_search_for_neighbours_is_not_taken(self):
        program = self.built("g++", "-O2", "-fno-math-errno", "-fno-tree-vectorize")
        self.assertEqual(
            [loop.function for loop in candidates(program)],
            ["compute_accelerations(float const*, float*, int)"],
        )
        self.assertEqual(len(candidates(program, "main")), 1)  # without main's other calls

    def test_openmp_and_a_function_that_is_called(self):
        (self.folder / "one.cpp").write_text(
            SOURCE.replace("  for (int i", "#pragma omp parallel for\n  for (int i", 1),
            encoding="utf-8",
        )
        for flags in ((), ("-no-pie",)):
            loop = hot_loop(self.built("g++", "-O2", "-fopenmp", *flags))
            self.assertIn("omp_fn", loop.function)

    def test_what_cannot_be_shown_is_said_in_a_sentence(self):
        program = self.built("g++", "-O2")
        for function, said in (
            ("nothing", "has no function nothing"),
            ("register_tm_clones", "has no function"),
        ):
            with self.assertRaisesRegex(NoLoop, said):
                hot_loop(program, function)
        subprocess.run(["strip", program], check=True)
        with self.assertRaisesRegex(NoLoop, "no symbols"):
            hot_loop(program)
        with self.assertRaisesRegex(NoLoop, "No such file"):
            hot_loop(self.folder / "nothing")

    def test_a_tool_that_is_missing(self):
        which, machine_symbols.shutil.which = shutil.which, lambda _: None
        self.addCleanup(setattr, shutil, "which", which)
        with self.assertRaisesRegex(NoLoop, "install the package binutils"):
            hot_loop("anything")
