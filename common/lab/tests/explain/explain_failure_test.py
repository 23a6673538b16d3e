"""The messages for headers that do not compile, from real compilers in a small tree."""

import re

from nbody_lab.explain.compiler_text import plain
from tests.explain.test_lab_tree import LAB, PART1, ExplainTest, compilers, object_of

# Fault -> (how to edit the pasted header, the expected messages in order).
HEADERS = {
    "another class": ((r"class Mine", "class Fast"), ["mine.hpp has no class Mine"]),
    "an empty file": ((r"(?s).*", ""), ["mine.hpp is empty"]),
    "another namespace": (
        (r"namespace nbody \{", "namespace mine {\nusing namespace nbody;"),
        ["mine.hpp: its class Mine cannot be found: is it inside namespace nbody?"],
    ),
    "no namespace": (
        (r"namespace nbody (?s:(.*)): public ", r"namespace mine \1: public nbody::"),
        ["mine.hpp does not compile: line ", "'real'", "(is it inside namespace nbody?)"],
    ),
    "no brace at the end": (
        (r"\}  // namespace nbody\n", ""),
        ["mine.hpp: the error is past its end: a missing brace, or stray text?"],
    ),
    "text at the end": ((r"\}  // namespace nbody\n", "}\nconst\n"), ["stray text?"]),
    "text of no type at the end": (
        (r"\}  // namespace nbody\n", "}\nblah blah\n"),
        ["mine.hpp does not compile: line ", "blah"],
    ),
    "no brace of the class": (
        (r"(?m)^\};", ""),
        ["line ", "after class", "a brace may be missing above"],
    ),
    "no brace of a function": ((r"(?m)^  \}$", ""), ["(a brace may be missing above)"]),
    "a misspelled override": (
        (r"compute_accelerations\(\) o", "compute_acceleration() o"),
        ["does not compile: line ", "override", "(is the name spelled right?)"],
    ),
    "an unknown member": ((r"qx - ", "qxx - "), ["does not compile: line ", "'qxx'"]),
    "no constructor": (
        (r"  using Naive::Naive;\n", ""),
        ["its class has no constructor that takes a Problem"],
    ),
    "a private base": (
        (r": public Naive", ": Naive"),
        [
            "mine.hpp: its class cannot be used as a Simulator: derive it with public, as in class Mine : public Naive"
        ],
    ),
    "a private constructor": (
        (r" public:\n  using Naive::Naive;", " private:\n  Mine(const Problem& p) : Naive(p) {}"),
        ["mine.hpp does not compile: ", "private"],
    ),
    "a function left out": (
        (r"(using Naive::Naive;)", r"\1\n  virtual void more() = 0;"),
        ["lacks a function"],
    ),
    "no semicolon": ((r"(ax = 0);", r"\1"), ["expected ';'"]),
    "asked for in a library": (
        (r"  void compute", "  std::vector<real&> wrong;\n  void compute"),
        ["mine.hpp does not compile: line "],
    ),
}

# Lines that compile for float only -> the expected message.
IN_DOUBLE = {
    "std::max(softening, 0.f)": "write real(0) for 0.f",
    "std::min(1.5F, softening)": "write real(1.5) for 1.5F",
    "_mm256_loadu_ps(&bodies[0].ax)": "these intrinsics take only float; use xsimd::batch<real>, or --no-double",
    "static_cast<float*>(&bodies[0].ax)": "write real for float",
    "twice(&softening)": "",
}


class HeadersTest(ExplainTest):
    def test_pasted_compiles(self):
        self.tree.write(self.tree.pasted())
        for compiler in compilers():
            self.assertEqual(self.tree.compile(compiler), "")

    def test_wrong_headers(self):
        for what, ((pattern, replacement), words) in HEADERS.items():
            text = re.sub(
                pattern, replacement, self.tree.pasted(), count=0 if "brace of a" in what else 1
            )
            self.tree.write(text)
            for compiler in compilers():
                with self.subTest(what, compiler=compiler):
                    said = self.tree.compile(compiler)
                    self.assertNotEqual(said, "")
                    self.tree.failed((object_of("part1_mine"), said))
                    self.expect(1, *words)

    def test_float_and_double_are_one_verdict(self):
        self.tree.write(self.tree.pasted().replace("qx - ", "qxx - "))
        said = [self.tree.compile(compilers()[0], real=real) for real in ("float", "double")]
        self.tree.failed(
            (object_of("part1_mine_double"), said[1]), (object_of("part1_mine"), said[0])
        )
        lines = self.explain(1)
        self.assertEqual(len([line for line in lines if line.startswith("lab: ")]), 1)
        self.assertIn("mine.hpp does not compile: line ", lines[-1])

    def test_what_fails_beside_a_header(self):
        """Its error is shown, and the command ends, since it may need the other failed tool."""
        said = "common/check/main.cpp:1:1: error: no\n"
        self.tree.failed(
            (object_of("part1_mine"), ""), ("common/check/CMakeFiles/check.dir/main.cpp.o", said)
        )
        self.assertIn("common/check/main.cpp does not compile", self.explain(3)[-1])
        self.tree.failed((object_of("part1_mine"), ""))
        self.explain(1)

    def test_flags(self):
        self.tree.write(self.tree.pasted())
        for flag in ("-march=nativ", "-fopenmpp"):
            self.tree.write(f"# comment\n-O3 {flag}\n", f"{PART1}/flags.txt")
            for compiler in compilers():
                with self.subTest(flag, compiler=compiler):
                    self.tree.failed((object_of("part1_mine"), self.tree.compile(compiler, flag)))
                    self.expect(
                        1, f"{PART1}/flags.txt:2: the compiler does not know the flag {flag} ("
                    )

    def test_names(self):
        self.assertEqual(
            plain(
                "no match for x (nbody::Mine) [with _Tp = __gnu_cxx::__alloc_traits<std::allocator<"
                "nbody::Naive::Body>, nbody::Naive::Body>::value_type]"
            ),
            "no match for x (Mine) [with _Tp = Body]",
        )
        self.assertEqual(plain("'nbody::Problem' {aka 'nbody::ProblemOf<float>'}"), "'Problem'")


class InDoubleTest(ExplainTest):
    def fail(self, line, compiler):
        text = self.tree.pasted().replace(
            "const std::size_t n = bodies.size();", f"(void)({line});", 1
        )
        text = text.replace("i < n", "i < bodies.size()").replace("j < n", "j < bodies.size()")
        text = text.replace(
            '#include "naive.hpp"',
            '#include <immintrin.h>\n#include "naive.hpp"\ninline void twice(float*) {}',
        )
        self.tree.write(text)
        self.assertEqual(self.tree.compile(compiler, "-mavx2"), "")
        said = self.tree.compile(compiler, "-mavx2", real="double")
        self.assertNotEqual(said, "")
        self.tree.failed((object_of("part1_mine_double"), said))
        return 1 + text[: text.index(line)].count("\n")

    def test_what_float_allows(self):
        compiled = self.tree.build / object_of("part1_mine")
        compiled.parent.mkdir(parents=True)
        for line, advice in IN_DOUBLE.items():
            for compiler in compilers():
                with self.subTest(line, compiler=compiler):
                    number = self.fail(line, compiler)
                    compiled.write_text("")  # newer than the header
                    self.expect(
                        1,
                        f"{PART1}/mine.hpp:{number} compiles for float, not for double: ",
                        advice and f"; {advice}; log: ",
                    )

    def test_float_has_not_been_tried(self):
        number = self.fail("std::max(softening, 0.f)", compilers()[0])
        self.expect(
            1, f"{PART1}/mine.hpp:{number} does not compile for double: ", "write real(0) for 0.f"
        )


# Fault in a worksheet -> (how to edit it, the expected message).
WORKSHEETS = {
    "a choice without quotes": (
        (r"limited_by = no_choice", "limited_by = d"),
        ["worksheet.hpp does not compile: line ", "(a choice is written with quotes: 'a')"],
    ),
    "no semicolon": (
        (r"(double time_ratio.*);", r"\1"),
        ["worksheet.hpp does not compile: line ", "expected ';'"],
    ),
    "no worksheet": (
        (r"struct Worksheet", "struct Answered"),
        ["worksheet.hpp has no class Worksheet"],
    ),
}


class WorksheetTest(ExplainTest):
    """The worksheet is compiled into the answers program, and into the one that shows Gflop/s."""

    def test_worksheets(self):
        folder = "part1_worksheet_program"
        program = self.tree.build / PART1 / folder / "worksheet_answers.cpp"
        program.parent.mkdir(parents=True)
        header = self.tree.root / PART1 / "worksheet.hpp"
        program.write_text(
            f'#include "{header}"\nnamespace nbody {{ double n_of() {{ return Worksheet{{1}}.n; }} }}\n'
        )
        for what, ((pattern, replacement), words) in WORKSHEETS.items():
            text, changed = re.subn(
                pattern,
                replacement,
                (LAB / PART1 / "worksheet.hpp").read_text(encoding="utf-8"),
                count=1,
            )
            self.assertEqual(changed, 1, what)
            header.write_text(text, encoding="utf-8")
            for compiler in compilers():
                with self.subTest(what, compiler=compiler):
                    said = self.tree.compile(compiler, program=program)
                    self.assertNotEqual(said, "")
                    self.tree.failed(
                        (object_of(folder, source=f"{folder}/worksheet_answers.cpp"), said),
                        (object_of("part1_worksheet_answers", source="worksheet_flops.cpp"), said),
                    )
                    lines = self.expect(1, f"{PART1}/" + words[0], *words[1:])
                    self.assertEqual(len([line for line in lines if line.startswith("lab: ")]), 1)
