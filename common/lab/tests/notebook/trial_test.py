"""What ./lab try asks of check and bench, what it says of their answers, made up here, and the rows that it writes."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from nbody_lab.building.manifest import (
    Counted,
    Implementation,
    Manifest,
    Part,
    Program,
    manifest_text,
)
from nbody_lab.check.result import Case, CheckResult
from nbody_lab.core.errors import LabError
from nbody_lab.measure.bench_file import BenchRow, Rates
from nbody_lab.notebook import attempts, notebook
from nbody_lab.notebook.columns import Row
from nbody_lab.notebook.kept import keep_program
from nbody_lab.notebook.table import one_line
from nbody_lab.notebook.trial import (
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
MADE = {"kind": "mine", "class": "Mine", "parent": "naive", "flags": ("-O3",)}
MADE["count"] = Counted(program="a counting one")


@pytest.fixture(scope="module")
def manifest(tmp_path_factory):
    rows = [
        Implementation(
            part=part, name=name, programs=(Program(precision="float", program=name),), **MADE
        )
        for part in ("part1", "part4")
        for name in ("naive", "mine")
    ]
    parts = [Part(name="part1"), Part(name="part4", launcher=("mpiexec",), ranks=2)]
    file = tmp_path_factory.mktemp("build") / "manifest.json"
    file.write_text(manifest_text(rows, parts))
    return Manifest(file)


@pytest.fixture
def conditions(manifest):
    def conditions(part="part1", device="", **question):
        programs = Programs(part, Path("/build"), manifest.file, device)
        return conditions_of(programs, manifest, Question("mine", 1.5, **question))

    return conditions


def row(seconds=1.0, outcome="right", verdict="", **more):
    """A row of bench: nine rounds."""
    speed = [share * 1e9 / seconds for share in (1, 0.99, 1.01)]
    rates = Rates(median=speed[0], lower_quartile=speed[1], upper_quartile=speed[2])
    known = {"interactions_per_s": rates, "seconds_of_rounds": [seconds] * 9, "cores_used": 1.0}
    known |= {"cores_of_others_in_rounds": [0.0] * 9, "error": 1e-6, "limit": 1e-5}
    return BenchRow(**{**known, "outcome": outcome, "verdict": verdict or outcome, **more})


RIGHT = row(1.0)
BUSY_ROW = row(0.0001, "busy", "too busy to measure", about_cores="its 2 threads had 1.0 cores")
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
            "-n 100 --threads 1 --vdt --wait 60",
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


def test_ranks_are_for_part_4(conditions):
    with pytest.raises(LabError, match=r"^--ranks: part1 runs as one process; part 4 runs as"):
        conditions(ranks=2)


def test_a_kept_program_joins_the_manifest(manifest):
    *others, before = implementations_asked(manifest, "part1", Question("mine", 1.5, **KEPT))
    assert others == list(manifest.rows)
    assert (before.name, before.programs[0].program) == ("row 3", "/kept/3")
    # It may be of another name: what the manifest says of mine does not hold for it.
    assert (before.class_name, before.parent, before.count) == ("", "", None)


# --- what is answered ----------------------------------------------------------------------------


WILD = row(1.0, seconds_of_rounds=[0.3, 0.7, 0.5] * 3)
OTHERS_WORK = row(2.0, cores_of_others_in_rounds=[1.0] * 9)
ANSWERS = {
    "beside naive": ([row(2.0), RIGHT], {}),
    "beside the row before": ([row(3.0), RIGHT, row(1.5)], {"expected": 1.5, **KEPT}),
    "the row before is gone": ([row(3.0), RIGHT], {"before": BEFORE}),
    "the row before is wrong by now": ([row(3.0), RIGHT, row(1.5, "wrong")], KEPT),
    "no gain": ([row(1.0), RIGHT], {}),
    "rounds differ": ([row(1.0), WILD], {}),
    "it writes": ([row(2.0), row(1.0, writes=True)], {}),
    "steps are uncertain": ([row(2.0), row(1.0, step_count_verified=False)], {}),
    "it is busy": ([row(2.0), BUSY_ROW], {}),
    "naive is busy": ([BUSY_ROW, RIGHT], {}),
    "others come and go": ([OTHERS_WORK, RIGHT], {}),
    "wrong while timed": ([row(2.0), row(1.0, "wrong", "WRONG: joined steps")], {}),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_what_is_shown_and_what_the_row_holds(name, trial_of, snapshot):
    rows, question = ANSWERS[name]
    trial = trial_of(*rows, threads=1, **question)
    cells = [f"{name} {cell}" for name, cell in trial.row().cells().items() if cell]
    assert f"{text_of(trial)}\n\n{', '.join(cells)}" == snapshot


def test_wrong_while_timed_is_a_case_of_the_check(trial_of):
    checked = trial_of(row(2.0), row(1.0, "wrong", "WRONG: joined steps")).checked
    case = checked.cases[-1]
    assert (checked.verdict, checked.as_expected, len(checked.cases)) == ("FAILED", False, 701)
    assert (case.group, case.verdict, case.error) == ("timed", "failed", 1e-6)


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
    with pytest.raises(LabError, match=r"^naive does not run: died$"):
        trial_of(row(2.0, "failed", "died"), RIGHT)


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
        rows = rows or (() if wrong else (row(2.0), RIGHT))
        trial = replace(trial_of(*rows, **{"threads": 1, **question}), wrong=wrong)
        added = attempts.add_row(part, trial, "an idea", part / "mine.hpp")
        if not wrong:
            keep_program(programs, added, part / "mine.hpp")
        return added, capsys.readouterr().out

    return add


def files_in(folder):
    return sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())


def test_a_morning_of_tries(part, add, snapshot):
    """One is right, one is compared with it, one is wrong, one busy: what is printed and written, with the student's own
    words."""
    markdown = part / "NOTEBOOK.md"
    first, printed = add()
    before = attempts.row_before(part, "mine", None)
    assert before == first == notebook.load(part).rows[0]
    assert attempts.row_before(part, "mine", "naive") is None
    markdown.write_text(markdown.read_text() + "\nmy words\n")
    printed += add(before=before)[1]
    printed += add(wrong="it is NaN")[1]
    markdown.write_text(markdown.read_text().replace("an idea", "my idea"))
    printed += add(row(2.0), BUSY_ROW)[1]
    assert attempts.row_before(part, "mine", None).row == 2
    sources = [(part / f"notebook/00{k}_mine.hpp").read_text() for k in (1, 2)]
    shown = "\n".join([(part / "notebook.csv").read_text(), markdown.read_text(), *sources])
    assert re.sub(r"20\d\d-\d\d-\d\d", "DATE", shown) == snapshot(name="files")
    assert re.sub(r" in \S*part1_words/", " in part1_words/", printed) == snapshot(name="printed")
    assert files_in(part) == [
        *("NOTEBOOK.md", "mine.hpp", "notebook.csv", "notebook/001_mine.hpp"),
        *("notebook/002_mine.hpp", "notebook/003_mine.hpp", "notebook/004_mine.hpp"),
    ]


def test_without_a_row_there_is_no_source(part, add, monkeypatch):
    def full_disk(*_):
        raise LabError("the disk is full")

    monkeypatch.setattr(notebook, "save", full_disk)
    with pytest.raises(LabError):
        add()
    assert files_in(part) == ["mine.hpp"]


def test_an_idea_is_one_line():
    assert one_line(" each | pair\nonce\x1b ") == "each | pair once"
