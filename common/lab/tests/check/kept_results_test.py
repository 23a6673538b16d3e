"""Do results of commands stay in build/ with the seal of their source, and nothing else?"""

import json
import os
import re

import pytest

from nbody_lab.build.manifest import Implementation, Part, Program, manifest_text
from nbody_lab.check.kept_results import Record, keep, keep_verdicts, result_file, seal_of
from nbody_lab.check.result import Case, CheckedProgram, CheckResult
from nbody_lab.commands import check


def result(*verdicts, passed=False):
    """As check --json writes it."""
    about = {"group": "forces", "scene": "equal", "n": 7, "seed": 1, "error": 1e-7, "limit": 1e-5}
    program = CheckedProgram(
        part="part1",
        name="mine",
        verdict="passed" if passed else "FAILED",
        as_expected=passed,
        worst_share_of_limit=0.5,
        most_informative_case=2 if len(verdicts) > 2 else None,
        cases=tuple(
            Case(verdict=verdict, diagnosis=f"why {k}", **about)
            for k, verdict in enumerate(verdicts)
        ),
    )
    return CheckResult(tolerance="standard", precision="float", implementations=(program,))


def read(file):
    return json.loads(file.read_text(encoding="utf-8"))


def test_the_result_of_a_run_that_was_killed_is_not_taken(tmp_path):
    """Its number may come again. And what this run writes goes again, whatever happens."""
    (tmp_path / f".result_{os.getpid()}.json").write_text("old")
    with pytest.raises(KeyboardInterrupt), result_file(tmp_path) as file:
        assert not file.exists()
        file.write_text("new")
        raise KeyboardInterrupt
    assert list(tmp_path.iterdir()) == []


def test_a_seal_is_that_of_the_text(tmp_path):
    source = tmp_path / "mine.hpp"
    source.write_text("one")
    seal = seal_of(source)
    source.write_text("two")
    assert seal_of(source) != seal and len(seal) == 64
    assert seal_of(tmp_path / "nothing") == ""


def test_where_nothing_can_be_written_the_command_goes_on(tmp_path):
    (tmp_path / "file").write_text("")
    keep(tmp_path / "file/part1_mine.json", Record(what="verdict", source="", source_sha256=""))


def test_what_a_verdict_keeps(tmp_path):
    found, seals = result("passed", *["failed"] * 5), {"mine": ("part1/mine.hpp", "abc")}
    keep_verdicts(tmp_path / "new", found, seals, ["--largest", "7"])
    record = read(tmp_path / "new/part1_mine.json")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4}", record.pop("date"))
    assert record == {
        "what": "verdict",
        "version": 1,
        "source": "part1/mine.hpp",
        "source_sha256": "abc",
        "part": "part1",
        "name": "mine",
        "verdict": "FAILED",
        "worst_share_of_limit": 0.5,
        "options": ["--largest", "7"],
        "cases": 6,
        "failed": 5,
        "diagnosis": "why 2",
    }


def test_no_verdict_is_kept_of_what_gave_none(tmp_path):
    keep_verdicts(tmp_path, None, {})
    keep_verdicts(tmp_path, result("passed"), {})
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("first", "seal", "second", "kept"),
    [
        (("passed",), "abc", "passed", "passed"),
        (("failed",), "abc", "passed", "FAILED"),  # as it may in double
        (("failed", "--thorough"), "abc", "passed", "FAILED --thorough"),
        (("passed",), "abc", "failed", "FAILED --no-double"),
        (("passed",), "another text", "passed", "passed --no-double"),
        (("passed", "--largest", "7"), "abc", "passed", "passed --no-double"),
        (("passed", "--no-double"), "abc", "passed", "passed --no-double"),
    ],
)
def test_a_check_without_double_does_not_take_the_place_of_one_with_it(
    tmp_path, first, seal, second, kept
):
    """Of the same text, and if all is right as far as it was asked: ./lab try asks float only."""
    verdict, *options = first
    of_text = {"mine": ("part1/mine.hpp", "abc")}
    keep_verdicts(tmp_path, result(verdict, passed=verdict == "passed"), of_text, options)
    of_text = {"mine": ("part1/mine.hpp", seal)}
    found = result(second, passed=second == "passed")
    keep_verdicts(tmp_path, found, of_text, ["--no-double"])
    record = read(tmp_path / "part1_mine.json")
    assert " ".join([record["verdict"], *record["options"]]) == kept


def test_a_stored_verdict_that_cannot_be_read_is_replaced(tmp_path):
    (tmp_path / "part1_mine.json").write_text("{}")
    keep_verdicts(tmp_path, result("passed", passed=True), {"mine": ("", "abc")}, ["--no-double"])
    assert read(tmp_path / "part1_mine.json")["verdict"] == "passed"


@pytest.fixture
def checked(tmp_path, monkeypatch, run_lab):
    """Runs ./lab check part1 mine in a made-up tree: `built` and `judging` happen when it builds and while bin/check runs."""
    source, program = tmp_path / "part1/mine.hpp", tmp_path / "build/bin/mine"
    for file in (source, program):
        file.parent.mkdir(parents=True)
        file.write_text("one")
    about = {"part": "part1", "name": "mine", "kind": "mine", "source": "part1/mine.hpp"}
    programs = (Program(precision="float", program="bin/mine"),)
    mine = Implementation(**about, program="bin/mine", programs=programs)
    (tmp_path / "build/manifest.json").write_text(manifest_text([mine], [Part(name="part1")]))

    def run(*options, built=lambda: None, judging=lambda: None, verdict="passed"):
        class Lab(check.Lab):
            def __init__(self, part=""):
                super().__init__(part)
                self.build, self.manifest = tmp_path / "build", tmp_path / "build/manifest.json"

            def source(self, name):
                return source

            def build_targets(self, *_):
                built()
                return True

            begin = unlock = show_warnings_again = lambda *_: None

        def bin_check(_, file, verbose):
            judging()
            file.write_text(result(verdict).model_dump_json())
            return (0 if verdict == "passed" else 1), result(verdict)

        monkeypatch.setattr(check, "Lab", Lab)
        monkeypatch.setattr(check, "VERDICTS", tmp_path / "verdicts")
        monkeypatch.setattr(check, "run_check", bin_check)
        return run_lab("check", "part1", "mine", *options)

    return run


def test_check_keeps_its_verdict_of_the_text_before_it_was_built(tmp_path, checked):
    source = tmp_path / "part1/mine.hpp"
    seal = seal_of(source)
    ended = checked(built=lambda: source.write_text("later"), verdict="failed")
    record = read(tmp_path / "verdicts/part1_mine.json")
    assert ended.status == 1
    assert (record["source"], record["source_sha256"]) == ("part1/mine.hpp", seal)
    assert [file.name for file in (tmp_path / "verdicts").iterdir()] == ["part1_mine.json"]


def test_a_program_built_anew_while_it_is_checked_has_no_verdict(tmp_path, checked):
    """Two checks at once: each would store its verdict as that of the other's text."""
    program = tmp_path / "build/bin/mine"

    def other_lab():
        program.unlink()
        program.write_text("two")

    ended = checked(judging=other_lab)
    assert ended.error == (
        "lab: another ./lab built part1/mine while it was checked: this verdict is not kept; check again\n"
    )
    assert not (tmp_path / "verdicts/part1_mine.json").exists()


def test_only_what_takes_long_is_announced(checked):
    assert checked().error == ""
    announced = "lab: 1 program of part1 to check, each with more bodies"
    assert checked("--thorough").error.startswith(announced)


def test_the_users_own_file_gets_the_result_too(tmp_path, checked):
    ended = checked("--json", tmp_path / "own.json")
    assert ended.status == 0
    assert CheckResult.model_validate(read(tmp_path / "own.json")) == result("passed")
    assert read(tmp_path / "verdicts/part1_mine.json")["options"] == []
    ended = checked("--json", tmp_path)
    assert (ended.status, ended.error) == (
        2,
        f"lab: --json {tmp_path}: cannot be written: it is a folder\n",
    )
