"""Two measurements on one machine: the second waits, and says for whom; one that was killed keeps nobody waiting."""

import re
import select
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from nbody_lab.core import turns

pytestmark = pytest.mark.timeout(60)  # who wrongly waits would wait for ever
MEASURE = """
import pathlib, sys, time
from nbody_lab.core import turns
turns.FILE = pathlib.Path(sys.argv[1])
with turns.turn(sys.argv[2]):
    print("measures", flush=True)
    sys.stdin.readline()
"""
Start = Callable[[str], "subprocess.Popen[str]"]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    started = []

    def begin(what: str) -> "subprocess.Popen[str]":
        words = [sys.executable, "-c", MEASURE, str(tmp_path / "turns"), what]
        pipe = subprocess.PIPE
        process = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, text=True)
        started.append(process)
        return process

    yield begin
    for process in started:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("killed", [False, True])
def test_one_measures_at_a_time(start: Start, killed: bool) -> None:
    first = start("part1")
    assert first.stdout and first.stdout.readline() == "measures\n"
    second = start("part2")
    assert second.stderr and second.stdout
    said = r"waiting for the machine \(Ctrl-C stops\): .+ has been measuring part1 since \d+:\d+\n"
    assert re.fullmatch(said, second.stderr.readline())
    assert not select.select([second.stdout], [], [], 1.2)[0]  # for more than two looks
    if killed:
        first.kill()
    else:
        first.communicate("\n")
    assert second.stdout.readline() == "measures\n"


def test_a_turn_within_a_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file that cannot be made stops no measurement."""
    monkeypatch.setattr(turns, "FILE", tmp_path / "turns")
    with turns.turn("part1"), turns.turn("part1"):
        pass
    monkeypatch.setattr(turns, "FILE", tmp_path / "no folder/turns")
    with turns.turn("part1"):
        pass
    assert "measuring without waiting for others" in capsys.readouterr().err
