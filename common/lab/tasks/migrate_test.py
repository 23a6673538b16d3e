#!/usr/bin/env python3
"""Does a templated header compile for float and double once it is rewritten?

    migrate_test.py [COMPILER]

Tests a student's short header and, if git still has them, the lab's own headers from its last templated version.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import folders  # noqa: E402, F401
from migrate import is_template, migrated  # noqa: E402

LAB = Path(__file__).resolve().parents[3]
LAST_WITH_TEMPLATES = "d42d6d8b54d19925de7847c59f300305d8317889"
COMPILER = sys.argv[1] if len(sys.argv) > 1 else shutil.which("g++") or "clang++"

STUDENT = """#pragma once

#include "naive.hpp"

namespace nbody {

// T(0) stays in comments: template <typename T>.
template <typename T>
T squared(T x) {
  return x * x;
}

template <typename T>
class Mine : public Naive<T> {
 public:
  using Naive<T>::Naive;

  explicit Mine(const Problem<T>& problem) : Naive<T>(problem), name("T(1)") {}

  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    for (std::size_t i = 0; i < n; ++i) {
      Body& body = this->bodies[i];
      T ax = T(0), ay = T(0), az{0};
      for (std::size_t j = 0; j < n; ++j) {
        if (i == j) continue;
        const T dx = bodies[j].qx - body.qx, dy = bodies[j].qy - body.qy, dz = bodies[j].qz - body.qz;
        const T r2 = std::max(squared(dx) + squared(dy) + squared(dz) + softening * softening, T(0));
        if (r2 == T(0)) continue;
        const auto zero = T(0);
        const T pull = zero + G * bodies[j].mass * (T(1) / (r2 * std::sqrt(r2)));
        ax += pull * dx;
        ay += pull * dy;
        az += pull * dz * T(0.5) + T(1) / T(2) * pull * dz;
      }
      body.ax = ax;
      body.ay = ay;
      body.az = az;
    }
  }

 protected:
  // A template does not see the names of its base unless they are listed.
  using typename Naive<T>::Body;
  using Naive<T>::bodies;
  using Naive<T>::G;
  using Naive<T>::softening;

 private:
  const char* name;
};

}  // namespace nbody
"""


def old_file(path):
    done = subprocess.run(["git", "-C", LAB, "show", f"{LAST_WITH_TEMPLATES}:{path}"], capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else None


def old_headers(folder):
    done = subprocess.run(["git", "-C", LAB, "ls-tree", "--name-only", LAST_WITH_TEMPLATES, folder + "/"],
                          capture_output=True, text=True, check=False)
    return [path for path in done.stdout.split() if path.endswith(".hpp") and not path.endswith("worksheet.hpp")]


class MigrateTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def compile(self, *headers, warnings=()):
        """Warnings and errors of one file that includes the headers, for both number types."""
        use = self.write("use.cpp", "".join(f'#include "{header}"\n' for header in headers))
        said = ""
        for real in ("float", "double"):
            said += subprocess.run([COMPILER, "-std=c++20", f"-DLAB_REAL={real}", f"-I{LAB}/common", f"-I{self.root}", *warnings, "-fsyntax-only", use],
                                   capture_output=True, text=True, check=False).stderr
        return said

    def test_this_stays_where_something_else_is_called_so(self):
        text = migrated("template <typename T>\nclass Mine : public Naive<T> {\n  void set(T dt) { this->dt = dt; this->rest = 1; }\n  T dt;\n};\n")
        self.assertIn("void set(real dt) { this->dt = dt; rest = 1; }", text)

    def test_another_letter_and_class_for_typename(self):
        text = migrated("template <class X>\nclass Mine : public Naive<X> {\n  X dt;\n};\n")
        self.assertEqual(text, "class Mine : public Naive {\n  real dt;\n};\n")

    def test_a_students_header(self):
        text = migrated(STUDENT)
        self.assertFalse(is_template(text))
        for gone in ("<T>", "this->", "using Naive::bodies", "using typename", "protected:"):
            self.assertNotIn(gone, text.replace("template <typename T>.", ""))
        for kept in ('name("T(1)")', "// T(0) stays in comments: template <typename T>.", "using Naive::Naive;",
                     "real ax = 0, ay = 0, az{0};", "real(0.5)", "std::max(", ", real(0))", "(real(1) / (r2 * std::sqrt(r2)))",
                     "real(1) / real(2)", "auto zero = real(0);", "if (r2 == 0) continue;", "private:"):
            self.assertIn(kept, text)
        self.write("mine.hpp", text)
        self.write("naive.hpp", (LAB / "part1_standard_opti/naive.hpp").read_text(encoding="utf-8"))
        self.assertEqual(self.compile("mine.hpp", warnings=["-Wall", "-Wextra", "-Wdouble-promotion", "-Wfloat-conversion"]), "")

    def test_twice_is_once(self):
        self.assertEqual(migrated(migrated(STUDENT)), migrated(STUDENT))

    def test_command(self):
        def migrate(status=0):
            done = subprocess.run([sys.executable, LAB / "common/lab/tasks/migrate.py", file], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, status, done.stderr)
            return (done.stdout + done.stderr).strip()
        file = self.write("mine.hpp", STUDENT)
        self.assertEqual(migrate(), f"{file}: rewritten; the old text is in mine.hpp.old")
        self.assertEqual(file.with_name("mine.hpp.old").read_text(encoding="utf-8"), STUDENT)
        self.assertEqual(migrate(), f"{file}: has no `template <typename T>`: unchanged")
        file.write_text(STUDENT, encoding="utf-8")
        self.assertIn("mine.hpp.old exists already: rename it so that nothing is lost", migrate(2))
        self.assertEqual(file.read_text(encoding="utf-8"), STUDENT)
        file.unlink()
        self.assertEqual(migrate(2), f"migrate: {file}: No such file or directory")

    def test_headers_of_the_last_version_with_templates(self):
        if old_file("part1_standard_opti/mine.hpp") is None:
            self.skipTest("git no longer has them")
        for part, rungs in {"part1_standard_opti": old_headers("solutions/part1_standard_opti"), "part2_vectorization": []}.items():
            headers = [f"{part}/naive.hpp", f"{part}/mine.hpp", *rungs]
            for path in headers:
                text = old_file(path)
                self.assertTrue(is_template(text), path)
                rewritten = self.write(path, migrated(text, class_names(headers)))
                self.assertFalse(is_template(rewritten.read_text(encoding="utf-8")), path)
            self.assertEqual(self.compile(*headers), "")



def class_names(headers):
    """The classes of the lab's own headers, which students' headers do not use: Algebra, Fused, ..."""
    return {name for path in headers for name in re.findall(r"^class (\w+)", old_file(path), re.M)}


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
