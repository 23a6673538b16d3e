"""Every fault still has its place, changes something, and is planted in the programs that Python starts."""

import ast
import sys

import pytest

from tests import said_by
from tests.mutation import faults

SPREAD = "core/bench_file.py:BenchRow.spread"


@pytest.mark.parametrize("fault", faults.FAULTS, ids=faults.name_of)
def test_each_changes_its_function_and_has_a_test_that_may_find_it(fault):
    text = (faults.LAB / fault.file).read_text(encoding="utf-8")
    changed = ast.unparse(faults.planted(fault, text, fault.file))
    assert changed != ast.unparse(ast.parse(text))
    compile(changed, fault.file, "exec")
    assert faults.fault_called(faults.name_of(fault)) is fault
    assert faults.tests_of(fault)


@pytest.mark.parametrize(
    ("place", "edit"),
    [
        ("core/bench_file.py:nothing", ["0"]),
        (SPREAD, ["no_such", "0"]),
    ],
)
def test_what_is_gone_is_told(place, edit):
    text = (faults.LAB / "core/bench_file.py").read_text(encoding="utf-8")
    with pytest.raises(faults.NoSuchPlace):
        faults.planted(faults.row(place, "", *edit), text, "bench_file.py")


def test_a_fault_elsewhere_fails_no_test(tmp_path):
    """Here of a file that catches errors of the lab, and starts the system's Python."""
    test = faults.TESTS / "commands/bench_test.py"
    env = faults.environment(faults.fault_called("core/body_text.py:demand_same_run"), tmp_path)
    status, said, _ = said_by([sys.executable, "-m", "pytest", "-q", test], env=env)
    assert status == 0, said


OF_PART = "core/manifest.py:Manifest.of_part"  # of a module that faults.py imports itself
ASK_MANIFEST = """
from nbody_lab.core.manifest import Implementation, Manifest
manifest = Manifest.__new__(Manifest)
manifest.rows = [Implementation(part="part1", name="a", kind=kind) for kind in ("mine", "rung")]
print(len(manifest.of_part("part1", "mine")))
"""
ASK_SPREAD = "from nbody_lab.core.bench_file import BenchRow; print(BenchRow().spread)"


@pytest.mark.parametrize(
    ("name", "ask", "answer"), [(SPREAD, ASK_SPREAD, "0.0\n"), (OF_PART, ASK_MANIFEST, "2\n")]
)
def test_programs_have_the_fault(name, ask, answer, tmp_path):
    env = faults.environment(faults.fault_called(name), tmp_path)
    assert said_by([sys.executable, "-c", ask], env=env) == (0, answer, "")
