"""The data of the grader's own class: its contents, and that it is the same each time. Grades nothing."""

import os
import shutil

import pytest

from tests.grade.class_suite import CHECKS, ROW, digest
from tests.grade.made_class.make_class import MADE, make_class, rows_of_class, stored_names

ROWS = rows_of_class()


def by_name(row):
    return row["name"]


def test_the_rows_of_the_class():
    """Each is stored or made, under a name of its own."""
    assert {row["name"] for row in ROWS} == {*stored_names(), *MADE}
    for key in ("name", "entry"):
        assert len({row[key].casefold() for row in ROWS}) == len(ROWS)
    kinds = [row["kind"] for row in ROWS]
    assert (kinds.count("honest"), kinds.count("hostile")) == (8, 12)


@pytest.mark.parametrize("row", ROWS, ids=by_name)
def test_every_row_expects_something_that_is_known(row):
    assert row["expected"]
    assert set(row["expected"]) <= {*CHECKS, *ROW}
    assert row["expected"].get("check") in (None, "passed", "failed", "not checked")
    assert row["tries"].startswith("Honest: ") == (row["kind"] == "honest")


def test_it_is_made_the_same_way_twice(tmp_path):
    out, digests = tmp_path / "class", set()
    for _ in range(2):
        make_class(out, ROWS)
        assert sorted(os.listdir(out)) == sorted(row["entry"] for row in ROWS)
        digests.add(digest(out.rglob("*")))
        shutil.rmtree(out)
    assert len(digests) == 1
