"""CITATION.cff: the keys that the Citation File Format 1.2.0 wants, and the version of pyproject.toml."""

import re

import pytest

from nbody_lab import ROOT

yaml = pytest.importorskip("yaml", reason="comes with ./lab setup --pictures")

WANTED = {"cff-version", "message", "title", "authors"}


def test_it_is_complete_and_names_this_version():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert set(citation) >= WANTED
    assert citation["cff-version"] == "1.2.0"
    assert all(author["name"] for author in citation["authors"])
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    versions = re.findall(r'^version = "(.*)"$', project, re.M)
    assert versions == [citation["version"]]
