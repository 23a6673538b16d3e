"""What ./lab try asks of check and bench, what it says of their answers, made up here, and the rows that it writes."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from nbody_lab.core.bench_file import BenchRow, Rates
from nbody_lab.core.manifest import Manifest
from nbody_lab.core.messages import UserError
from nbody_lab.notebook import attempts, notebook
from nbody_lab.notebook.columns import Row
from nbody_lab.notebook.file import InputError
from nbody_lab.notebook.kept import keep_program
from nbody_lab.notebook.results import Case, CheckResult
from nbody_lab.notebook.trial import (
    BUSY,
    Programs,
    Question,
    Trial,
    bench_options,
    conditions_of,
    implementations_asked,
    with_times,
)
from nbody_lab.notebook.trial_text import describe

BEFORE = Row(row=3, name="mine", threads=2, times_naive=1.5, spread=0.04)
KEPT = {"before": BEFORE, "before_program": Path("/kept/3")}
MADE = {"kind": "mine", "class": "Mine", "parent": "naive", "flags": ["-O3"]}
MADE["count"] = {"program": "a counting one"}


@pytest.fixture(scope="module")
def manifest(tmp_path_factory):
    rows = [
        {**MADE, "part": part, "name": name, "programs": [{"precision": "float", "program": name}]}
        for part in ("part1", "part4")
        for name in ("naive", "mine")
    ]
    parts = [{"name": "part1"}, {"name": "part4", "launcher": ["mpiexec"], "ranks": 2}]
    file = tmp_path_factory.mktemp("build") / "manifest.json"
    file.write_text(json.dumps({"version": 2, "parts": parts, "implementations": rows}))
    return Manifest(file)


@pytest.fixture
def conditions(manifest):
    def conditions(part="part1", device="", **question):
        programs = Programs(part, Path("/build"), manifest.file, device)
        return conditions_of(programs, manifest, Question("mine", 1.5, **question))

    return conditions


def row(seconds=1.0, verdict="right", **more):
    """A row of bench: nine rounds."""
    speed = [share * 1e9 / seconds for share in (1, 0.99, 1.01)]
    rates = Rates(median=speed[0], lower_quartile=speed[1], upper_quartile=speed[2])
    known = {"interactions_per_s": rates, "seconds_of_rounds": [seconds] * 9, "cores_used": 1.0}
    known |= {"cores_of_others_in_rounds": [0.0] * 9, "error": 1e-6, "limit": 1e-5}
    return BenchRow(**{**known, "verdict": verdict, **more})


RIGHT = row(1.0)
BUSY_ROW = row(
    0.0001, "too busy to measure", too_busy=True, about_cores="its 2 threads had 1.0 cores"
)
PASSED = {"group": "forces", "verdict": "passed"}
CHECKED = {"name": "mine", "verdict": "passed", "as_expected": True, "cases": [PASSED] * 700}
CHECK = {"tolerance": "standard", "precision": "float", "implementations": [CHECKED]}


@pytest.fixture
def trial_of(manifest):
    """The trial of a right program, with the rows of bench; without rows it was not timed."""

    def trial_of(*rows, expected=2.0, **question):
        question = Question("mine", expected, **question)
        programs = Programs("part1", Path("/build"), manifest.file)
        conditions = conditions_of(programs, manifest, question)
        trial = Trial(question, conditions, CheckResult.model_validate(CHECK))
        return with_times(trial, rows) if rows else trial

    return trial_of


def text_of(trial):
    return describe(trial, "part1/mine")


# --- what is asked -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "part, how, words, options",
    [
        ("part1", {}, "2000 bodies, fixed step, float, 3 threads at most", "-n 2000 --own-threads"),
        (
            "part1",
            {"threads": 1, "adaptive": True, "n": 100, "wait_s": 60, **KEPT},
            "100 bodies, adaptive step, float, 1 thread",
            "-n 100 --threads 1 --last-threads 2 --vdt --wait 60",
        ),
        (
            "part1",
            {"device": "Abacus"},
            "16384 bodies, fixed step, float, Abacus",
            "-n 16384 --own-threads --device Abacus",
        ),
        (
            "part4",
            {"ranks": 1},
            "2000 bodies, fixed step, float, 1 rank, 3 threads at most",
            "-n 2000 --own-threads --ranks 1",
        ),
        (
            "part4",
            {},
            "2000 bodies, fixed step, float, 2 ranks, 3 threads at most",
            "-n 2000 --own-threads --ranks 2",
        ),
    ],
)
def test_conditions_in_words_and_for_bench(conditions, monkeypatch, part, how, words, options):
    monkeypatch.setenv("OMP_NUM_THREADS", "3,2")
    found, device = conditions(part, **how), how.get("device", "")
    assert str(found) == f"{words}, flags -O3" and found.device == device
    question = Question("mine", 1.5, **{key: how[key] for key in how if key != "device"})
    asked = " ".join(map(str, bench_options(found, question)))
    assert asked.replace(" --rounds 9 --least 0.03 --timeout 20", "") == options


def test_without_a_number_of_threads_there_are_as_many_as_cores(conditions, monkeypatch):
    monkeypatch.setattr("os.sched_getaffinity", lambda _: range(6))
    for value in ("", "many", "0"):
        monkeypatch.setenv("OMP_NUM_THREADS", value)
        assert (conditions().threads, conditions("part4").threads) == (6, 3)


def test_the_row_before_runs_on_its_own_number_of_threads(conditions):
    assert conditions(threads=1, **KEPT).threads_before == 2
    assert conditions(threads=2, **KEPT).threads_before is None
    assert conditions(threads=1, before=BEFORE).threads_before is None  # its program is gone


def test_ranks_are_for_part_4(conditions):
    with pytest.raises(UserError, match=r"^--ranks: part1 runs as one process; part 4 runs as"):
        conditions(ranks=2)


def test_kept_programs_join_the_manifest(manifest):
    question = Question("mine", 1.5, program=Path("/kept/5"), **KEPT)
    *others, mine, before = implementations_asked(manifest, "part1", question)
    assert [other.name for other in others] == ["naive", "naive", "mine"]
    assert (mine.name, mine.class_name, mine.programs[0].program) == ("mine", "Mine", "/kept/5")
    assert (before.name, before.programs[0].program) == ("row 3", "/kept/3")
    # It may be of another name: what the manifest says of mine does not hold for it.
    assert (before.class_name, before.parent, before.count) == ("", "", None)
    asked = implementations_asked(manifest, "part1", Question("mine", 1.5))
    assert sorted(asked, key=str) == sorted(manifest.rows, key=str)


# --- what is answered ----------------------------------------------------------------------------


def test_beside_the_row_before(trial_of, snapshot):
    trial = trial_of(row(3.0), RIGHT, row(1.5), expected=1.5, threads=1, **KEPT)
    assert text_of(trial) == snapshot
    assert (trial.row().measured, trial.row().times_naive) == (1.5, 3.0)


def test_without_its_program_the_row_before_is_estimated(trial_of):
    """It is gone, or no longer right."""
    gone = trial_of(row(3.0), RIGHT, before=BEFORE)
    wrong = trial_of(row(3.0), RIGHT, row(1.5, "WRONG"), threads=1, **KEPT)
    for trial in (gone, wrong):
        assert "  measured  ~2.00 x" in text_of(trial)
        assert "~ estimated from both speed-ups over naive: the older program is" in text_of(trial)
        assert trial.row().estimated == "yes"


@pytest.mark.parametrize(
    "mine, words",
    [
        (row(2.0), "            that is within the noise of this measurement\n"),
        (
            row(1.0, seconds_of_rounds=[0.3, 0.7, 0.5] * 3),
            "            rounds differ by more than 30 %: try again when",
        ),
        (
            row(1.0, writes=True),
            "  note      it writes to standard output or error while it computes, which",
        ),
        (
            row(1.0, step_count_verified=False),
            "  note      it is unknown whether all steps were made",
        ),
    ],
)
def test_what_makes_a_number_doubtful_is_named(trial_of, mine, words):
    assert f"\n{words}" in text_of(trial_of(row(2.0), mine))
    assert words not in text_of(trial_of(row(2.0), RIGHT))


@pytest.mark.parametrize(
    "rows, why",
    [
        ([row(2.0), BUSY_ROW], "its 2 threads had 1.0 cores"),
        ([BUSY_ROW, RIGHT], "its 2 threads had 1.0 cores"),
        (
            [row(2.0, cores_of_others_in_rounds=[1.0] * 9), RIGHT],
            "other programs came and went; try again when the machine is quiet, or with --wait 120",
        ),
    ],
)
def test_on_a_busy_machine_there_is_no_number(trial_of, rows, why):
    trial = trial_of(*rows)
    assert text_of(trial).endswith(f"\n  busy      {why}\n  verdict   {BUSY}")
    assert "10^9" not in text_of(trial) and trial.row().measured is None


def test_wrong_while_timed_is_wrong_and_a_case(trial_of):
    trial = trial_of(row(2.0), row(1.0, "WRONG: joined steps"))
    assert text_of(trial).splitlines()[0] == "part1/mine: WRONG"
    assert text_of(trial).endswith("verdict   wrong: while it was timed: WRONG: joined steps")
    checked, case = trial.checked, trial.checked.cases[-1]
    assert (checked.verdict, checked.as_expected, len(checked.cases)) == ("FAILED", False, 701)
    assert (case.group, case.verdict, case.error) == ("timed", "failed", 1e-6)
    assert trial.row().measured is None


def test_wrong_is_not_timed(trial_of):
    trial = trial_of()
    cases = tuple(Case(group="forces", verdict=one) for one in ("failed", "passed", "not run"))
    checked = trial.checked.model_copy(update={"cases": cases})
    check = trial.check.model_copy(update={"implementations": (checked,)})
    assert text_of(replace(trial, check=check, wrong="it is NaN\x1b")) == (
        "part1/mine: WRONG in 1 of 3 cases; ./lab check shows which\n"
        "  verdict   wrong: it is NaN\\u001b"
    )


def test_a_naive_that_does_not_run_is_named(trial_of):
    with pytest.raises(UserError, match=r"^naive does not run: died$"):
        trial_of(row(2.0, "died"), RIGHT)


# --- the rows of the notebook --------------------------------------------------------------------


@pytest.fixture
def part(tmp_path):
    folder = tmp_path / "part1_words"
    folder.mkdir()
    (folder / "mine.hpp").write_text("the source")
    return folder


@pytest.fixture
def programs(tmp_path):
    return tmp_path / "build/part1"


@pytest.fixture
def add(part, programs, trial_of, capsys):
    """Adds the row of a trial; returns it with what was printed."""

    def add(*rows, wrong="", **question):
        trial = replace(
            trial_of(*(rows or () if wrong else rows or (row(2.0), RIGHT)), **question), wrong=wrong
        )
        added = attempts.add_row(part, trial, "an idea", part / "mine.hpp")
        if not wrong:
            keep_program(programs, added, part / "mine.hpp")
        return added, capsys.readouterr().out

    return add


def files_in(folder):
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())


def test_a_try_is_a_row_with_its_source(part, add, trial_of, snapshot):
    added, printed = add(threads=1)
    where, _, rest = printed.partition("part1_words/")
    assert where.startswith("\nrow 1 is in ")
    assert rest == "NOTEBOOK.md, its source in notebook/001_mine.hpp beside it\n"
    assert files_in(part) == ["NOTEBOOK.md", "mine.hpp", "notebook.csv", "notebook/001_mine.hpp"]
    assert notebook.load(part).rows == [added]
    written = [(part / name).read_text() for name in ("notebook.csv", "notebook/001_mine.hpp")]
    assert re.sub(r"20\d\d-\d\d-\d\d", "DATE", "\n".join(written)) == snapshot(name="files")
    assert text_of(trial_of(row(2.0), RIGHT, threads=1)) == snapshot(name="text")


def test_a_row_names_the_one_it_is_compared_with(part, add):
    add()
    before = attempts.row_before(part, "mine", None)
    added, _ = add(before=before)
    assert (added.row, added.against, added.estimated) == (2, "1", "yes")
    assert "compared with row 1, mine\n" in (part / "notebook/002_mine.hpp").read_text()
    assert attempts.row_before(part, "mine", "1") == before
    assert attempts.row_before(part, "mine", "naive") is None


def test_wrong_and_busy_rows_are_not_compared_with(part, add):
    _, wrong = add(wrong="it is NaN")
    _, busy = add(row(2.0), BUSY_ROW)
    again = "note      measure it again when the machine is quiet: ./lab try part1 --again 2 --wait 120\n"
    assert again not in wrong and busy.endswith(again)
    verdicts = [row.verdict for row in notebook.load(part).rows]
    assert verdicts == ["wrong: it is NaN", BUSY]
    assert attempts.row_before(part, "mine", None) is None


def test_words_written_meanwhile_stay(part, add):
    add()
    markdown = part / "NOTEBOOK.md"
    markdown.write_text(markdown.read_text() + "\nmy words\n")
    _, printed = add()
    assert "changed by hand" not in printed
    assert markdown.read_text().endswith("\nmy words\n") and "| 2 | 20" in markdown.read_text()
    markdown.write_text(markdown.read_text().replace("an idea", "my idea"))
    _, printed = add()
    assert printed.endswith(
        "  note      the table there was changed by hand; it is rewritten from notebook.csv,\n"
        "            and the old text is in notebook/NOTEBOOK_1.md\n"
    )


def test_without_a_row_there_is_no_source(part, add, monkeypatch):
    def full_disk(*_):
        raise InputError("the disk is full")

    monkeypatch.setattr(notebook, "save", full_disk)
    with pytest.raises(InputError):
        add()
    assert files_in(part) == ["mine.hpp"]


def test_an_idea_is_one_line():
    assert attempts.one_line(" each | pair\nonce\x1b ") == "each | pair once"


# --- rows that are measured again ----------------------------------------------------------------


def again(part, programs, number="1"):
    return attempts.question_again(part, number, programs, None, 60)


def test_again_replaces_the_numbers_of_its_row_alone(part, programs, add, trial_of, capsys):
    add(row(2.0), BUSY_ROW, adaptive=True, threads=2, n=100)
    other, _ = add()
    assert again(part, programs) == Question(
        "mine",
        2.0,
        program=next(programs.glob("1_*")),
        threads=2,
        adaptive=True,
        n=100,
        wait_s=60,
    )
    attempts.replace_row(part, "1", trial_of(row(3.0), RIGHT, expected=3.0))
    assert capsys.readouterr().out.endswith("was measured again, compared with naive\n")
    first, second = notebook.load(part).rows
    changed = {"row": 1, "measured": 3, "verdict": "as expected", "idea": "an idea"}
    assert first.model_dump(include=set(changed)) == changed and second == other


def test_again_on_a_busy_machine_changes_nothing(part, add, trial_of, capsys):
    add()
    before = (part / "notebook.csv").read_text()
    attempts.replace_row(part, "1", trial_of(row(2.0), BUSY_ROW))
    assert capsys.readouterr().out.endswith("stays as it was\n")
    assert (part / "notebook.csv").read_text() == before


def test_again_leaves_no_number_of_a_row_that_turns_out_wrong(part, add, trial_of):
    add(before=BEFORE)
    attempts.replace_row(part, "1", replace(trial_of(), wrong="a race"))
    (found,) = notebook.load(part).rows
    assert (found.verdict, found.measured, found.times_naive) == ("wrong: a race", None, None)
    assert (found.estimated, found.source) == ("", "notebook/001_mine.hpp")


@pytest.mark.parametrize(
    "change, complaint",
    [
        (
            "program",
            "--again 1: row 1 has no kept program: it was wrong, or build/ was removed; try its idea "
            'anew: ./lab try part1 mine "idea" --expect 2',
        ),
        (",2,", "--again 1: row 1 has no prediction; try its idea anew: "),
    ],
)
def test_again_without_its_program_or_prediction(part, programs, add, change, complaint):
    add()
    csv = part / "notebook.csv"
    if change == "program":
        next(programs.iterdir()).unlink()
    csv.write_text(csv.read_text().replace(change, ",,", 1))
    with pytest.raises(InputError, match=f"^{re.escape(complaint)}"):
        again(part, programs)
