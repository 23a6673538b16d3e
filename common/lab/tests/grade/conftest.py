"""What the tests of grading share."""

from pathlib import Path

import pytest

from nbody_lab.grade import grading
from nbody_lab.grade.intake import checksum
from tests import write_files
from tests.grade import scored_for_tests as scored


@pytest.fixture
def without_measuring(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> tuple[Path, Path]:
    """A class of ada and bo whose records are written at once."""
    write_files(tmp_path / "class", {f"{name}/mine.hpp": "// mine\n" for name in ("ada", "bo")})

    def course_of(_lab, out, rubric, parts, timed):
        return scored.course_in(out, rubric, parts, timed=timed)

    def measure_all(course, unchecked, untimed):
        for one in [*untimed, *unchecked]:
            write_files(course.out, {} if course.timed else {f"work/{one.name}/mine": ""})
            setups = course.timings()["part1"]
            speeds = [scored.speed(threads=setup.threads, share=0.3) for setup in setups]
            parts = {"part1": scored.part(scored.row(speed=speeds)), "part2": scored.part()}
            parts = {name: parts[name] for name in course.parts}
            record = scored.measured(one.name, [one.name.title()], parts=parts)
            record["submission"]["checksum"] = checksum(one)
            record |= {"lab": course.lab, "timings": course.timings()}
            (written,) = scored.records_of([record])
            write_files(course.out, {f"measured/{one.name}.json": written.model_dump_json()})

    monkeypatch.setattr(grading, "_BUILT", tmp_path / "built")
    monkeypatch.setattr(grading, "course_of", course_of)
    monkeypatch.setattr(grading, "measure_all", measure_all)
    monkeypatch.setattr(grading, "prove", lambda *_: None)
    return tmp_path / "class", tmp_path / "out"
