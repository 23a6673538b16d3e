"""Explanations of warnings in students' files, and of a class that overrides nothing."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from nbody_lab import ROOT as LAB
from nbody_lab.build.compiler_warnings import (
    Warned,
    find_warnings,
    show_warnings,
    show_warnings_again,
)
from nbody_lab.build.replaces_nothing import replaces_nothing, text_of_naive
from tests.build.small_tree import CXX, PART1, PART3, SmallTree, name_object, read_recorded

Lines = Callable[..., list[str]]
FLAGS = ["-Wall", "-Wextra", "-Wdouble-promotion", "-Wfloat-conversion"]
FLOAT, DOUBLE = (
    f"[1/2] Building CXX object {name_object(target)}\n"
    for target in ("part1_mine", "part1_mine_double")
)
ODD = f"ROOT/{PART1}/mine.hpp:3:3: warning: odd [-Wodd]\n"


@pytest.fixture
def explain(tree: SmallTree, capsys: pytest.CaptureFixture[str]) -> Lines:
    """The lines that are shown after a step with this log."""

    def run(log: str) -> list[str]:
        tree.log.write_text(log.replace("ROOT", str(tree.root)), encoding="utf-8")
        show_warnings(tree.log, tree.root)
        return capsys.readouterr().err.splitlines()

    return run


@pytest.fixture
def explain_again(tree: SmallTree, capsys: pytest.CaptureFixture[str]) -> Lines:
    def run() -> list[str]:
        show_warnings_again(tree.build, tree.root, [f"{PART1}/mine.hpp"])
        return capsys.readouterr().err.splitlines()

    return run


@pytest.mark.parametrize(
    ("line", "meaning"),
    [
        ("const auto fifth = 0.2 * softening; if (fifth > 1) return;", "computed in double, which"),
        ("const double d = static_cast<double>(G); softening = d;", "computed in double, then"),
        ("real sum; sum += softening; softening = sum;", "it has no value yet: write real sum = 0"),
        ("for (int i = 0; i < bodies.size(); ++i) bodies[i].ax = 0;", "compares a signed with an"),
    ],
)
def test_a_warning(tree: SmallTree, explain: Lines, line: str, meaning: str) -> None:
    """Its place, the line, and what it means; the given header has none."""
    if "clang" in CXX and "static_cast<double>" in line:
        pytest.skip("clang does not warn about it")
    text = tree.mine.replace("override {\n", f"override {{\n    {line}\n", 1)
    tree.write(text)
    # g++ tracks values only when it optimises.
    to = ["-O1", "-S", "-o", "/dev/null"] if "sum" in line else []
    place, quoted, means, *_ = explain(tree.compile(*FLAGS, *to))
    number = 1 + text[: text.index(line)].count("\n")
    assert place.startswith(f"{PART1}/mine.hpp:{number}: warning: ")
    assert quoted == f"    {line}" and means.startswith(f"  {meaning}")


def test_the_given_header_is_silent(tree: SmallTree, explain: Lines) -> None:
    assert explain(tree.compile(*FLAGS)) == []


def test_nvcc(tree: SmallTree, explain: Lines, snapshot: SnapshotAssertion) -> None:
    lines = "\n" * 9 + "  int unused = 3;\n" + "\n" * 36 + "    for (int i = 0; i < n; ++i) {}\n"
    tree.write(lines, f"{PART3}/mine.cuh")
    recorded = read_recorded("nvcc.txt")
    assert explain(recorded["warnings"] + recorded["host_warning"]) == snapshot


def test_only_students_files_and_each_place_once(tree: SmallTree) -> None:
    """And none in a file with an error: a variable may be unused only because a line is wrong."""
    places = [f"{PART1}/mine.hpp:3", f"{PART1}/mine.hpp:3", f"{PART1}/naive.hpp:4"]
    places += ["common/x.hpp:1", "../mine.hpp:1", f"{PART1}/mine_b.hpp:5"]
    log = "".join(f"{tree.root}/{place}:3: warning: odd [-Wodd]\n" for place in places)
    log += f"{tree.root}/{PART1}/mine_b.hpp:9:3: error: no\n"
    assert find_warnings(log, tree.root) == [Warned(f"{PART1}/mine.hpp", 3, "odd", "-Wodd")]


def test_no_more_than_five(explain: Lines) -> None:
    log = [f"ROOT/{PART1}/mine.hpp:{line}:3: warning: odd [-Wodd]\n" for line in range(1, 9)]
    assert explain("".join(log))[-1] == "and 3 more warnings"


def test_once_more_as_long_as_the_file_has_not_changed(
    tree: SmallTree, explain: Lines, explain_again: Lines
) -> None:
    """At the end of the output, where they are read, even if nothing was compiled this time."""
    assert explain_again() == []
    lines = explain(FLOAT + ODD)
    assert lines and explain_again() == lines
    explain("ninja: no work to do.\n")
    assert explain_again() == lines
    explain(DOUBLE + ODD)  # compiled from the same file: adds nothing new
    assert explain_again() == lines
    tree.write(tree.mine + "// changed\n")
    assert explain_again() == []
    explain(FLOAT)
    assert explain_again() == []


@pytest.mark.parametrize("text", ["", '{"part1_standard_opti/mine.hpp": {"digest": 3}}'])
def test_kept_warnings_that_cannot_be_read(
    tree: SmallTree, explain: Lines, explain_again: Lines, text: str
) -> None:
    """They are made anew."""
    tree.write(text, "build/release/warnings.json")
    assert explain_again() == []
    assert explain(FLOAT + ODD) == explain_again()


# --- does a class override nothing? ---

SILENCE = "its class overrides no function of Naive, so it computes as naive does: "
REPLACES = [
    "  explicit Mine(const Problem& p) : Naive(p), extra(3) {}\n  int extra;",
    "  void compute_accelerations() override {}",
    "  void update_bodies(const real dt) final;",
    "  void update_bodies(real) { if (true) { helper(); } }\n  void helper() {}",
    "  double advance(std::uint64_t n, const StepRule& rule) override { return 0; }",
    "  void copy_state(Bodies<real>& to) const { }",
    "  void kick(nbody::real dt) {}\n  // compute_acceleration()",
]
REPLACES_NOTHING = {
    "  void compute_acceleration() {}": "compute_acceleration() is not a function of Naive"
    " (compute_accelerations()?)",
    "  void helper() {}\n  virtual real largest_timestep() { return 1; }": "largest_timestep() is "
    "not a function of Naive (largest_time_step()?)",
    "  void my_own() {}": "my_own() is not a function of Naive",
    "  void update_bodies(double dt) {}": "update_bodies(double) is not Naive's "
    "update_bodies(real): write override",
    "  void copy_state(Bodies<real>& to) {}": "copy_state(Bodies<real> &) is not Naive's "
    "copy_state(Bodies<real> &) const: write override",
}


def test_replaces_nothing_after_a_build(tree: SmallTree, explain: Lines) -> None:
    contract = "common/simulator/contract.hpp"
    tree.write((LAB / contract).read_text(encoding="utf-8"), contract)
    wrong = tree.mine.replace("compute_accelerations() override", "compute_acceleration()")
    tree.write(wrong)
    what = "compute_acceleration() is not a function of Naive (compute_accelerations()?)"
    assert explain(FLOAT + DOUBLE) == [f"{PART1}/mine.hpp: {SILENCE}{what}"]
    assert explain("[1/1] Building CXX object x/CMakeFiles/part1_naive.dir/naive.cpp.o\n") == []
    assert explain(f"{FLOAT}FAILED: [code=1] {name_object('part1_mine')} \n") == []


def make_mine(members: str = "", base: str = "Naive") -> str:
    begin = f"namespace nbody {{\nclass Mine : public {base} {{\n public:\n  using Naive::Naive;\n"
    return f"#pragma once\n{begin}{members}\n}};\n}}\n"


def find_silence(header: str, part: str = PART1, naive: str = "naive.hpp") -> str | None:
    return replaces_nothing(header, text_of_naive(LAB / part / naive, LAB / "common"))


def test_a_class_that_replaces_something() -> None:
    """Or has no function of its own, or derives from another class than Naive."""
    fast = "class Fast : public Naive {\n  void compute_accelerations() override {}\n};\n"
    own = "  void whatever() {}"
    assert not find_silence((LAB / PART1 / "mine.hpp").read_text(encoding="utf-8"))
    assert not find_silence(make_mine()) and not find_silence(make_mine(own, base="Simulator"))
    assert not find_silence(fast + make_mine(own, base="Fast"))
    assert not any(find_silence(make_mine(members)) for members in REPLACES)


@pytest.mark.parametrize(("members", "words"), REPLACES_NOTHING.items())
def test_a_class_that_replaces_nothing(members: str, words: str) -> None:
    assert find_silence(make_mine(members)) == SILENCE + words


@pytest.mark.parametrize(
    ("part", "file", "base"),
    [
        (PART1, Path("naive.hpp"), "simulator/array_of_bodies.hpp"),
        (PART3, Path("naive.cuh"), "cuda/copied_bodies.cuh"),
    ],
)
def test_each_overriding_function_of_naive_is_known(part: str, file: Path, base: str) -> None:
    files = (LAB / part / file, LAB / "common" / base)
    text = "".join(given.read_text(encoding="utf-8") for given in files)
    found = re.findall(r"^(  [^\n]*\b(\w+)\([^\n]*\)[^\n]*) override \{", text, re.M)
    assert len(found) >= 5
    for function, name in found:
        assert find_silence(make_mine(f"{function} {{}}"), part, file.name) is None
        misspelled = make_mine(f"{function.replace(name, name + 's')} {{}}")
        wrong = f"{name}s() is not a function of Naive"
        assert wrong in (find_silence(misspelled, part, file.name) or "")
