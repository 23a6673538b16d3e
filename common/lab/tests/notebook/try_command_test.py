"""./lab try, from its words to its row; real programs are tried in a notebook of their own."""

import re

import pytest

from nbody_lab.building.manifest import Implementation, Part, manifest_text
from nbody_lab.check import kept
from nbody_lab.commands import try_idea
from nbody_lab.core.errors import LabError
from nbody_lab.notebook import notebook
from nbody_lab.notebook.columns import Row
from nbody_lab.notebook.trial import BUSY, Programs, Question, run_trial
from nbody_lab.notebook.trial_text import describe
from tests import BUILD

# --- real programs -------------------------------------------------------------------------------

PROGRAMS = {
    "naive": "part1/naive",
    "mine": "honest/third_law",
    "loud": "honest/prints",
    "rough": "wrong/wrong",
    "crash": "wrong/crash",
    "needy": "part1/naive",
}
MORE = {"rough": {"arguments": ["--mistake", "raw_rsqrt"]}, "needy": {"needs": ["no_such_feature"]}}
BEFORE = Row(row=4, name="mine", threads=1, times_naive=1.5, spread=0.04)


def implementation(name, program):
    path = str(BUILD / "bin" / program)
    row = {"part": "part1", "name": name, "kind": "rung", "flags": ["-O3"], "program": path}
    return {**row, "programs": [{"precision": "float", "program": path}], **MORE.get(name, {})}


@pytest.fixture
def tried(tmp_path):
    """Tries one of these programs; returns the trial and its text."""
    rows = [implementation(name, program) for name, program in PROGRAMS.items()]
    file = tmp_path / "manifest.json"
    file.write_text(manifest_text(map(Implementation.model_validate, rows), [Part(name="part1")]))

    def tried(name, expected=1.5, **question):
        trial = run_trial(
            Programs("part1", BUILD, file), Question(name, expected, wait_s=30, **question)
        )
        assert [one.name for one in tmp_path.iterdir()] == ["manifest.json"]
        return trial, describe(trial, f"part1/{name}")

    return tried


def was_too_busy(trial, text):
    """On a machine that never has the cores there is no number, and nothing false is said."""
    if trial.verdict != BUSY:
        return False
    assert "\n  busy      " in text and trial.row().measured is None
    return True


@pytest.mark.slow
def test_wrong_programs_are_not_timed(tried):
    trial, text = tried("rough")
    assert re.match(r"part1/rough: WRONG in \d+ of \d+ cases", text)
    assert "reciprocal square root" in trial.verdict and trial.times is None
    assert "died" in tried("crash")[0].verdict
    with pytest.raises(LabError, match=r"^part1/needy: skipped: needs no_such_feature$"):
        tried("needy")


@pytest.mark.alone
@pytest.mark.slow
def test_a_kept_program_is_timed_beside_the_one_that_is_built(tried):
    old = BUILD / "bin/honest/third_law"
    trial, text = tried("loud", 1, n=100, threads=2, before=BEFORE, before_program=old)
    if not was_too_busy(trial, text):
        assert "\n  row 4, mine  " in text and not trial.over_before.estimated
        assert "it writes to standard output or error" in text


@pytest.mark.alone
@pytest.mark.slow
def test_try_writes_a_row(tmp_path, monkeypatch, run_lab):
    """The whole command, on a part with a notebook elsewhere and without building."""

    class Lab(try_idea.Lab):
        def folder(self):
            return tmp_path

        begin = build = show_remarks = lambda *_: None

    monkeypatch.setattr(try_idea, "Lab", Lab)
    monkeypatch.setattr(kept, "VERDICTS", tmp_path / "verdicts")
    programs = []
    monkeypatch.setattr(try_idea, "keep_program", lambda *words: programs.append(words))
    monkeypatch.setattr(try_idea.pictures, "can_draw", lambda: False)
    ended = run_lab("try", "part1", "mine", "an idea", "--expect", "1", "-n", "100")
    assert ended.status == 0, ended
    (row,) = notebook.load(tmp_path).rows
    assert (row.row, row.idea, row.expected, row.n, row.step) == (1, "an idea", 1, 100, "adaptive")
    assert row.measured is None or row.lower <= row.measured == row.times_naive <= row.upper
    assert [(folder.name, row.row) for folder, row, _ in programs] == [("part1", 1)]
    assert not (tmp_path / "verdicts").exists()  # a check of float alone, and passed
