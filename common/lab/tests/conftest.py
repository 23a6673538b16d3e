"""What the tests share: a command run in this process, and the fixture that refuses to build."""

import contextlib
import io
import os
import signal
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from nbody_lab.building import lab as lab_module
from nbody_lab.cli import main
from nbody_lab.core import turns

# Where the tests were started in the background of a shell, Ctrl-C is ignored, by all that they start as well;
# under nohup, the end of the connection.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

# What tests time says nothing, so it waits for nobody who measures.
_OWN_TURNS = tempfile.TemporaryDirectory()
turns.FILE = Path(_OWN_TURNS.name, "turns")
os.environ["LAB_TURNS"] = str(turns.FILE)


class Ended(NamedTuple):
    status: int
    output: str
    error: str


@pytest.fixture
def run_lab() -> Callable[..., Ended]:
    """Runs ./lab with these words."""

    def run(*words: object) -> Ended:
        with (
            contextlib.redirect_stdout(io.StringIO()) as output,
            contextlib.redirect_stderr(io.StringIO()) as error,
        ):
            status = main([str(word) for word in words])
        return Ended(status, output.getvalue(), error.getvalue())

    return run


@pytest.fixture
def refusal_of(run_lab: Callable[..., Ended], nothing_is_built: None) -> Callable[..., str]:
    """Runs ./lab with words that it must refuse, in one line, before anything is built: that line."""

    def refusal(*words: object) -> str:
        ended = run_lab(*words)
        assert (ended.status, ended.output, ended.error.count("\n")) == (2, "", 1), ended
        assert ended.error.startswith("lab: ")
        return ended.error.removeprefix("lab: ")

    return refusal


@pytest.fixture
def nothing_is_built(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A command that would lock, configure or build fails its test."""

    def refuse(*_: object) -> None:
        raise AssertionError("a command began to build")

    for name in ("lock", "configure", "works"):
        monkeypatch.setattr(lab_module.Lab, name, refuse)
    yield


def pytest_make_parametrize_id(val: object) -> str | None:
    """An archive holds the time at which it was made: as a name, each worker would see another test."""
    return f"{len(val)} bytes" if isinstance(val, bytes) else None


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """LAB_PASSED: a file for the names of the tests that passed."""
    if "LAB_PASSED" in os.environ:
        names = [report.nodeid for report in terminalreporter.stats.get("passed", [])]
        Path(os.environ["LAB_PASSED"]).write_text("\n".join(names), encoding="utf-8")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """LAB_PASSED_BEFORE: such a file; those tests do not run again."""
    if "LAB_PASSED_BEFORE" in os.environ:
        passed = set(Path(os.environ["LAB_PASSED_BEFORE"]).read_text(encoding="utf-8").split("\n"))
        config.hook.pytest_deselected(items=[item for item in items if item.nodeid in passed])
        items[:] = [item for item in items if item.nodeid not in passed]
