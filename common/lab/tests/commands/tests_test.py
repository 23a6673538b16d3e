"""./lab test: which suites run, what is said of them, and that nothing is left running."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from nbody_lab import ROOT
from nbody_lab.commands import tests as command
from nbody_lab.commands.tests import SUITES, Outcome, Suite

# A noxfile whose sessions pass, fail, skip, and start a process that outlives them.
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
"""
MADE_UP = [Suite(name, "test", "a fault") for name in ("good", "missing", "bad", "leaves")]


@pytest.fixture
def root(tmp_path, monkeypatch):
    (tmp_path / "noxfile.py").write_text(SESSIONS, encoding="utf-8")
    monkeypatch.setattr(command, "ROOT", tmp_path)
    monkeypatch.setattr(command, "LOGS", tmp_path / "build/test_logs")
    command.LOGS.mkdir(parents=True)
    monkeypatch.setenv(
        command.MARK, f"tests of {tmp_path}"
    )  # not that of a run of ./lab test around this one
    return tmp_path


def sleepers():
    return subprocess.run(
        ["pgrep", "-f", "^sleep 1234$"], capture_output=True, text=True, check=False
    ).stdout


def test_every_suite_is_a_session():
    listed = subprocess.run(
        [
            sys.executable,
            "-m",
            "nox",
            "--noxfile",
            ROOT / "noxfile.py",
            "--json",
            "--list-sessions",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert {one["session"] for one in json.loads(listed.stdout)} == {suite.name for suite in SUITES}


@pytest.mark.parametrize(
    ("names", "tier", "first", "last", "count"),
    [
        ([], "test", "unit", "parts", 3),
        ([], "--all", "unit", "sanitizers", 15),
        ([], "--weekly", "unit", "cuda", len(SUITES)),
        (["docs", "fuzz"], "test", "docs", "fuzz", 2),
    ],
)
def test_what_is_chosen(names, tier, first, last, count):
    suites = command.chosen_suites(names, tier)
    assert (suites[0].name, suites[-1].name, len(suites)) == (first, last, count)


def test_outcomes(root, capsys):
    outcomes = command.run(MADE_UP, keep_going=False)
    verdicts = [one.verdict for one in outcomes]
    assert verdicts == ["passed", "skipped", "failed", "skipped"]
    assert outcomes[1].remark == "no such program"
    assert outcomes[3].remark == "after a failure (--keep-going runs it)"
    assert "error: no such thing" in capsys.readouterr().out
    assert command.summary(outcomes, 7.0)[-1] == "1 passed, 1 failed, 2 skipped"


def test_what_a_suite_leaves_is_killed(root):
    """Also in a session of its own, after its parent has ended."""
    code = (
        "import sys; from pathlib import Path; from nbody_lab.commands import tests as command; "
        "command.ROOT = Path(sys.argv[1]); command.LOGS = command.ROOT / 'build/test_logs'; command.stop_at_signals(); "
        "command.run_suite(command.Suite('leaves', 'test', ''))"
    )
    subprocess.run([sys.executable, "-c", code, root], check=True, capture_output=True)
    assert sleepers() == ""


def test_a_signal_ends_it_with_all_that_it_started(root):
    (root / "noxfile.py").write_text(
        SESSIONS.replace('"true"', '"sleep", "1234"'), encoding="utf-8"
    )
    code = (
        "import sys; from pathlib import Path; from nbody_lab.commands import tests as command; "
        "command.ROOT = Path(sys.argv[1]); command.LOGS = command.ROOT / 'build/test_logs'; command.stop_at_signals(); "
        "command.run_suite(command.Suite('good', 'test', ''))"
    )
    with subprocess.Popen([sys.executable, "-c", code, root], stderr=subprocess.DEVNULL) as process:
        until = time.monotonic() + 60
        while not sleepers() and time.monotonic() < until:
            time.sleep(0.1)
        os.kill(process.pid, signal.SIGTERM)
        assert process.wait(60) != 0
    assert sleepers() == ""


def test_a_log_is_shortened(root, capsys):
    log = root / "long.log"
    log.write_text(
        "a.cpp:1: error: one\n" + "x" * 20000 + "\n" + "\n".join(map(str, range(100))),
        encoding="utf-8",
    )
    command.show_log(log)
    said = capsys.readouterr().out
    assert "! line 1: a.cpp:1: error: one" in said
    assert len(said) < 3000


def test_the_list_shows_every_suite(capsys):
    command.test(list_=True)
    said = capsys.readouterr().out
    assert all(f"\n{suite.name} " in said for suite in SUITES)


def test_the_summary_says_what_minutes_buy():
    lines = command.summary(
        [Outcome(SUITES[0], "passed", "in 5 s, 7 s of processor time: " + SUITES[0].purpose)], 5.0
    )
    assert lines[1].endswith(SUITES[0].purpose)
