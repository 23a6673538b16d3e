"""Command lines that ./lab refuses (refused.toml): in one line, with status 2, before anything is built."""

import shlex
from pathlib import Path

import pytest

from nbody_lab import ROOT
from nbody_lab.building import lab as lab_module

try:
    import tomllib
except ImportError:  # Python 3.10, where pytest brings it
    import tomli as tomllib

TEXT = Path(__file__).parents[1].joinpath("refused.toml").read_text(encoding="utf-8")
REFUSED = tomllib.loads(TEXT)


@pytest.mark.parametrize(("line", "words"), [*REFUSED["every_term"], *REFUSED["refused"]])
def test_refused(line, words, refusal_of, monkeypatch):
    monkeypatch.setattr(lab_module, "gpu_answers", lambda: False)
    monkeypatch.chdir(ROOT)
    assert words in refusal_of(*shlex.split(line))
