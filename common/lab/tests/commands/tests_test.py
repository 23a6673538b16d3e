"""./lab test: its suites are nox's sessions, and each tier is a part of the next."""

import json
import sys

from nbody_lab import ROOT
from nbody_lab.commands import tests as command
from nbody_lab.commands.tests import SUITES
from tests import said_by


def test_every_suite_is_a_session():
    nox = [sys.executable, "-m", "nox", "--noxfile", ROOT / "noxfile.py"]
    _, listed, _ = said_by([*nox, "--json", "--list-sessions"])
    assert {one["session"] for one in json.loads(listed)} == {suite.name for suite in SUITES}


def test_tiers():
    usual, all_, weekly = (
        [suite.name for suite in command.chosen_suites([], tier)]
        for tier in ("test", "--all", "--weekly")
    )
    assert 0 < len(usual) < len(all_) < len(weekly) and {*usual} < {*all_} < {*weekly}
    assert [one.name for one in command.chosen_suites(["docs", "neon"], "test")] == ["docs", "neon"]
