"""Does ./lab diff compare functions, and is each rung's change short enough to read as a diff?

diff_test.py [MANIFEST]      without: only functions are compared
"""

import subprocess
import unittest

from nbody_lab.core.manifest import Manifest
from nbody_lab.tasks.diff import Ladder, changed_lines, functions, show
from tests import BUILD, as_program
from tests.folder_for_tests import InFolder

LIMIT = 10
PARENT = """class Slow : public Simulator {
 public:
  // Comments do not count.
  void work() override {
    for (int i = 0; i < n; ++i) {
      sum += i;  // nor do these
    }
  }

  real rest(real x) const { return x; }
};
"""
CHILD = """class Fast : public Slow {
 public:
  using Slow::Slow;
  void work() override {
  #pragma omp simd
    for (int i = 0; i < n; ++i) {
        sum += 2 * i;
    }
  }

  void fresh() { ++n; }
};
"""


class FakeManifest:
    rows = {
        "slow": {"source": "slow.hpp", "parent": "", "summary": "slow", "flags": ["-O2", "-g"]},
        "same": {
            "source": "same.hpp",
            "parent": "slow",
            "summary": "other flags",
            "flags": ["-O3", "-g"],
        },
        "fast": {
            "source": "fast.hpp",
            "parent": "same",
            "summary": "fast",
            "flags": ["-O2", "-fopenmp"],
            "long_diff": "why",
        },
    }

    def row(self, _, name):
        return self.rows[name]


class FunctionsTest(InFolder):
    def setUp(self):
        super().setUp()
        for name, text in {"slow": PARENT, "same": "class Same {};\n", "fast": CHILD}.items():
            (self.folder / f"{name}.hpp").write_text(text)
        self.ladder = Ladder(FakeManifest(), "part1", self.folder)

    def test_functions(self):
        self.assertEqual(
            functions(PARENT),
            {
                "work": [
                    "void work() override {",
                    "for (int i = 0; i < n; ++i) {",
                    "sum += i;",
                    "}",
                    "}",
                ],
                "rest": ["real rest(real x) const { return x; }"],
            },
        )

    def test_changed_lines(self):
        self.assertEqual(changed_lines(["a", "b"], ["a", "c"]), 1)
        self.assertEqual(changed_lines(["a", "b"], ["x", "a", "b", "y", "z"]), 3)
        self.assertEqual(changed_lines(["a", "b", "c"], ["a"]), 2)

    def test_compares_with_the_nearest_that_has_it(self):
        rows = [
            (function, who, changed) for function, who, _, _, changed in self.ladder.compare("fast")
        ]
        self.assertEqual(rows, [("work", "slow", 2), ("fresh", "", 1)])
        self.assertEqual(self.ladder.changed("fast"), 2)

    def test_a_function_of_the_class_below_the_first_is_replaced(self):
        below = self.folder / "common/simulator/all_bodies.hpp"
        below.parent.mkdir(parents=True)
        below.write_text("class All : public Simulator {\n  int fresh() { return 2; }\n};\n")
        first = self.ladder.source("slow")
        first.write_text('#include "simulator/all_bodies.hpp"\n' + first.read_text())
        self.assertIn(
            ("fresh", "slow", 1),
            [
                (function, who, changed)
                for function, who, _, _, changed in self.ladder.compare("fast")
            ],
        )

    def test_shows(self):
        text = "\n".join(show(self.ladder, "fast"))
        for words in (
            "work(), 2 lines changed from slow",
            "+  #pragma omp simd",
            "-      sum += i;",
            "+        sum += 2 * i;",
            "fresh(), new: 1 line\n",
            "\nflags: adds -O2 -fopenmp, drops -O3 -g\n",
            "\nlonger than ten lines: why",
        ):
            self.assertIn(words, text)
        self.assertEqual(
            show(self.ladder, "same")[1:], ["no function differs", "", "flags: adds -O3, drops -O2"]
        )
        other = show(self.ladder, "fast", "slow")
        self.assertIn("flags: adds -fopenmp, drops -g", other)
        self.assertIn("the step from same is longer than ten lines: why", other)
        self.assertNotIn("flags", "\n".join(show(self.ladder, "same", "same")[1:]))
        self.assertEqual(
            show(self.ladder, "slow"),
            ["part1/slow is the first of its part: there is nothing to compare it with"],
        )


class LadderTest(unittest.TestCase):
    """Uses the manifest of the build: solutions may be missing, and part 3 without CUDA."""

    manifest = BUILD / "manifest.json"

    def rungs(self):
        if not self.manifest.exists():
            self.skipTest("nothing is configured")
        for row in Manifest(self.manifest).rows:
            if row["kind"] in ("rung", "exhibit", "solution") and row["parent"]:
                yield row, Ladder(Manifest(self.manifest), row["part"]).changed(row["name"])

    def test_ten_lines_or_a_reason(self):
        for row, changed in self.rungs():
            with self.subTest(f"{row['part']}/{row['name']}"):
                if not row["long_diff"]:
                    self.assertLessEqual(
                        changed,
                        LIMIT,
                        "more than ten lines: LONG_DIFF says why, or a rung between prepares it",
                    )

    def test_no_stale_reason(self):
        for row, changed in self.rungs():
            with self.subTest(f"{row['part']}/{row['name']}"):
                if row["long_diff"]:
                    self.assertGreater(
                        changed, LIMIT, "ten lines or fewer: LONG_DIFF is no longer needed"
                    )

    def test_command(self):
        if not self.manifest.exists():
            self.skipTest("nothing is configured")
        for words, said in {
            ("part1", "naive"): "is the first of its part",
            ("part1", "nobody"): "part1 has no implementation 'nobody'",
        }.items():
            done = subprocess.run(
                [*as_program("tasks.diff", "compare"), self.manifest, *words],
                capture_output=True,
                text=True,
                check=False,
            )
            self.assertIn(said, done.stdout + done.stderr)
            self.assertEqual(done.returncode, 0 if "naive" in words else 2)
