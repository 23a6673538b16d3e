"""Faults in the lab's Python that its tests must find, each in one function.

    python -m tests.mutation.faults [NAME...]     plants them one after another, runs the tests of their folder, and says which are found

A row of faults.json: the function by its qualified name (FILE:Class.function, FILE: for the module), what is wrong then,
and an edit of its syntax tree, so that a change of layout does not matter. One expression is returned at once, null for
none; of two, the second replaces the first, an expression or statement of the function.
"""

import ast
import json
import os
import subprocess
import sys
import tempfile
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from nbody_lab import ROOT
from nbody_lab.commands.tests import kill_marked
from nbody_lab.core.messages import UserError

LAB = ROOT / "common/lab/src/nbody_lab"
TESTS = ROOT / "common/lab/tests"

MARK = "LAB_FAULT_RUN"
LONGEST_S = 300  # of one test file
FOUND = (1, 2)  # statuses of pytest: a test fails, or a file cannot be collected
OTHER_TESTS = {
    "worksheet/judge.py": [ROOT / "part1_standard_opti/questions_test.py"],
}

# Tests of seconds and minutes, which come last.
SLOW = (
    "all_pictures_test",
    "archives_test",
    "building_test",
    "class_test",
    "evidence_test",
    "failure_test",
    "isolation_test",
    "overlay_test",
    "command_test",
    "contained_test",
    "submissions_test",
    "pages_test",
    "measure_test",
    "uncountable_test",
)

Fault = namedtuple("Fault", "file function wrong edit")


class NoSuchPlace(UserError):
    """The function, or what is to be replaced in it, is not there any more."""


def gives(text):
    def edit(function):
        function.body = ast.parse(f"return {text}" if text is not None else "return").body

    return edit


class Replace(ast.NodeTransformer):
    def __init__(self, old, new):
        self.old, self.new, self.done = old, new, 0

    def generic_visit(self, node):
        is_target = isinstance(getattr(node, "ctx", None), ast.Store)  # of an assignment
        if (
            isinstance(node, (ast.expr, ast.stmt))
            and not is_target
            and ast.unparse(node) == self.old
        ):
            self.done += 1
            made = (
                ast.parse(self.new).body[0]
                if isinstance(node, ast.stmt)
                else ast.parse(self.new, mode="eval").body
            )
            return ast.copy_location(made, node)
        return super().generic_visit(node)


def instead(old, new):
    def edit(function):
        replace = Replace(ast.unparse(ast.parse(old)), new)
        function.body = [replace.visit(statement) for statement in function.body]
        if not replace.done:
            raise NoSuchPlace(f"{getattr(function, 'name', 'the module')} holds no '{old}'")

    return edit


def row(place, wrong, *edit):
    file, function = place.split(":")
    return Fault(file, function, wrong, gives(*edit) if len(edit) == 1 else instead(*edit))


FAULTS = tuple(
    row(*one)
    for group in json.loads(Path(__file__).with_suffix(".json").read_bytes()).values()
    for one in group
)


def name_of(fault):
    """Of several in one function, each has its number."""
    of_function = [one for one in FAULTS if one[:2] == fault[:2]]
    number = f"#{of_function.index(fault) + 1}" if len(of_function) > 1 else ""
    return f"{fault.file}:{fault.function}{number}"


def fault_called(name):
    return next(fault for fault in FAULTS if name_of(fault) == name)


def function_in(tree, path):
    for name in filter(None, path.split(".")):
        named = (node for node in tree.body if getattr(node, "name", None) == name)
        tree = next(named, None)
        if tree is None:
            raise NoSuchPlace(f"there is no {path}")
    return tree


def planted(fault, text, path):
    """The syntax tree of the module with the fault in it."""
    tree = ast.parse(text, path)
    fault.edit(function_in(tree, fault.function))
    return ast.fix_missing_locations(tree)


def tests_of(fault):
    """The test files of its folder; its own first."""
    own = Path(fault.file).stem
    tests = (TESTS / fault.file).parent.glob("*_test.py")
    tests = [file for file in tests if "browser" not in file.name and "_run_" not in file.name]
    tests.sort(key=lambda file: (own not in file.stem, file.stem in SLOW, file.name))
    return [*tests, *OTHER_TESTS.get(fault.file, ())]


def environment(fault, folder):
    """In which this Python plants the fault at each start: it imports sitecustomize, here from `folder`. The system's
    Python, which stands in for programs of the lab, has not the packages, and would complain."""
    Path(folder, "sitecustomize.py").write_text(
        f"import sys\nif sys.prefix == {sys.prefix!r}:\n    from tests.mutation import plant_fault\n"
        f"    plant_fault.install({name_of(fault)!r})\n",
        encoding="utf-8",
    )
    paths = [str(folder), str(LAB.parent), str(TESTS.parent), os.environ.get("PYTHONPATH", "")]
    ours = {"PYTHONPATH": os.pathsep.join(filter(None, paths)), "PYTHONDONTWRITEBYTECODE": "1"}
    return {**os.environ, **ours, MARK: str(folder)}


def found_by(fault):
    """The test that finds it; '' if none does. Raises NoSuchPlace."""
    planted(fault, (LAB / fault.file).read_text(encoding="utf-8"), fault.file)
    with tempfile.TemporaryDirectory() as folder:
        for test in tests_of(fault):
            try:
                run = subprocess.run(
                    [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", test],
                    cwd=ROOT,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    env=environment(fault, folder),
                    timeout=LONGEST_S,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                return f"{test.name} (no end)"
            finally:
                kill_marked(MARK, str(folder))  # what ran away since the fault took its limit
            if run.returncode in FOUND:
                return test.name
        return ""


def is_found(fault):
    test = found_by(fault)
    outcome = f"found by {test}" if test else "NOT FOUND"
    print(f"{name_of(fault)}: {fault.wrong}: {outcome}", flush=True)
    return bool(test)


def main(names):
    faults = [
        fault
        for fault in FAULTS
        if not names or name_of(fault) in names or fault.file.split("/")[0] in names
    ]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = sum(pool.map(is_found, faults))
    print(f"{found} of {len(faults)} found")
    return 0 if found == len(faults) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
