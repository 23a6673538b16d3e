"""./lab machine as a command: what it shows."""

import pytest

from nbody_lab.building.lab import Lab
from nbody_lab.measure import ceilings, gpu_ceilings
from nbody_lab.measure.results import read_ceilings
from tests.measure.ceilings_for_tests import known, levels, row
from tests.measure.gpu_ceilings_test import H200, good_rows


@pytest.mark.parametrize(("gpus", "option"), [([], ()), ([H200], ()), ([H200], ("--all",))])
def test_machine(run_lab, monkeypatch, tmp_path, option, gpus):
    """The card, GPUs where there are any, and with --json a file that other commands can read."""
    content = known([row("flops", "mul_add", 9.9e9, name="scalar"), *levels(30e9)])
    monkeypatch.setattr(Lab, "begin", lambda lab: None)
    monkeypatch.setattr(Lab, "gpus", lambda lab: gpus)
    monkeypatch.setattr(ceilings, "known_ceilings", lambda lab: content)
    monkeypatch.setattr(gpu_ceilings, "measure_gpu", lambda lab: good_rows())
    file = tmp_path / "ceilings.json"
    ended = run_lab("machine", *option, "--json", file)
    assert ended.status == 0, ended.error
    assert "Some CPU, in a virtual machine" in ended.output
    assert ("Peaks by instruction set" in ended.output) == bool(option)
    assert read_ceilings(file) == content
    assert ("GPU 0: NVIDIA H200" in ended.output) == bool(gpus)
    assert ("4200.0 GB/s" in ended.output) == bool(option)
