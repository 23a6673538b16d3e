"""./lab machine as a command: what it shows."""

import pytest

from nbody_lab.building.lab import Lab
from nbody_lab.commands import hardware
from nbody_lab.measure import ceilings
from nbody_lab.measure.results import read_ceilings
from tests.measure.ceilings_for_tests import known, levels, row


@pytest.mark.parametrize(("gpu", "option"), [("", ()), ("Abacus", ()), ("Abacus", ("--all",))])
def test_machine(run_lab, monkeypatch, tmp_path, option, gpu):
    """The card, GPUs where there are any, and with --json a file that other commands can read."""
    content = known([row("flops", "mul_add", 9.9e9, name="scalar"), *levels(30e9)])
    monkeypatch.setattr(Lab, "begin", lambda lab: None)
    monkeypatch.setattr(Lab, "gpu", lambda lab: gpu)
    monkeypatch.setattr(ceilings, "known_ceilings", lambda lab: content)
    ran = []
    monkeypatch.setattr(hardware, "run_program", lambda words: ran.append(words) or 0)
    file = tmp_path / "ceilings.json"
    ended = run_lab("machine", *option, "--json", file)
    assert ended.status == 0, ended.error
    assert "Some CPU, in a virtual machine" in ended.output
    assert ("Peaks by instruction set" in ended.output) == bool(option)
    assert read_ceilings(file) == content
    asked = [Lab().build_dir / "bin/devices", *(["--measure"] if option else [])]
    assert ran == ([asked] if gpu else [])
