"""Each fault of mutations.json still has its place, and mutate.py tells found faults from missed ones."""

import pytest

from nbody_lab import ROOT
from tests.mutation import mutate


@pytest.mark.parametrize("row", mutate.MUTATIONS, ids=lambda row: row.wrong)
def test_each_text_stands_once_in_its_file(row):
    assert mutate.places(row, ROOT) == 1, f"{row.file} was changed: its row must follow"
    assert len(row.wrong) <= 44  # its column in the report


@pytest.mark.parametrize(
    ("built", "passed", "old", "outcome"),
    [
        (True, False, "1", "found"),
        (True, True, "1", "NOT found"),
        (False, True, "1", "does not build"),
        (True, False, "3", "no single place"),
    ],
)
def test_outcomes(built, passed, old, outcome, tmp_path, monkeypatch):
    """The test sees the fault; afterwards the file is as before. Only a fault that is found is status 0."""
    file, seen = tmp_path / "limit", []
    file.write_text("limit = 1\n")

    def passes(_):
        seen.append(file.read_text())
        return passed, ""

    row = mutate.Mutation("a limit", "limit", old, "2", "some_test")
    for name, value in (
        ("TREE", tmp_path),
        ("MUTATIONS", [row]),
        ("prepare", lambda _: None),
        ("build", lambda _: (built, "")),
        ("passes", passes),
    ):
        monkeypatch.setattr(mutate, name, value)
    assert mutate.find_outcome(row) == outcome
    assert seen == (["limit = 2\n"] if built and old == "1" else [])
    assert file.read_text() == "limit = 1\n"
    assert mutate.main([]) == (0 if outcome == "found" else 1)
