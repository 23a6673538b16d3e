"""What the tests of grading share."""

import fcntl
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import pytest
from syrupy.assertion import SnapshotAssertion

from nbody_lab import ROOT
from nbody_lab.core.errors import LabError
from nbody_lab.grade import grading, in_use
from nbody_lab.grade.intake import checksum
from nbody_lab.grade.isolation import choose
from tests.grade import scored_for_tests as scored
from tests.grade.attacks_for_tests import Sandbox
from tests.grade.made_class.made_archives import write_files
from tests.grade.scored_for_tests import Graded

Row = TypeVar("Row")


@pytest.fixture
def match_table(snapshot: SnapshotAssertion) -> Callable[..., None]:
    """What is told of each row of a table, but for the usual, and which of the usual is missing, is one snapshot, which
    reads like the table."""

    def match(
        table: Mapping[str, Row], tell: Callable[[Row], str], usual: Sequence[str] = ()
    ) -> None:
        lines = []
        for what, row in table.items():
            told = tell(row).splitlines()
            lines += [what, *(f"  {line}" for line in told if line not in usual)]
            lines += [f"  without: {line}" for line in usual if line not in told]
        assert "\n".join(lines) == snapshot

    return match


@pytest.fixture
def graded(tmp_path: Path) -> Graded:
    """A class that was measured, without submissions yet."""
    return Graded(tmp_path / "grades")


@pytest.fixture
def hold_folder() -> Iterator[Callable[[Path], Callable[[], None]]]:
    """Has a folder as another ./lab grade would; what it returns ends that."""
    files = []

    def hold(folder: Path) -> Callable[[], None]:
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / ".lock").open("w")
        files.append(file)
        fcntl.flock(file, fcntl.LOCK_EX)
        (folder / ".in_use").write_text("process 7, since 16:44\n")
        return file.close

    yield hold
    for file in files:
        file.close()


def interrupt(*_: object) -> None:
    raise KeyboardInterrupt


@pytest.fixture
def without_measuring(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> tuple[Path, Path]:
    """A class of ada and bo whose records are written at once."""
    write_files(tmp_path / "class", {f"{name}/mine.hpp": "// mine\n" for name in ("ada", "bo")})

    def course_of(_lab, out, rubric, parts, _count):
        return scored.course_in(out, rubric, parts)

    def measure_all(course, submissions, _jobs):
        for one in submissions:
            if not course.measured(one.name).exists():
                speeds = [
                    scored.speed(threads=one.threads, share=0.3) for one in course.setups("part1")
                ]
                parts = {"part1": scored.part(scored.row(speed=speeds)), "part2": scored.part()}
                record = scored.measured(
                    one.name, [one.name.title()], parts=parts, submitted=one.who.submitted
                )
                record["submission"]["checksum"] = checksum(one)
                record |= {"seed": 5, "lab": course.lab, "timings": course.timings()}
                (written,) = scored.records_of([record])
                write_files(course.out, {f"measured/{one.name}.json": written.model_dump_json()})

    monkeypatch.setattr(in_use, "MEASURING", tmp_path / "measuring")
    monkeypatch.setattr(grading, "course_of", course_of)
    monkeypatch.setattr(grading, "measure_all", measure_all)
    monkeypatch.setattr(grading, "prove", lambda *_: None)
    return tmp_path / "class", tmp_path / "out"


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    """In a folder that any user may enter."""
    with tempfile.TemporaryDirectory(prefix="lab_attacks_") as name:
        folder = Path(name)
        folder.chmod(0o755)
        try:
            isolation = choose(ROOT)
        except LabError as reason:
            pytest.skip(str(reason))
        with isolation:
            yield Sandbox(folder, isolation)
