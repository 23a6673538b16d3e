"""Tests that solutions/README.md and the headers say what rows, predictions and measurements say."""

import dataclasses
import re

import pytest

import make_ladder
from figures import BadTable
from make_ladder import (
    PARTS,
    ROOT,
    Version,
    hot_loop,
    ladder,
    stale_headers,
    versions_of,
    without_margin,
)

pytestmark = pytest.mark.skipif(
    not (ROOT / "solutions").is_dir(), reason="this copy of the lab has no folder solutions/"
)


def version(text: str, tmp_path) -> Version:
    path = ROOT / "solutions/part1_standard_opti/01_algebra.hpp"
    one = Version(PARTS[0], "algebra", "one root", path, "PARENT naive")
    file = tmp_path / "01_algebra.hpp"
    file.write_text(text)
    return dataclasses.replace(one, path=file)


def test_nothing_is_stale():
    assert make_ladder.main(["--check"]) == 0


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_every_header_has_all_five(part):
    """A line begins with each: clang-format joins lines of a comment."""
    for one in versions_of(part):
        assert all(map(one.said, ("Problem", "Idea", "Predicted", "Measured", "Why"))), one.path


def test_the_readme_counts_the_rungs():
    numbered = [one for part in PARTS for one in versions_of(part) if one.number]
    assert f"{len(numbered)} numbered versions" in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_numbers_of_a_ladder_have_no_gap_and_one_version_is_the_reference(part):
    versions = versions_of(part)
    numbers = [one.path.name[:2] for one in versions if re.match(r"\d\d_", one.path.name)]
    assert numbers == [f"{k:02}" for k in range(1, len(numbers) + 1)]
    assert [one.option("KIND") for one in versions].count("solution") == 1
    names = {"naive", *(one.name for one in versions)}
    assert {one.parent for one in versions} <= names


@pytest.mark.parametrize(
    ("comment", "factor"),
    [
        ("// Predicted: 1.5 x, from the\n// profile.\n// Measured: 1.05 x.\n", "1.5"),
        ("// Problem: a\n// Predicted: refused: a race.\n// Measured: refused.\n", "refused"),
    ],
)
def test_a_prediction_is_a_factor_or_refused(comment, factor, tmp_path):
    assert version(comment + "#pragma once\n", tmp_path).factor("Predicted") == factor


@pytest.mark.parametrize(
    ("comment", "complaint"),
    [
        ("// Predicted: fast\n", "'Predicted:' begins neither with a factor"),
        ("// Idea: none\n", "no line of its first comment begins with 'Predicted:'"),
        (
            "// Idea: none. Predicted: 2 x\n",
            "no line of its first comment begins with 'Predicted:'",
        ),
    ],
)
def test_a_header_in_another_form_is_named(comment, complaint, tmp_path, monkeypatch):
    monkeypatch.setattr(make_ladder, "ROOT", tmp_path)
    with pytest.raises(BadTable, match=complaint):
        version(comment, tmp_path).factor("Predicted")


def test_another_measurement_makes_a_header_stale(monkeypatch):
    monkeypatch.setattr(Version, "measured", lambda self, what, **more: "123 naive")
    stale = stale_headers()
    algebra = ROOT / "solutions/part1_standard_opti/01_algebra.hpp"
    assert "// Measured: 123 x" in stale[algebra]
    assert stale[algebra].count("123 x") == 1


def test_another_prediction_makes_another_ladder(monkeypatch):
    old = ladder(PARTS[0])
    monkeypatch.setattr(Version, "factor", lambda self, head: "77")
    new = ladder(PARTS[0])
    assert all(new[mark] != old[mark] and "| 77 |" in new[mark] for mark in ("ladder", "exhibits"))


def test_of_a_new_kernel_the_loop_with_the_root_is_shown():
    loop = ["  for (j) {", "#pragma omp simd", "    x += std::sqrt(y);", "  }"]
    copy = ["  for (k) {", *["    a[k] = b[k];"] * 5, "  }"]
    long = ["void f() {", *copy, "  for (i) {", *["    f();"] * make_ladder.LONGEST, "  }", "}"]
    assert hot_loop([*long[:-1], *loop, "}"]) == loop
    assert hot_loop(long) == []
    assert without_margin(loop) == ["for (j) {", "#pragma omp simd", "  x += std::sqrt(y);", "}"]


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_no_difference_is_long(part):
    blocks = re.findall(r"(?s)```\w+\n(.*?)```", ladder(part)["ladder"])
    assert blocks and max(block.count("\n") for block in blocks) <= make_ladder.LONGEST


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_every_rung_shows_code(part):
    rungs = [one.name for one in versions_of(part) if one.number]
    shown = re.findall(r"<summary>\w+ → (\w+)", ladder(part)["ladder"])
    assert shown == rungs


def test_an_excerpt_that_is_gone_is_named(monkeypatch):
    monkeypatch.setitem(make_ladder.EXCERPTS, "part3/split", ("06_split.cuh", "void gone"))
    with pytest.raises(BadTable, match=r"06_split\.cuh: 0 lines begin with 'void gone'"):
        ladder(PARTS[2])
