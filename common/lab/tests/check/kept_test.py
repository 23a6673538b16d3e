"""Do results of commands stay in build/ with the seal of their source?"""

import pytest

from nbody_lab.building.lab import Built
from nbody_lab.building.manifest import Implementation, Part, Program, manifest_text
from nbody_lab.check import kept
from nbody_lab.check.kept import Verdict, seal_of
from nbody_lab.check.result import CheckResult
from nbody_lab.commands import check
from nbody_lab.core.model import load
from tests.check.tables_test import PASSED, failed, program


@pytest.fixture
def verdict_file(tmp_path, monkeypatch):
    monkeypatch.setattr(kept, "VERDICTS", tmp_path / "verdicts")
    return tmp_path / "verdicts/part1_mine.json"


def test_check_keeps_its_verdict_of_the_text_before_it_was_built(
    tmp_path, monkeypatch, run_lab, verdict_file
):
    """And writes the user's own file, too. In a made-up tree, where the source is saved again while it is built."""
    source = tmp_path / "part1/mine.hpp"
    source.parent.mkdir()
    source.write_text("one")
    seal = seal_of(source)
    about = {"part": "part1", "name": "mine", "kind": "mine", "source": "part1/mine.hpp"}
    mine = Implementation(**about, programs=(Program(precision="float", program="bin/mine"),))
    manifest = tmp_path / "manifest.json"
    manifest.write_text(manifest_text([mine], [Part(name="part1")]))

    class Lab(check.Lab):
        def __init__(self, part=""):
            super().__init__(part)
            self.build_dir, self.manifest = tmp_path, manifest

        def source(self, name):
            return source

        def build(self, *_):
            source.write_text("later")
            return Built()

        begin = unlock = lambda *_: None

    monkeypatch.setattr(check, "Lab", Lab)
    cases = PASSED, *(failed(diagnosis=f"why {k}") for k in range(5))
    one = program(*cases).model_copy(update={"most_informative_case": 5})
    found = CheckResult(tolerance="standard", precision="float", implementations=(one,))
    monkeypatch.setattr(check, "run", lambda *_: found)
    ended = run_lab("check", "part1", "mine", "--largest", 7, "--json", tmp_path / "own.json")
    assert ended.status == 1 and "part1/mine: FAILED" in ended.output
    kept_one = load(Verdict, verdict_file)
    assert (kept_one.source, kept_one.source_sha256) == ("part1/mine.hpp", seal)
    assert (kept_one.cases, kept_one.failed, kept_one.diagnosis) == (6, 5, "why 4")
    assert kept_one.options == ("--largest", "7")
    assert load(CheckResult, tmp_path / "own.json") == found
    ended = run_lab("check", "part1", "mine", "--json", tmp_path)
    assert (ended.status, ended.output) == (2, "") and "it is a folder" in ended.error
