"""./lab report: what commands kept is on the page, and stays what it is: text, of a source that may have changed since."""

import json

from nbody_lab.check.kept import Verdict, seal_of
from nbody_lab.commands import report
from nbody_lab.core.whole_file import write_text
from nbody_lab.notebook.notebook import Notebook, Row, save
from tests import words_of
from tests.limits.roofline_for_tests import NAIVE, ceilings_of_processor, make_bound, roofline

EVIL, SOURCE = '<script>alert("idea")</script> & <!-- ]]>', "part1_words/mine.hpp"
CONTEXT = {"part": "part1", "cpu": "A processor", "day": "2026-11-21", "scene": "plummer"}
SPEEDS = [{"name": "naive", "n": 2000, "interactions_per_s": {"median": 1.23e8}}]


def test_everything_that_was_measured_and_nothing_else(tmp_path, run_lab, monkeypatch):
    monkeypatch.setattr(report, "ROOT", tmp_path)
    monkeypatch.setattr(report, "FILE", tmp_path / "build/report.html")
    for name in ("CMakeLists.txt", "README.md", "mine.hpp"):
        write_text((tmp_path / SOURCE).with_name(name), "# About part 1\n\nText\n")

    def words_of_page():
        assert run_lab("report").status == 0
        page = report.FILE.read_text(encoding="utf-8")
        assert "<script" not in page
        return words_of(page)

    assert words_of_page().endswith("and ./lab next says what to do.")
    of_mine = {"source": SOURCE, "source_sha256": seal_of(tmp_path / SOURCE), "part": "part1"}
    of_mine["date"] = "2026-11-22T17:05:12+0100"
    found = {"verdict": "FAILED", "worst_share_of_limit": 0.27, "failed": 4, "options": ("--x",)}
    verdict = Verdict(**of_mine, **found, name="mine", cases=123, diagnosis=EVIL)
    for name, text in {
        "verdicts/part1_mine": verdict.model_dump_json(),
        "verdicts/part1_mine_rows": "{",
        "bound/part1_mine": make_bound(name="mine", part="part1").model_dump_json(),
        "roofline/part1": roofline([("naive", "naive", NAIVE, "scalar", 1.05e8)]).model_dump_json(),
        "ceilings": ceilings_of_processor().model_dump_json(),
        "pictures/1/result": json.dumps({"context": CONTEXT, "summary": SPEEDS, "benchmarks": []}),
    }.items():
        write_text(tmp_path / f"build/{name}.json", text)
    save((tmp_path / SOURCE).parent, Notebook((Row(row=1, name="mine", idea=EVIL),)))
    words = words_of_page()
    for part in (
        *("About part 1", "naive 0.123", "Roofline", "The bound of the innermost loop"),
        *("mine: FAILED, 4 of 123 cases failed, with --x; 22 Nov 2026, 17:05", EVIL),
        *("Notebook", "This machine", "Could not be read: build/verdicts/part1_mine_rows.json: "),
    ):
        assert part in words, part
    write_text(tmp_path / SOURCE, "// changed\n")
    assert "17:05; its source has changed since" in words_of_page()
    (tmp_path / SOURCE).unlink()
    assert "17:05; its source is gone" in words_of_page()
