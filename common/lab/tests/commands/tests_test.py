"""./lab test: which suites run, what is said of them, and that nothing is left running."""

import json
import signal
import subprocess
import sys
import time

import pytest

from nbody_lab import ROOT
from nbody_lab.commands import tests as command
from nbody_lab.commands.tests import SUITES, Suite
from tests import said_by

# A noxfile whose sessions pass, fail, skip, start a process that outlives them, and do not end.
SESSIONS = """
import subprocess
import nox
nox.options.default_venv_backend = "none"

@nox.session
def good(session):
    session.run("true", external=True)

@nox.session
def bad(session):
    session.run("sh", "-c", "echo one.cpp:3: error: no such thing; exit 3", external=True)

@nox.session
def missing(session):
    session.skip("no such program")

@nox.session
def leaves(session):
    subprocess.Popen(["setsid", "sleep", "1234"])

@nox.session
def stays(session):
    session.run("sleep", "1234", external=True)
"""
RUN = (
    "import sys; from pathlib import Path; from nbody_lab.commands import tests as command; "
    "command.ROOT = Path(sys.argv[1]); command.LOGS = command.ROOT / 'build/test_logs'; command.stop_at_signals(); "
    "command.run_suite(command.Suite(sys.argv[2], 'test', ''))"
)


@pytest.fixture
def root(tmp_path, monkeypatch):
    (tmp_path / "noxfile.py").write_text(SESSIONS, encoding="utf-8")
    monkeypatch.setattr(command, "ROOT", tmp_path)
    monkeypatch.setattr(command, "LOGS", tmp_path / "build/test_logs")
    command.LOGS.mkdir(parents=True)
    # Not that of a run of ./lab test around this one.
    monkeypatch.setenv(command.MARK, f"tests of {tmp_path}")
    return tmp_path


def sleepers():
    return said_by(["pgrep", "-f", "^sleep 1234$"])[1]


def all_are_gone():
    """Within some seconds: who is killed on a busy machine is still listed for a moment."""
    until = time.monotonic() + 20
    while sleepers() and time.monotonic() < until:
        time.sleep(0.1)
    return not sleepers()


def test_every_suite_is_a_session():
    nox = [sys.executable, "-m", "nox", "--noxfile", ROOT / "noxfile.py"]
    _, listed, _ = said_by([*nox, "--json", "--list-sessions"])
    assert {one["session"] for one in json.loads(listed)} == {suite.name for suite in SUITES}


@pytest.mark.parametrize(
    ("names", "tier", "first", "last", "count"),
    [
        ([], "test", "unit", "parts", 3),
        ([], "--all", "style", "sanitizers", 16),
        ([], "--weekly", "style", "cuda", len(SUITES)),
        (["docs", "fuzz"], "test", "docs", "fuzz", 2),
    ],
)
def test_what_is_chosen(names, tier, first, last, count):
    suites = command.chosen_suites(names, tier)
    assert (suites[0].name, suites[-1].name, len(suites)) == (first, last, count)


def test_outcomes(root, capsys):
    suites = [Suite(name, "test", "a fault") for name in ("good", "missing", "bad", "leaves")]
    outcomes = command.run(suites, keep_going=False)
    verdicts = [one.verdict for one in outcomes]
    assert verdicts == ["passed", "skipped", "failed", "skipped"]
    assert outcomes[1].remark == "no such program"
    assert outcomes[3].remark == "after a failure (--keep-going runs it)"
    assert "error: no such thing" in capsys.readouterr().out
    assert command.summary(outcomes, 7.0)[-1] == "1 passed, 1 failed, 2 skipped"


def test_what_a_suite_leaves_is_killed(root):
    """Also in a session of its own, after its parent has ended."""
    assert said_by([sys.executable, "-c", RUN, root, "leaves"])[0] == 0
    assert all_are_gone()


def test_a_signal_ends_it_with_all_that_it_started(root):
    argv = [sys.executable, "-c", RUN, root, "stays"]
    with subprocess.Popen(argv, stderr=subprocess.DEVNULL) as process:
        until = time.monotonic() + 60
        while not sleepers() and time.monotonic() < until:
            time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) != 0
    assert all_are_gone()
