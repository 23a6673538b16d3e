"""The seals of the given code, and what commands say of an edited naive.hpp."""

import json
import subprocess

import pytest

from nbody_lab import ROOT
from nbody_lab.building import handed_out
from nbody_lab.building import lab as lab_module
from nbody_lab.commands import bench as bench_command
from nbody_lab.commands import try_idea

ANEW = "changed on purpose? common/lab/src/nbody_lab/building/handed_out.py writes the seals anew"
CODE = "#pragma once\nclass Naive {\n  int a = 1;\n};\n"
EDITED = CODE.replace("1", "2")
NAIVE = "part1_words/naive.hpp"
LINE = f"{NAIVE} is not the file that was handed out: git checkout {NAIVE} brings it back"


@pytest.mark.parametrize("name", handed_out.seals())
def test_what_is_committed_has_its_seal(name):
    """As committed, because a student's own mine may differ."""
    git = ["git", "-C", ROOT, "show", f"HEAD:{name}"]
    done = subprocess.run(git, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        pytest.skip("no git")
    assert handed_out.seal_of(done.stdout) == handed_out.seals()[name], ANEW


def test_every_part_has_both():
    """Naive as it is now."""
    found = handed_out.seals_of_tree(ROOT)
    assert found.keys() == handed_out.seals().keys()
    assert all(
        seal == handed_out.seals()[one] for one, seal in found.items() if "/naive." in one
    ), ANEW


@pytest.fixture
def tree(tmp_path, monkeypatch):
    """A lab whose part1 is as it was handed out."""
    folder = tmp_path / "part1_words"
    folder.mkdir()
    for name in ("naive.hpp", "mine.hpp"):
        (folder / name).write_text(CODE)
    (folder / "CMakeLists.txt").write_text("")
    seals = tmp_path / "handed_out.json"
    seals.write_text(json.dumps(handed_out.seals_of_tree(tmp_path)))
    monkeypatch.setattr(handed_out, "SEALS", seals)
    return tmp_path


@pytest.mark.parametrize(
    ("code", "is_given"),
    [
        ("// counted: 27\r\n" + CODE.replace("= 1", "=\n      1 /* one */"), True),
        (EDITED, False),
        (CODE + '"// 1"', False),
    ],
)
def test_comments_and_layout_do_not_matter(code, is_given, tree):
    (tree / NAIVE).write_text(code, newline="")
    assert handed_out.what_is_edited(tree, "part1") == ("" if is_given else LINE)
    assert handed_out.is_given_mine(tree / "part1_words", code) == is_given


def test_a_handout_has_copies_in_place_of_git(tree):
    copy = tree / "common/given" / NAIVE
    copy.parent.mkdir(parents=True)
    copy.write_text(CODE)
    (tree / NAIVE).write_text(EDITED)
    way_back = f"cp common/given/{NAIVE} {NAIVE} brings it back"
    assert handed_out.what_is_edited(tree, "part1").endswith(way_back)


def interrupt(*_):
    raise KeyboardInterrupt


@pytest.fixture
def edited_baseline(tree, monkeypatch):
    """A tree whose part1 has an edited naive.hpp; a command ends where a build would begin."""
    (tree / NAIVE).write_text(EDITED)
    for module in (bench_command, try_idea, lab_module):
        monkeypatch.setattr(module, "ROOT", tree)
    monkeypatch.setattr(lab_module.Lab, "begin", interrupt)
    return tree


@pytest.mark.parametrize("line", ["try part1 mine idea --expect 2", "bench part1 naive mine -n 10"])
def test_comparisons_with_an_edited_baseline_are_refused(line, edited_baseline, run_lab):
    assert run_lab(*line.split()) == (2, "", f"lab: {LINE}\n")
