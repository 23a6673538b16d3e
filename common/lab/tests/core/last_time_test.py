"""Long work is announced, with the time that it took when it was last done."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from nbody_lab.core import last_time
from nbody_lab.core.last_time import announced


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the clock goes on by 42 s whenever it is read."""
    clock: Iterator[int] = iter(range(0, 10_000, 42))
    monkeypatch.setattr(last_time, "FOLDER", tmp_path)
    monkeypatch.setattr(last_time.time, "monotonic", lambda: next(clock))
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], work: str = "check part1", count: int = 1) -> str:
    with announced("checking", work, count):
        pass
    return capsys.readouterr().err


@pytest.mark.usefixtures("folder")
def test_the_last_time_is_named_once_there_was_one(capsys: pytest.CaptureFixture[str]) -> None:
    """Of this kind of work, and with as many programs as there were then."""
    assert said(capsys, count=14) == "lab: checking\n"
    assert said(capsys) == "lab: checking; 14 took 42 s the last time\n"
    assert said(capsys) == "lab: checking; 1 took 42 s the last time\n"
    assert said(capsys, "check part1 --thorough") == "lab: checking\n"


def test_work_that_fails_has_no_time(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(KeyboardInterrupt), announced("checking", "check part1", 1):
        raise KeyboardInterrupt
    assert list(folder.iterdir()) == []


def test_a_damaged_file_does_no_harm(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys)
    (file,) = folder.iterdir()
    file.write_text("{")
    assert said(capsys) == "lab: checking\n"
    assert "took" in said(capsys)
