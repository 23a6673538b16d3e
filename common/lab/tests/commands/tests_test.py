"""./lab test: its suites are nox's sessions."""

import json
import sys

from nbody_lab import ROOT
from nbody_lab.commands.tests import WEEKLY
from tests import said_by


def test_every_suite_is_a_session():
    nox = [sys.executable, "-m", "nox", "--noxfile", ROOT / "noxfile.py"]
    _, listed, _ = said_by([*nox, "--json", "--list-sessions"])
    assert {one["session"] for one in json.loads(listed)} == {*WEEKLY}
