"""./lab grade again into a folder of grades: what is measured, proved, checked and used again, and what is refused."""

import json
from pathlib import Path

import pytest

from nbody_lab.grade import grading
from nbody_lab.notebook.file import shown
from tests.grade.conftest import interrupt
from tests.grade.made_class.made_archives import write_files
from tests.grade.scored_for_tests import QUESTION

RUBRIC = "common/lab/tests/grade/rubric_for_tests.json"


def test_the_sandbox_is_proved_only_for_what_is_measured(run_lab, without_measuring, monkeypatch):
    folder, out = without_measuring
    counts = []
    monkeypatch.setattr(grading, "prove", lambda _course, count=1, _jobs=1: counts.append(count))
    words = ["grade", folder, "-o", out, "--rubric", RUBRIC]
    for more in ([], [], ["--only", "ada"]):
        run_lab(*words, *more)
    write_files(folder, {"bo/mine.hpp": "// another\n"})
    run_lab(*words)
    assert counts == [2, 1]


BAD_DECISIONS = {
    f"--manual eve,{QUESTION},4": "2: no student is called 'eve'",
    f"--manual ada,{QUESTION},11": "2: 11 points, but there are 10 at most",
    f"--manual ada,{QUESTION},x": "2: 'x' is not a number",
    "--late eve,1": "2: no student is called 'eve'",
    f"--manual ada,{QUESTION},4": None,
    "--late bo,1": None,
}  # fmt: skip


@pytest.mark.parametrize("line", BAD_DECISIONS)
def test_what_people_decided_is_checked_before_anything_is_measured(
    line, run_lab, without_measuring, monkeypatch
):
    folder, out = without_measuring
    option, _, text = line.partition(" ")
    head = "who,question,points" if option == "--manual" else "who,days"
    write_files(folder.parent, {"t.csv": f"{head}\n{text}\n"})
    began = []
    monkeypatch.setattr(grading, "prove", lambda *_: began.append(1) or interrupt())
    status, _, said = run_lab(
        "grade", folder, "-o", out, "--rubric", RUBRIC, option, folder.parent / "t.csv"
    )
    wrong = BAD_DECISIONS[line]
    assert (status, bool(began)) == ((2, False) if wrong else (130, True))
    assert not wrong or (f"t.csv:{wrong}" in said and said.count("\n") == 1)


def test_who_is_taken_out_of_the_class_is_taken_out_of_its_grades(
    run_lab, without_measuring, tmp_path
):
    """What people decided about that submission stops nothing, and counts again when it comes back."""
    folder, out = without_measuring
    (tmp_path / "m.csv").write_text(f"who,question,points\nbo,{QUESTION},4\nADA,{QUESTION},3\n")
    words = ["grade", folder, "-o", out, "--rubric", RUBRIC, "--manual", tmp_path / "m.csv"]

    def files_of_bo():
        places = ["students/bo.html", "export/gradescope/bo", "taken/bo"]
        return [(out / place).exists() for place in places]

    run_lab(*words)
    (out / "taken/bo").mkdir(parents=True)
    assert all(files_of_bo())
    record = (out / "measured/bo.json").read_bytes()
    (folder / "bo").rename(tmp_path / "bo")
    for again in (words, words, ["grade", "--rescore", out]):
        status, printed, _ = run_lab(*again)
        assert status == 0
        assert "m.csv:2: 'bo' is no longer in the class: this line is not used" in printed
        assert "m.csv:3" not in printed and not any(files_of_bo())
    (tmp_path / "bo").rename(folder / "bo")
    status, printed, _ = run_lab(*words)
    assert (status, "m.csv" in printed) == (0, False) and any(files_of_bo())
    assert (out / "measured/bo.json").read_bytes() == record  # it is not measured again


def rubric_without(item):
    """Text of the rubric of the tests without this item, its points and its deadline."""
    rubric = json.loads(Path(RUBRIC).read_text())
    del rubric["deadline"]
    for rule in rubric["parts"].values():
        gone = rule.pop(item, [])
        gone = [gone] if isinstance(gone, dict) else gone
        rubric["maximum"] -= sum(one["points"] for one in gone)
    return json.dumps(rubric)


def test_speeds_that_were_not_asked_for_are_measured_later(run_lab, without_measuring, tmp_path):
    """The advice is the command that does it, also after a run with --only."""
    folder, out = without_measuring
    (tmp_path / "no_speed.json").write_text(rubric_without("speed"))
    words = ["grade", folder, "-o", out]
    run_lab(*words, "--rubric", tmp_path / "no_speed.json")
    advice = f"./lab grade {shown(folder)} -o {shown(out)} measures it again (without --only)"
    told = [
        run_lab(*words, *more)
        for more in (["--rubric", RUBRIC, "--only", "ada"], ["--only", "ada"], [])
    ]
    whys = ["ada: measured again: the rubric times something else", "", "bo: measured again: the"]
    for ended, why in zip(told, whys):
        assert (why in ended.error) and ("measured again" in ended.error) == bool(why)
        assert ("1 submission was not timed" in ended.output) == (ended is not told[2])
        assert (advice in ended.output) == (ended is not told[2])


@pytest.mark.parametrize("more", ["CLASS -o OUT", "CLASS -o OUT --only ada", "--rescore OUT"])
def test_two_in_one_folder_do_not_mix(more, run_lab, without_measuring, hold_folder):
    """The second is refused at once and leaves what is there."""
    folder, out = without_measuring
    places = {"CLASS": folder, "OUT": out}
    run_lab("grade", folder, "-o", out, "--rubric", RUBRIC)
    before = {file: file.read_bytes() for file in out.rglob("*") if file.is_file()}
    end = hold_folder(out)
    status, output, said = run_lab("grade", *(places.get(word, word) for word in more.split()))
    end()
    assert (status, output) == (2, "")
    assert said.splitlines()[-1].startswith(
        "lab: another ./lab grade (process 7, since 16:44) works"
    )
    assert {file: file.read_bytes() for file in before} == before
