"""What ./lab says of headers that do not compile, and of those that do, with a warning (LAB_CXX: by which compiler)."""

import re
from pathlib import Path

import pytest

from nbody_lab.building.explain import Culprit, explain_failure
from nbody_lab.building.warnings import find_remark, warning_lines
from tests.building.small_tree import CXX, PART1, PART3, SmallTree, read_sections

EXPLAINED = Path(__file__).parent / "explained"
HEADERS, NVCC, LOGS = (
    read_sections((EXPLAINED / f"{name}.txt").read_text(encoding="utf-8"))
    for name in ("headers", "nvcc", "logs")
)
MINE = f"{PART1}/CMakeFiles/part1_mine.dir/mine.cpp.o"
WARN = ["-Wall", "-Wextra", "-Wdouble-promotion", "-Wfloat-conversion"]


@pytest.fixture
def tree(tmp_path: Path) -> SmallTree:
    return SmallTree(tmp_path)


def demand_words(words: list[str], text: str) -> None:
    """In this order; # stands for a number."""
    pattern = ".*".join(re.escape(one).replace(r"\#", r"\d+") for one in words)
    assert re.search(pattern, text, re.DOTALL), text


def explain(tree: SmallTree, log: str, culprit: Culprit = Culprit.IMPLEMENTATIONS) -> str:
    """What is printed about the log."""
    tree.write_log(log)
    found = explain_failure(tree.log, tree.root, tree.build)
    text = found.report()
    assert found.culprit is culprit, text
    assert not any(word in text for word in ("__gnu_cxx", "\u2018", str(tree.root))), text
    return text


def explain_mine(tree: SmallTree, target: str, output: str) -> str:
    return explain(tree, f"FAILED: [code=1] {target} \nthe command\n{output}\nninja: stopped.\n")


@pytest.mark.parametrize("fault", HEADERS)
def test_header(tree: SmallTree, fault: str) -> None:
    pattern, replacement, *words = (
        line.replace("\\n", "\n") for line in HEADERS[fault].splitlines()
    )
    if "clang" in CXX and fault.endswith("g++ alone"):
        pytest.skip("clang does not warn about it")
    tree.write(re.sub(pattern, replacement, tree.mine, count=1))
    if fault.startswith("error"):
        text = explain_mine(tree, MINE, tree.compile())
    elif fault.startswith("double"):
        assert tree.compile("-mavx2") == ""
        target = MINE.replace("part1_mine", "part1_mine_double")
        text = explain_mine(tree, target, tree.compile("-mavx2", real="double"))
    elif fault.startswith("count"):
        target = MINE.replace("part1_mine", "part1_mine_count")
        text = explain_mine(tree, target, tree.compile(real="nbody::Counting"))
    elif fault.startswith("warning"):
        tree.write_log(tree.compile(*WARN))
        text = "\n".join(warning_lines(tree.log, tree.root))
    else:
        assert tree.compile("-S", "-o", str(tree.build / "mine")) == ""
        text = find_remark(tree.build / "mine")
    demand_words(words, text)


def test_given_header(tree: SmallTree) -> None:
    """Says nothing, and overrides something."""
    tree.write_log(tree.compile(*WARN, "-S", "-o", str(tree.build / "mine")))
    assert warning_lines(tree.log, tree.root) == []
    assert find_remark(tree.build / "mine") == ""


@pytest.mark.parametrize("name", NVCC)
def test_nvcc(tree: SmallTree, name: str) -> None:
    """Recorded, because nvcc is not everywhere and takes ten seconds or more per program."""
    output, *line, words = re.split(r"^--- .*\n", NVCC[name], flags=re.M)
    first = re.search(r"^--- (\d+)", NVCC[name], re.M)
    above = "class Mine {};" if name != "other_class" else "class Fast {};"
    text = above + "\n" * (int(first[1]) - 1 if first else 1) + "".join(line)
    tree.write(text, f"{PART3}/mine.cuh")
    target = "part3_mine_double" if name.startswith("in_double") else "part3_mine"
    told = explain_mine(tree, f"{PART3}/CMakeFiles/{target}.dir/mine.cu.o", output)
    demand_words(words.splitlines(), told)


@pytest.mark.parametrize(
    ("target", "file"),
    [
        (f"{PART1}/CMakeFiles/addresses_part1_mine.dir/mine.cpp.o", f"{PART1}/mine.hpp"),
        (f"{PART3}/CMakeFiles/races_part3_on_cpu_mine.dir/on_cpu/mine.cpp.o", f"{PART3}/mine.cuh"),
    ],
)
def test_sanitizers_name_the_header(tree: SmallTree, target: str, file: str) -> None:
    """Not the program that CMake writes for it. The usual program stays: it may well compile."""
    known = (tree.build / "manifest.json").read_text(encoding="utf-8")
    tree.write(known, "build/release/manifest_on_cpu.json")
    tree.write("class Fast {};", file)
    usual = tree.write("", "build/release/bin/part1/mine")
    error = f"ROOT/build/release/{PART1}/mine.cpp:7:3: error: 'Mine' was not declared in this scope"
    expected = f"lab: {file}: has no class Mine; log: build/release/lab.log"
    assert explain_mine(tree, target, error) == expected
    assert usual.exists()


@pytest.mark.parametrize("name", LOGS)
def test_log(tree: SmallTree, name: str) -> None:
    log, culprit, words = re.split(r"^--- (.*)\n", LOGS[name], flags=re.M)
    text = explain(tree, log, Culprit[culprit])
    demand_words(words.replace("ROOT/", "").splitlines(), text)
    assert text.count("lab: ") == words.count("lab: ")


def test_refused_flag(tree: SmallTree) -> None:
    words = f"lab: {PART1}/flags.txt: the compiler refuses a flag: "
    assert words in explain_mine(tree, MINE, tree.compile("-march=nativ"))


def test_old_programs_of_what_failed_go(tree: SmallTree) -> None:
    """They no longer match their header."""
    for name in ("mine", "mine_double", "naive"):
        tree.write("", f"build/release/bin/part1/{name}")
    explain(tree, f"FAILED: {MINE}\nthe command\nFAILED: bin/part1/mine_double\nthe command\n")
    assert [path.name for path in (tree.build / "bin/part1").iterdir()] == ["naive"]


def test_warnings_of_students_files_alone(tree: SmallTree) -> None:
    """Each once, and none in a file with an error: a variable may be unused only because a line is wrong."""
    tree.write("\n" * 9 + "  int unused = 3;\n", f"{PART3}/mine.cuh")
    tree.write_log(
        f"ROOT/{PART1}/naive.hpp:3:3: warning: odd [-Wodd]\n"
        f"ROOT/{PART1}/mine_b.hpp:3:3: warning: odd [-Wodd]\n"
        f"ROOT/{PART1}/mine_b.hpp:9:3: error: no\n"
        + f'ROOT/{PART3}/mine.cuh(10): warning #177-D: variable "unused" was declared\n' * 2
        + "".join(f"ROOT/{PART1}/mine.hpp:{n}:3: warning: odd [-Wodd]\n" for n in range(1, 9))
    )
    text = "\n".join(warning_lines(tree.log, tree.root))
    first = f'{PART3}/mine.cuh:10: warning: variable "unused" was declared\n    int unused = 3;\n'
    assert text.startswith(f"{first}{PART1}/mine.hpp:1: warning: odd\n")
    assert text.endswith("and 4 more warnings") and text.count("warning: ") == 5
