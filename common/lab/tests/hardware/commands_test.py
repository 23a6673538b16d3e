"""./lab machine and devices as commands: what is refused before anything is built."""

import json

import pytest

from nbody_lab import workshop
from nbody_lab.core.results import read_ceilings
from nbody_lab.hardware import ceilings
from nbody_lab.workshop import Workshop
from tests.hardware.ceilings_for_tests import known, levels, row


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("machine --nothing", "there is no option --nothing"),
        ("machine more", "machine takes no 'more'"),
        ("machine --json /no/such/folder/x.json", "/no/such/folder/x.json: cannot be written"),
        ("machine --json /", "/: cannot be written"),
        ("devices --nothing", "there is no option --nothing"),
        ("devices --json /no/such/folder/x.json", "/no/such/folder/x.json: cannot be written"),
    ],
)
def test_refused_before_anything_is_built(run_lab, nothing_is_built, words, message):
    ended = run_lab(*words.split())
    assert (ended.status, ended.output, ended.error.count("\n")) == (2, "", 1)
    assert message in ended.error


def test_devices_without_a_gpu(run_lab, nothing_is_built, monkeypatch):
    """Nothing is built to say so."""
    monkeypatch.setattr(workshop, "gpu_answers", lambda: False)
    ended = run_lab("devices")
    assert ended.status == 2
    assert "no NVIDIA GPU answers here" in ended.error


@pytest.mark.parametrize("option", [(), ("--all",)], ids=["tasks", "all"])
def test_machine(run_lab, monkeypatch, tmp_path, option):
    """The card, and with --json a file that other commands can read."""
    content = known([row("flops", "mul_add", 9.9e9, name="scalar"), *levels(30e9)])
    monkeypatch.setattr(Workshop, "begin", lambda lab: None)
    monkeypatch.setattr(ceilings, "known_ceilings", lambda lab: content)
    file = tmp_path / "ceilings.json"
    ended = run_lab("machine", *option, "--json", file)
    assert ended.status == 0, ended.error
    assert "Some CPU, in a virtual machine" in ended.output
    assert ("Peaks by instruction set" in ended.output) == bool(option)
    assert read_ceilings(file) == content
    assert json.loads(file.read_text()) == content.as_json()
