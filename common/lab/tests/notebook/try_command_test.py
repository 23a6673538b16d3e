"""./lab try, from its words to its row, with real programs in a notebook of its own."""

import json

import pytest

from nbody_lab import ROOT
from nbody_lab.building.lab import Built
from nbody_lab.commands import try_idea
from nbody_lab.notebook import notebook


@pytest.mark.alone
@pytest.mark.slow
def test_try_writes_a_row_and_the_next_is_timed_beside_it(tmp_path, monkeypatch, run_lab):
    """Without building. On a machine that never has the cores there is no number, and no program to compare with."""

    class Lab(try_idea.Lab):
        def folder(self):
            return tmp_path

        def build(self, *_):
            return Built()

        def remarks(self, _):
            return ()

        def begin(self):
            """Takes no lock."""

    monkeypatch.setattr(try_idea, "Lab", Lab)
    monkeypatch.setattr(notebook, "_program_file", lambda *_: tmp_path / "program")
    monkeypatch.setattr(try_idea.pictures, "can_draw", lambda: False)
    words = ["try", "part1", "mine", "an idea", "--expect", "1", "-n", "100", "--wait", "5"]
    ended = run_lab(*words)
    assert ended.status == 0, ended
    assert "NOTEBOOK.md, its source in notebook/001_mine.hpp beside it" in ended.output
    (row,) = notebook.load(tmp_path).rows
    assert (row.row, row.idea, row.expected, row.n, row.step) == (1, "an idea", 1, 100, "adaptive")
    assert row.measured is None or row.lower <= row.measured == row.times_naive <= row.upper
    assert (tmp_path / "program").exists() == row.is_right
    ended = run_lab(*words)
    assert f"compared with {'row 1, mine' if row.is_right else 'naive'}\n" in (
        tmp_path / "notebook/002_mine.hpp"
    ).read_text(encoding="utf-8")
    assert ("\n  row 1, mine  " in ended.output) == notebook.load(tmp_path).rows[1].is_right


@pytest.mark.parametrize(
    "rubric", sorted(ROOT.glob("data/rubric*.json")), ids=lambda file: file.stem
)
def test_what_is_practised_is_graded(rubric):
    """./lab try takes the bodies of the rubric by default."""
    for part, wanted in json.loads(rubric.read_text(encoding="utf-8"))["parts"].items():
        assert try_idea.BODIES[part] == wanted["speed"][0]["n"]
