"""The card of ./lab machine, from made-up figures, and the command that shows it."""

import pytest

from nbody_lab.building.lab import Lab
from nbody_lab.commands import hardware
from nbody_lab.core.model import load
from nbody_lab.measure.results import Ceilings, judged
from tests.measure.ceilings_for_tests import known, levels, row
from tests.measure.gpu_ceilings_test import H200, good_rows

ROWS = [
    row("flops", "mul_add", 9.9e9, name="scalar", spread=0.012),
    row("flops", "mul_add", 18.8e9, name="scalar", threads=2, spread=0.3),
    *levels(30e9),
    *levels(240e9, 120e9, 40e9, 12e9, instruction_set="avx2", lanes=8),
]


@pytest.mark.parametrize(("gpus", "option"), [([], ()), ([H200], ()), ([H200], ("--all",))])
def test_machine(run_lab, monkeypatch, tmp_path, option, gpus):
    """The card, GPUs where there are any, and with --json a file that other commands can read. What is doubtful is said
    before any figure."""
    content = known(judged(ROWS))
    monkeypatch.setattr(Lab, "begin", lambda lab: None)
    monkeypatch.setattr(Lab, "gpus", lambda lab: gpus)
    monkeypatch.setattr(hardware, "known_ceilings", lambda lab: content)
    monkeypatch.setattr(hardware, "measure_gpu", lambda lab: good_rows())
    file = tmp_path / "ceilings.json"
    ended = run_lab("machine", *option, "--json", file)
    assert (ended.status, load(Ceilings, file)) == (0, content), ended.error
    found = [text in ended.output for text in ("All ceilings", "NVIDIA H200", "4200.0 GB/s")]
    assert found == [bool(option), bool(gpus), bool(option)]
    shown = " ".join(ended.output.split())
    why = "A ? marks 1 of 7 figures: it spread over more than 10 % while it was measured"
    assert shown.index(why) < shown.index("peak 9.9 Gflop/s 1 %")
    assert "loads from memory 12 GB/s 1 % 32 bytes at a time (avx2)" in shown
    assert ("2 ? 18.8 Gflop/s 30%" in shown) == bool(option)
