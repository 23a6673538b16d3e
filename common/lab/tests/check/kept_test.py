"""Do results of commands stay in build/ with the seal of their source?"""

import re

import pytest

from nbody_lab.building.manifest import Implementation, Part, Program, manifest_text
from nbody_lab.check import kept
from nbody_lab.check.kept import Verdict, keep_verdicts, seal_of
from nbody_lab.check.result import Case, CheckedProgram, CheckResult
from nbody_lab.commands import check
from nbody_lab.core.model import load


def result(*verdicts):
    """As check --json writes it."""
    about = {"group": "forces", "scene": "equal", "n": 7, "seed": 1, "error": 1e-7, "limit": 1e-5}
    cases = [Case(verdict=one, diagnosis=f"why {k}", **about) for k, one in enumerate(verdicts)]
    failed = [k for k, one in enumerate(verdicts) if one == "failed"]
    program = CheckedProgram(
        part="part1",
        name="mine",
        verdict="FAILED" if failed else "passed",
        as_expected=not failed,
        worst_share_of_limit=0.5,
        most_informative_case=failed[-1] if failed else None,
        cases=tuple(cases),
    )
    return CheckResult(tolerance="standard", precision="float", implementations=(program,))


@pytest.fixture
def verdict_file(tmp_path, monkeypatch):
    monkeypatch.setattr(kept, "VERDICTS", tmp_path / "verdicts")
    return tmp_path / "verdicts/part1_mine.json"


def test_what_a_verdict_keeps(verdict_file):
    """Of the last check; nothing of a program without a seal."""
    keep_verdicts(result("passed"), {})
    assert not verdict_file.exists()
    seals = {"mine": ("part1/mine.hpp", "abc")}
    keep_verdicts(result("passed"), seals)
    keep_verdicts(result("passed", *["failed"] * 5), seals, ["--largest", "7"])
    record = load(Verdict, verdict_file).model_dump()
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
        "options": ("--largest", "7"),
        "cases": 6,
        "failed": 5,
        "diagnosis": "why 5",
    }


@pytest.fixture
def checked(tmp_path, monkeypatch, run_lab, verdict_file):
    """Runs ./lab check part1 mine in a made-up tree: `built` happens while it builds, bin/check finds `verdict`."""
    source = tmp_path / "part1/mine.hpp"
    source.parent.mkdir()
    source.write_text("one")
    about = {"part": "part1", "name": "mine", "kind": "mine", "source": "part1/mine.hpp"}
    mine = Implementation(**about, programs=(Program(precision="float", program="bin/mine"),))
    (tmp_path / "build").mkdir()
    (tmp_path / "build/manifest.json").write_text(manifest_text([mine], [Part(name="part1")]))

    class Lab(check.Lab):
        def __init__(self, part=""):
            super().__init__(part)
            self.build_dir, self.manifest = tmp_path / "build", tmp_path / "build/manifest.json"

        def source(self, name):
            return source

        begin = unlock = lambda *_: None

    def run(*options, built=lambda: None, verdict="passed"):
        monkeypatch.setattr(check, "run", lambda *_: result(verdict))
        monkeypatch.setattr(check, "Lab", Lab)
        monkeypatch.setattr(Lab, "build", lambda *_: built())
        return run_lab("check", "part1", "mine", *options)

    return run


def test_check_keeps_its_verdict_of_the_text_before_it_was_built(tmp_path, checked, verdict_file):
    source = tmp_path / "part1/mine.hpp"
    seal = seal_of(source)
    ended = checked(built=lambda: source.write_text("later"), verdict="failed")
    assert ended.status == 1 and "part1/mine: FAILED" in ended.output
    found = load(Verdict, verdict_file)
    assert (found.source, found.source_sha256) == ("part1/mine.hpp", seal)


def test_the_users_own_file_gets_the_result_too(tmp_path, checked, verdict_file):
    assert checked("--json", tmp_path / "own.json").status == 0
    assert load(CheckResult, tmp_path / "own.json") == result("passed")
    assert load(Verdict, verdict_file).options == ()
    ended = checked("--json", tmp_path)
    assert (ended.status, ended.output) == (2, "") and "it is a folder" in ended.error
