"""What the tests of grading share."""

import fcntl
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TypeVar

import pytest
from syrupy.assertion import SnapshotAssertion

from nbody_lab import ROOT
from nbody_lab.core.messages import UserError
from nbody_lab.grade.isolation import choose
from tests.grade.attacks_for_tests import Sandbox
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


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    """In a folder that any user may enter."""
    with tempfile.TemporaryDirectory(prefix="lab_attacks_") as name:
        folder = Path(name)
        folder.chmod(0o755)
        try:
            isolation = choose(ROOT)
        except UserError as reason:
            pytest.skip(str(reason))
        with isolation:
            yield Sandbox(folder, isolation)
