"""Limits the length of files and functions (more means two ideas: CONTRIBUTING.md, Style) and of tasks in handouts."""

import ast
import json
import re
import subprocess
import unittest

from nbody_lab import ROOT

PYTHON = ROOT / "build/tools/pictures/bin/python"
FILE, TEST, FUNCTION, KERNEL = 250, 400, 40, 60
# Longer files, and why.
LONG_FILES = {
    "common/check/mistakes/table.cpp": "a table, a row for each mistake",
    "common/lab/testing/suite_steps.py": "two short functions for each suite",
    "common/lab/src/nbody_lab/workshop.py": "one object: a method for each thing that it builds or starts",
    "common/mpi/counted_calls.cpp": "a function for each call of MPI, all alike",
    "common/setup/setup.sh": "the one program in shell",
    "docs/run_docs.py": "a program of its own, with its self-test",
}
LONG_FUNCTIONS = {
    "nbody::view::Controls::press": "a case for each key",
    "nbody::exchange_steps": "cut into pieces, it is slower (solutions/part3_cuda/log.md, section 8)",
}
LENGTHS = ("import json, lizard, sys\n"
           "found = lizard.analyze_files(sys.argv[1:])\n"
           "print(json.dumps([(one.filename, f.name, f.nloc) for one in found for f in one.function_list]))")
TASK = re.compile(r"^## (\d+ [^\n]*)\n(.*?)(?=^## |\Z)", re.M | re.S)
TASK_WORDS = 120
NO_WORDS = re.compile(r"```.*?```|`[^`]*`|!\[[^\]]*\]\([^)]*\)|^\|[^\n]*", re.M | re.S)  # commands, code, pictures, tables
FIXTURES = re.compile(r"_test\.|/test/|/zoo/|/test_")


def tracked(*endings):
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False).stdout.split()
    return [path for path in listed if path.endswith(endings) and (ROOT / path).is_file()]


def limit_of(path):
    return TEST if "_test." in path else FILE


class Limits(unittest.TestCase):
    def test_files(self):
        sizes = {path: len((ROOT / path).read_text(encoding="utf-8").splitlines())
                 for path in tracked(".cpp", ".hpp", ".cu", ".cuh", ".py", ".sh", ".cmake")}
        self.assertEqual([f"{path}: {size}" for path, size in sizes.items() if size > limit_of(path) and path not in LONG_FILES], [])

    def test_functions_of_python(self):
        long = []
        for path in tracked(".py"):
            if FIXTURES.search(path):
                continue
            for node in ast.walk(ast.parse((ROOT / path).read_text(encoding="utf-8"))):
                if isinstance(node, ast.FunctionDef) and node.end_lineno - node.lineno + 1 > FUNCTION:
                    long.append(f"{path}: {node.name}")
        self.assertEqual(long, [])

    def test_functions_of_cpp(self):
        """Counts lines without blanks and comments; CUDA kernels may be longer."""
        if not PYTHON.exists():
            self.skipTest("no lizard: ./lab setup --pictures")
        paths = [path for path in tracked(".cpp", ".hpp", ".cu", ".cuh") if not FIXTURES.search(path)]
        done = subprocess.run([PYTHON, "-c", LENGTHS, *paths], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
        functions = json.loads(done.stdout)
        self.assertGreater(len(functions), 1000)
        self.assertEqual([f"{path}: {name}: {lines}" for path, name, lines in functions
                          if lines > (KERNEL if path.endswith((".cu", ".cuh")) else FUNCTION) and name not in LONG_FUNCTIONS], [])

    def test_tasks(self):
        """Each task of a handout is short, and says how long it takes, when it is done and what it teaches."""
        for handout in sorted(ROOT.glob("part*/README.md")):
            tasks = TASK.findall(handout.read_text(encoding="utf-8"))
            self.assertGreater(len(tasks), 5, handout)
            for title, text in tasks:
                words = re.findall(r"[A-Za-z][\w'-]*", NO_WORDS.sub("", text))
                self.assertLessEqual(len(words), TASK_WORDS, f"{handout}: {title}")
                self.assertRegex(title, r"\(about \d+ minutes\)$", handout)
                self.assertRegex(text, r"(?m)^Done when ", f"{handout}: {title}")
                self.assertRegex(text, r"(?m)^Learnt: ", f"{handout}: {title}")
