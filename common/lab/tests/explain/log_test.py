"""Explanations of logs: recorded output of nvcc, missing files, and what CMake and Ninja print."""

import pytest

from nbody_lab.explain.failure import Culprit
from tests.explain.small_tree import PART1, PART3, name_object, read_recorded

NVCC = read_recorded("nvcc.txt")
LOG = "; log: build/release/lab.log"
RESTORES = "restores the version that last passed its check"
CLASS = "class Mine {};"


HEADERS = {
    "other_class": "class Fast {};",
    "other_namespace": f"namespace mine {{\n{CLASS}\n}}",
    "in_double_max": "\n" * 46 + "    softening = std::max(softening, 0.f);\n",
    "in_double": "\n" * 18 + "    float* p = &ax;\n",
}
NVCC["other_namespace"] = NVCC["other_class"]


@pytest.mark.parametrize("name", [name for name in NVCC if "warning" not in name])
def test_nvcc(tree, name, snapshot):
    """Recorded, because nvcc is not everywhere and takes ten seconds or more per program."""
    tree.write(HEADERS.get(name, CLASS), f"{PART3}/mine.cuh")
    in_double = name.startswith("in_double")
    if in_double:
        tree.write("", f"build/release/{name_object('part3_mine', PART3, 'mine.cu')}")
    target = "part3_mine_double" if in_double else "part3_mine"
    output = NVCC[name].replace("ROOT", str(tree.root))
    tree.fail((name_object(target, PART3, "mine.cu"), output))
    assert "\n".join(tree.explain(Culprit.IMPLEMENTATIONS)) == snapshot


@pytest.mark.parametrize(
    ("log", "lines"),
    [
        (
            "ninja: error: unknown target 'bin/part1/mine_fast', did you mean 'bin/part1/naive'?",
            [f"mine_fast.hpp is missing; ./lab undo part1 mine_fast {RESTORES}"],
        ),
        (
            "ninja: error: unknown target 'bin/part3/mine_fast', did you mean 'bin/part3/naive'?",
            [f"mine_fast.cuh is missing; ./lab undo part3 mine_fast {RESTORES}"],
        ),
        (
            f"ninja: error: '../../{PART1}/mine_x.hpp', needed by 'x.o', missing",
            [f"mine_x.hpp is missing; ./lab undo part1 mine_x {RESTORES}"],
        ),
        (
            f"ninja: error: 'ROOT/{PART1}/worksheet.hpp', needed by 'x.o', missing",
            [
                f"{PART1}/worksheet.hpp is missing: bring it back, for example with "
                f"git checkout {PART1}/worksheet.hpp"
            ],
        ),
        (
            f"CMake Error at x.cmake:3 (message):\n  {PART1}/flags.txt:3: no\n  such flag\n\n",
            [f"{PART1}/flags.txt:3: no such flag", f"nothing was built{LOG}"],
        ),
        (
            "-- good\nCMake Error at x:3 (message):\n  no such\n  thing\nCall Stack (most):\n  y",
            ["CMake stopped: no such thing", f"nothing was built{LOG}"],
        ),
        (
            "-- fmt: no package found, fetching 9.1.0\nCMake Error at x:1:\n  Failed to clone it\n",
            [
                "cannot fetch fmt (no network?): install the package libfmt-dev (by ./lab setup) or "
                f"configure by hand with -DFETCHCONTENT_SOURCE_DIR_FMT=FOLDER{LOG}"
            ],
        ),
    ],
)
def test_the_tree_or_the_machine_lacks_something(tree, log, lines):
    tree.write("libfmt-dev header:fmt/format.h  # fmt: text\n", "common/setup/packages.txt")
    tree.log.write_text(log.replace("ROOT", str(tree.root)) + "\n")
    assert tree.explain(Culprit.SURROUNDINGS) == [f"lab: {line}" for line in lines]


def test_programs_of_what_failed_go(tree):
    """They no longer match their header."""
    for name in ("mine", "mine_double", "naive"):
        tree.write("", f"build/release/bin/part1/{name}")
    tree.fail(
        (name_object("part1_mine"), ""), ("bin/part1/mine_double", "undefined reference to x\n")
    )
    lines = tree.explain(Culprit.IMPLEMENTATIONS)
    assert lines[-2:] == [
        "undefined reference to x",
        f"lab: bin/part1/mine_double does not link{LOG}",
    ]
    assert [path.name for path in (tree.build / "bin/part1").iterdir()] == ["naive"]


def test_kernels_that_cannot_run_on_the_cpu(tree):
    """The tool that rewrites them has printed the reason; a step that printed nothing has none."""
    reason = f"{tree.root}/{PART3}/mine.cuh:7: error: no rule rewrites it\n"
    tree.fail(("bin/part3/on_cpu/mine", reason), ("bin/part3/on_cpu/naive", ""))
    assert tree.explain(Culprit.IMPLEMENTATIONS) == [
        f"lab: {PART3}/mine.cuh:7: no rule rewrites it",
        f"lab: bin/part3/on_cpu/naive does not link{LOG}",
    ]


@pytest.mark.parametrize("beside", [[], [(name_object("part1_mine"), "")]])
def test_the_labs_own_code(tree, beside):
    """Ends the command even beside a header that failed, since that may need this tool."""
    output = f"{tree.root}/common/check/forces.cpp:7:3: error: no\n"
    tree.fail(*beside, (name_object("nbody_check", "common/check", "forces.cpp"), output))
    verdict = f"lab: common/check/forces.cpp does not compile: line 7: no{LOG}"
    assert tree.explain(Culprit.LAB)[-1] == verdict


def test_a_log_that_says_nothing(tree):
    tree.log.write_text("ninja: it burns\n")
    assert tree.explain(Culprit.LAB) == ["ninja: it burns", f"lab: building failed{LOG}"]


def test_no_more_than_five(tree):
    tree.fail(*((f"bin/part1/mine_{n}", "") for n in range(7)))
    lines = tree.explain(Culprit.IMPLEMENTATIONS)
    assert (len(lines), lines[-1]) == (6, "lab: and 2 more")
