"""Explanations of warnings in students' files, and of a class that overrides nothing."""

import re
import unittest

from nbody_lab.explain import compiler_warnings
from nbody_lab.explain.compiler_warnings import replaces_nothing, warnings_in
from nbody_lab.tasks.replaces_nothing import text_of_naive
from tests import ended_with
from tests.explain.test_lab_tree import LAB, PART1, PART3, Tree, compilers, object_of, recorded

WARNINGS = ["-Wall", "-Wextra", "-Wdouble-promotion", "-Wfloat-conversion"]
# A student's line -> the expected explanation.
LINES = {
    "const auto fifth = 0.2 * softening; if (fifth > 1) return;": "computed in double, which is slower: write real(0.2) for 0.2, std::pow(x, real(2)) for std::pow(x, 2)",
    "const double fine = static_cast<double>(G); softening = fine;": "computed in double, then rounded to float: write real(0.2) for 0.2, or real(...) around it if that is intended",
    "real sum; sum += softening; softening = sum;": "it has no value yet: write real sum = 0",
    "for (int i = 0; i < bodies.size(); ++i) bodies[i].ax = 0;": "compares a signed with an unsigned number: use std::size_t for both",
    "int unused = 3;": "unused: is it meant to be used?",
}
SILENCE = "its class overrides no function of Naive, so it computes as naive does: "


def mine(members="", base="Naive"):
    return f"#pragma once\nnamespace nbody {{\nclass Mine : public {base} {{\n public:\n  using Naive::Naive;\n{members}\n}};\n}}\n"


def contract_and_naive(part=PART1, naive="naive.hpp"):
    return text_of_naive(LAB / part / naive, LAB / "common")


class WarningsTest(unittest.TestCase):
    def setUp(self):
        self.tree = Tree()
        self.addCleanup(self.tree.close)

    def explain(self, log):
        self.tree.log.write_text(log, encoding="utf-8")
        status, out, err = ended_with(compiler_warnings.tell, self.tree.log, self.tree.root)
        self.assertEqual((status, out), (0, ""))
        return err.splitlines()

    def test_compilers(self):
        for line, meaning in LINES.items():
            text = self.tree.pasted().replace("override {\n", f"override {{\n    {line}\n", 1)
            self.tree.write(text)
            number = 1 + text[: text.index(line)].count("\n")
            for compiler in compilers():
                if "clang" in compiler and "static_cast<double>" in line:
                    continue  # clang does not warn about it
                # g++ tracks values only when it optimises.
                to = ["-O1", "-S", "-o", "/dev/null"] if "sum" in line else ["-fsyntax-only"]
                with self.subTest(line, compiler=compiler):
                    lines = self.explain(self.tree.compile(compiler, *WARNINGS, to=to))
                    self.assertRegex(lines[0], f"^{PART1}/mine.hpp:{number}: warning: ")
                    self.assertEqual(lines[1:3], ["    " + line, "  " + meaning])

    def test_untouched_and_pasted_are_silent(self):
        for text in (self.tree.pasted(), (LAB / PART1 / "mine.hpp").read_text(encoding="utf-8")):
            self.tree.write(text)
            for compiler in compilers():
                self.assertEqual(self.explain(self.tree.compile(compiler, *WARNINGS)), [])

    def test_nvcc(self):
        text = "\n" * 9 + "  int unused = 3;\n" + "\n" * 36 + "    for (int i = 0; i < n; ++i) {}\n"
        self.tree.write(text, f"{PART3}/mine.cuh")
        said = recorded()
        self.assertEqual(
            self.explain(said["warnings"].replace("ROOT", str(self.tree.root)))[:2],
            [
                f'{PART3}/mine.cuh:10: warning: variable "unused" was declared but never referenced',
                "    int unused = 3;",
            ],
        )
        lines = self.explain(said["host_warning"].replace("ROOT", str(self.tree.root)))
        self.assertRegex(
            lines[0],
            f"^{PART3}/mine.cuh:47: warning: comparison of integer expressions of different signedness",
        )
        self.assertEqual(
            lines[2:], ["  compares a signed with an unsigned number: use std::size_t for both"]
        )

    def test_places_are_named_once_and_only_students(self):
        root = self.tree.root
        log = "".join(
            f"{root}/{file}:{line}:3: warning: odd [-Wodd]\n"
            for file, line in [
                (f"{PART1}/mine.hpp", 3),
                (f"{PART1}/mine.hpp", 3),
                (f"{PART1}/naive.hpp", 4),
                ("common/x.hpp", 1),
            ]
        )
        self.assertEqual(
            warnings_in(log + "/usr/include/mine.hpp:1:1: warning: no [-Wno]\n", root),
            [(f"{PART1}/mine.hpp", 3, "odd", "-Wodd")],
        )

    def test_no_more_than_five(self):
        log = "".join(
            f"{self.tree.root}/{PART1}/mine.hpp:{line}:3: warning: odd [-Wodd]\n"
            for line in range(1, 9)
        )
        self.assertEqual(self.explain(log)[-1], "and 3 more warnings")

    def again(self):
        _, _, err = ended_with(
            compiler_warnings.again, self.tree.build, str(self.tree.root), [f"{PART1}/mine.hpp"]
        )
        return err.splitlines()

    def test_once_more_as_long_as_the_file_has_not_changed(self):
        warning = f"{self.tree.root}/{PART1}/mine.hpp:3:3: warning: odd [-Wodd]\n"
        self.assertEqual(self.again(), [])
        said = self.explain(f"[1/2] Building CXX object {object_of('part1_mine')}\n" + warning)
        self.assertEqual(self.again(), said)
        self.explain("ninja: no work to do.\n")
        self.assertEqual(self.again(), said)
        # The program for double is compiled from the same file and adds nothing new.
        self.explain(f"[1/2] Building CXX object {object_of('part1_mine_double')}\n" + warning)
        self.assertEqual(self.again(), said)
        self.tree.write(self.tree.pasted() + "// changed\n")
        self.assertEqual(self.again(), [])
        self.explain(f"[1/2] Building CXX object {object_of('part1_mine')}\n")
        self.assertEqual(self.again(), [])

    def test_replaces_nothing_after_a_build(self):
        self.tree.write(
            self.tree.pasted().replace("compute_accelerations() override", "compute_acceleration()")
        )
        contract = self.tree.root / "common/simulator/contract.hpp"
        contract.parent.mkdir(parents=True)
        contract.write_text((LAB / "common/simulator/contract.hpp").read_text(encoding="utf-8"))
        steps = [
            f"[{n}/2] Building CXX object {object_of(target)}\n"
            for n, target in enumerate(("part1_mine", "part1_mine_double"), 1)
        ]
        line = f"{PART1}/mine.hpp: {SILENCE}compute_acceleration() is not a function of Naive (compute_accelerations()?)"
        self.assertEqual(self.explain("".join(steps)), [line])
        self.assertEqual(
            self.explain("[1/1] Building CXX object x/CMakeFiles/part1_naive.dir/naive.cpp.o\n"), []
        )
        self.assertEqual(
            self.explain(f"{steps[0]}FAILED: [code=1] {object_of('part1_mine')} \n"), []
        )


class ReplacesNothingTest(unittest.TestCase):
    def says(self, header, naive=None):
        return replaces_nothing(header, naive or contract_and_naive())

    def test_silent(self):
        for header in (
            mine(),
            (LAB / PART1 / "mine.hpp").read_text(encoding="utf-8"),
            mine("  explicit Mine(const Problem& p) : Naive(p), extra(3) {}\n  int extra;"),
            mine("  void compute_accelerations() override {}"),
            mine("  void update_bodies(const real dt) final;"),
            mine("  void update_bodies(real) { if (true) { helper(); } }\n  void helper() {}"),
            mine(
                "  double advance(std::uint64_t steps, const StepRule& rule) override { return 0; }"
            ),
            mine("  void copy_state(Bodies<real>& to) const { }"),
            mine("  void kick(nbody::real dt) {}\n  // compute_acceleration()"),
            mine("  void whatever() {}", base="Simulator"),
            "class Fast : public Naive {\n  void compute_accelerations() override {}\n};\n"
            + mine("  void whatever() {}", base="Fast"),
        ):
            self.assertIsNone(self.says(header), header)

    def test_says_what(self):
        for members, words in {
            "  void compute_acceleration() {}": "compute_acceleration() is not a function of Naive (compute_accelerations()?)",
            "  void helper() {}\n  virtual real largest_timestep() { return 1; }": "largest_timestep() is not a function of Naive (largest_time_step()?)",
            "  void my_own() {}": "my_own() is not a function of Naive",
            "  void update_bodies(double dt) {}": "update_bodies(double) is not Naive's update_bodies(real): write override",
            "  void update_bodies() {}": "update_bodies() is not Naive's update_bodies(real): write override",
            "  void copy_state(Bodies<real>& to) {}": "copy_state(Bodies<real> &) is not Naive's copy_state(Bodies<real> &) const: write override",
        }.items():
            self.assertEqual(self.says(mine(members)), SILENCE + words)

    def test_each_overriding_function_of_naive_is_known(self):
        for part, file, base in (
            (PART1, "naive.hpp", "simulator/array_of_bodies.hpp"),
            (PART3, "naive.cuh", "cuda/copied_bodies.cuh"),
        ):
            text = "".join(
                given.read_text(encoding="utf-8")
                for given in (LAB / part / file, LAB / "common" / base)
            )
            found = re.findall(r"^(  [^\n]*\b(\w+)\([^\n]*\)[^\n]*) override \{", text, re.M)
            self.assertGreaterEqual(len(found), 5)
            for function, name in found:
                self.assertIsNone(
                    self.says(mine(f"{function} {{}}"), contract_and_naive(part, file)), name
                )
                wrong = self.says(
                    mine(function.replace(name, name + "s") + " {}"), contract_and_naive(part, file)
                )
                self.assertIn(f"{name}s() is not a function of Naive", wrong)
