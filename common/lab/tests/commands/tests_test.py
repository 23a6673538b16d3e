"""./lab test: which suites run, and what is said of them."""

import json
import sys

import pytest

from nbody_lab import ROOT
from nbody_lab.commands import tests as command
from nbody_lab.commands.tests import SUITES
from tests import said_by

# A noxfile whose sessions pass, fail and skip.
SESSIONS = """
import nox
nox.options.default_venv_backend = "none"

@nox.session
def good(session):
    session.run("true", external=True)

@nox.session
def bad(session):
    session.run("sh", "-c", "echo one.cpp:3: error: no such thing; seq 40; exit 3", external=True)

@nox.session
def missing(session):
    session.skip("no such program")
"""


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
        (["docs", "neon"], "test", "docs", "neon", 2),
    ],
)
def test_what_is_chosen(names, tier, first, last, count):
    suites = command.chosen_suites(names, tier)
    assert (suites[0].name, suites[-1].name, len(suites)) == (first, last, count)


@pytest.mark.parametrize("keep_going", [False, True])
def test_outcomes(keep_going, tmp_path, monkeypatch, capsys):
    """The striking line of a log is shown although forty lines follow it."""
    (tmp_path / "noxfile.py").write_text(SESSIONS, encoding="utf-8")
    monkeypatch.setattr(command, "ROOT", tmp_path)
    monkeypatch.setattr(command, "LOGS", tmp_path / "logs")
    assert not command.run_suites(["missing", "bad", "good"], keep_going)
    words = [line.split(maxsplit=2) for line in capsys.readouterr().out.splitlines() if line]
    assert ["!", "line", "4: one.cpp:3: error: no such thing"] in words
    assert ["missing", "skipped", "no such program"] in words
    assert ["bad", "failed"] in [line[:2] for line in words]
    assert ["good", "passed" if keep_going else "skipped"] in [line[:2] for line in words]
    counts = "1 passed, 1 failed, 1 skipped" if keep_going else "0 passed, 1 failed, 2 skipped"
    assert " ".join(words[-1]).endswith(f"s in all: {counts}")
