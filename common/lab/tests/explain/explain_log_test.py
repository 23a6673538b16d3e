"""Explanations of logs: recorded output of nvcc, and missing files."""

from tests.explain.test_lab_tree import PART1, PART3, ExplainTest, object_of, recorded


class NvccTest(ExplainTest):
    """Recorded, because nvcc is not everywhere and takes ten seconds or more per program."""

    def said(self, name, header, target="part3_mine", double=False):
        self.tree.write(header, f"{PART3}/mine.cuh")
        said = recorded()[name].replace("ROOT", str(self.tree.root))
        if double:
            compiled = self.tree.build / object_of("part3_mine", PART3, "mine.cu")
            compiled.parent.mkdir(parents=True, exist_ok=True)
            compiled.write_text("")
            target = "part3_mine_double"
        self.tree.failed((object_of(target, PART3, "mine.cu"), said))

    def test_names_the_file_and_the_line(self):
        for name, words in {
            "unknown": [
                'mine.cuh does not compile: line 13: class "Body" has no member "qxx"; log'
            ],
            "undeclared": [
                'mine.cuh does not compile: line 24: identifier "gravity" is undefined; log'
            ],
            "semicolon": ['mine.cuh does not compile: line 11: expected a ";"'],
            "override": [
                "mine.cuh does not compile: line 45: ",
                "override",
                "(is the name spelled right?)",
            ],
            "brace_of_class": [
                "mine.cuh: the error is past its end: a missing brace, or stray text?"
            ],
            "end_brace": ["mine.cuh: the error is past its end"],
            "other_class": ["mine.cuh has no class Mine"],
            "no_constructor": ["mine.cuh: its class has no constructor that takes a Problem"],
            "private_base": [
                "mine.cuh: its class cannot be used as a Simulator: derive it with public"
            ],
            "private_constructor": ['mine.cuh does not compile: "Mine::Mine(', "is inaccessible"],
            "abstract": ["mine.cuh: its class lacks a function that every simulator needs"],
            "shared": [
                "mine.cuh does not compile: kernel my_accelerations asks for 80000 bytes of __shared__ memory, "
                "but a block has only 49152"
            ],
        }.items():
            with self.subTest(name):
                self.said(name, "class Fast {};" if name == "other_class" else "class Mine {};")
                self.expect(1, f"{PART3}/" + words[0], *words[1:])

    def test_the_lines_it_quotes(self):
        self.said("unknown", "class Mine {};")
        self.assertEqual(
            self.explain(1)[:2],
            [
                f'{PART3}/mine.cuh(13): error: class "Body" has no member "qxx"',
                "        const real dx = bodies[j].qxx - bodies[i].qx;",
            ],
        )

    def test_the_namespace(self):
        self.said("other_class", "namespace mine {\nclass Mine {};\n}")
        self.expect(
            1, f"{PART3}/mine.cuh: its class Mine cannot be found: is it inside namespace nbody?"
        )

    def test_in_double(self):
        self.said(
            "in_double_max", "\n" * 46 + "    softening = std::max(softening, 0.f);\n", double=True
        )
        self.expect(
            1, f"{PART3}/mine.cuh:47 compiles for float, not for double: ", "write real(0) for 0.f"
        )
        self.said("in_double", "\n" * 18 + "    float* p = &ax;\n", double=True)
        self.expect(
            1, f"{PART3}/mine.cuh:19 compiles for float, not for double: ", "write real for float"
        )


class FilesTest(ExplainTest):
    def test_gone(self):
        self.tree.log.write_text(
            "ninja: error: unknown target 'bin/part1/mine_fast', did you mean 'bin/part1/naive'?\n"
        )
        self.assertEqual(
            self.explain(2),
            [
                "lab: mine_fast.hpp is missing; ./lab undo part1 mine_fast restores the version that last passed its check"
            ],
        )
        self.tree.log.write_text(
            "ninja: error: unknown target 'bin/part3/mine_fast', did you mean 'bin/part3/naive'?\n"
        )
        self.assertEqual(
            self.explain(2),
            [
                "lab: mine_fast.cuh is missing; ./lab undo part3 mine_fast restores the version that last passed its check"
            ],
        )
        self.tree.log.write_text(
            f"ninja: error: '../../{PART1}/mine_x.hpp', needed by 'x.o', missing\n"
        )
        self.assertEqual(
            self.explain(2),
            [
                "lab: mine_x.hpp is missing; ./lab undo part1 mine_x restores the version that last passed its check"
            ],
        )
        self.tree.log.write_text(
            f"ninja: error: '{self.tree.root}/{PART1}/worksheet.hpp', needed by 'x.o', missing\n"
        )
        self.expect(
            2, f"{PART1}/worksheet.hpp is missing: bring it back, for example with git checkout "
        )

    def test_configuration(self):
        self.tree.log.write_text(
            f"CMake Error at x.cmake:3 (message):\n  {PART1}/flags.txt:3: no\n  such flag\n\n\n"
        )
        self.assertEqual(
            self.explain(2),
            [
                f"lab: {PART1}/flags.txt:3: no such flag",
                "lab: nothing was built; log: build/release/lab.log",
            ],
        )
        self.tree.log.write_text(
            "CMake Error at x.cmake:3 (message):\n  no such\n  thing\nCall Stack (most recent call first):\n  y\n"
        )
        self.assertEqual(self.explain(2)[0], "lab: CMake stopped: no such thing")

    def test_no_network(self):
        packages = self.tree.root / "common/setup/packages.txt"
        packages.parent.mkdir(parents=True)
        packages.write_text("libfmt-dev header:fmt/format.h  # fmt: text\n")
        self.tree.log.write_text(
            "-- fmt: no package found, fetching 9.1.0\nCMake Error at x:1:\n  Failed to clone repository\n\n"
        )
        self.expect(
            2,
            "cannot fetch fmt (no network?): install the package libfmt-dev (by ./lab setup) or configure by "
            "hand with -DFETCHCONTENT_SOURCE_DIR_FMT=FOLDER; log: ",
        )

    def test_programs_of_what_failed_go(self):
        bin_folder = self.tree.build / "bin/part1"
        for name in ("mine", "mine_double", "naive"):
            (bin_folder / name).write_text("")
        self.tree.failed(
            (object_of("part1_mine"), ""), ("bin/part1/mine_double", "undefined reference to x\n")
        )
        lines = self.explain(1)
        self.assertIn("lab: bin/part1/mine_double does not link; log: build/release/lab.log", lines)
        self.assertEqual([path.name for path in bin_folder.iterdir()], ["naive"])

    def test_the_labs_own_code(self):
        self.tree.failed(
            (
                object_of("nbody_check", "common/check", "forces.cpp"),
                f"{self.tree.root}/common/check/forces.cpp:7:3: error: no\n",
            )
        )
        self.assertEqual(
            self.explain(3)[-1],
            "lab: common/check/forces.cpp does not compile: line 7: no; log: build/release/lab.log",
        )
        self.tree.log.write_text("ninja: it burns\n")
        self.assertEqual(
            self.explain(3), ["ninja: it burns", "lab: building failed; log: build/release/lab.log"]
        )

    def test_no_more_than_five(self):
        self.tree.failed(*((f"bin/part1/mine_{n}", "") for n in range(7)))
        lines = self.explain(1)
        self.assertEqual((len(lines), lines[-1]), (6, "lab: and 2 more"))
