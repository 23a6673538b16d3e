"""Explanations of logs: recorded output of nvcc, missing files, and what CMake and Ninja print."""

import pytest
from syrupy.assertion import SnapshotAssertion

from nbody_lab.build.failure import Culprit
from tests.build.small_tree import PART1, PART3, SmallTree, name_object, read_recorded

NVCC = read_recorded("nvcc.txt")
CLASS = "class Mine {};"
HEADERS = {
    "other_class": "class Fast {};",
    "other_namespace": f"namespace mine {{\n{CLASS}\n}}",
    "in_double_max": "\n" * 46 + "    softening = std::max(softening, 0.f);\n",
    "in_double": "\n" * 18 + "    float* p = &ax;\n",
}
NVCC["other_namespace"] = NVCC["other_class"]
LOGS = {
    "no mine of part1": "ninja: error: unknown target 'bin/part1/mine_fast', did you mean 'naive'?",
    "no mine of part3": "ninja: error: unknown target 'bin/part3/mine_fast'",
    "no source": f"ninja: error: '../../{PART1}/mine_x.hpp', needed by 'x.o', missing",
    "no sheet": f"ninja: error: 'ROOT/{PART1}/worksheet.hpp', needed by 'x.o', missing",
    "a flag": f"CMake Error at x.cmake:3 (message):\n  {PART1}/flags.txt:3: no\n  such flag\n\n",
    "CMake": "-- good\nCMake Error at x:3 (m):\n  no such\n  thing\nCall Stack (most):\n  y",
    "no network": "-- fmt: no package found, fetching 9.1.0\nCMake Error at x:1:\n  Failed to clone\n",
}


@pytest.mark.parametrize("name", [name for name in NVCC if "warning" not in name])
def test_nvcc(tree: SmallTree, name: str, snapshot: SnapshotAssertion) -> None:
    """Recorded, because nvcc is not everywhere and takes ten seconds or more per program."""
    tree.write(HEADERS.get(name, CLASS), f"{PART3}/mine.cuh")
    in_double = name.startswith("in_double")
    if in_double:
        tree.write("", f"build/release/{name_object('part3_mine', PART3, 'mine.cu')}")
    target = "part3_mine_double" if in_double else "part3_mine"
    output = NVCC[name].replace("ROOT", str(tree.root))
    tree.fail((name_object(target, PART3, "mine.cu"), output))
    assert "\n".join(tree.explain(Culprit.IMPLEMENTATIONS)) == snapshot


@pytest.mark.parametrize("name", LOGS)
def test_the_tree_or_the_machine_lacks_something(
    tree: SmallTree, name: str, snapshot: SnapshotAssertion
) -> None:
    tree.write("libfmt-dev header:fmt/format.h  # fmt: text\n", "common/setup/packages.txt")
    tree.log.write_text(LOGS[name].replace("ROOT", str(tree.root)) + "\n")
    assert tree.explain(Culprit.SURROUNDINGS) == snapshot


def test_programs_of_what_failed_go(tree: SmallTree, snapshot: SnapshotAssertion) -> None:
    """They no longer match their header. Of what does not link, the linker's words are shown."""
    for name in ("mine", "mine_double", "naive"):
        tree.write("", f"build/release/bin/part1/{name}")
    undefined = "undefined reference to x\n"
    tree.fail((name_object("part1_mine"), ""), ("bin/part1/mine_double", undefined))
    assert tree.explain(Culprit.IMPLEMENTATIONS)[-2:] == snapshot
    assert [path.name for path in (tree.build / "bin/part1").iterdir()] == ["naive"]


def test_kernels_that_cannot_run_on_the_cpu(tree: SmallTree, snapshot: SnapshotAssertion) -> None:
    """The tool that rewrites them has printed the reason; a step that printed nothing has none."""
    reason = f"{tree.root}/{PART3}/mine.cuh:7: error: no rule rewrites it\n"
    tree.fail(("bin/part3/on_cpu/mine", reason), ("bin/part3/on_cpu/naive", ""))
    assert tree.explain(Culprit.IMPLEMENTATIONS) == snapshot


@pytest.mark.parametrize("beside", [[], [(name_object("part1_mine"), "")]], ids=["alone", "beside"])
def test_the_labs_own_code(
    tree: SmallTree, beside: list[tuple[str, str]], snapshot: SnapshotAssertion
) -> None:
    """Ends the command even beside a header that failed, since that may need this tool."""
    output = f"{tree.root}/common/check/forces.cpp:7:3: error: no\n"
    tree.fail(*beside, (name_object("nbody_check", "common/check", "forces.cpp"), output))
    assert tree.explain(Culprit.LAB)[-1] == snapshot


def test_a_log_that_says_nothing(tree: SmallTree, snapshot: SnapshotAssertion) -> None:
    tree.log.write_text("ninja: it burns\n")
    assert tree.explain(Culprit.LAB) == snapshot


def test_no_more_than_five(tree: SmallTree) -> None:
    tree.fail(*((f"bin/part1/mine_{n}", "") for n in range(7)))
    lines = tree.explain(Culprit.IMPLEMENTATIONS)
    assert (len(lines), lines[-1]) == (6, "lab: and 2 more")
