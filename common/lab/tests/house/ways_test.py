"""The ways of data that CONTRIBUTING.md draws lead through functions that exist."""

import importlib
import re
from operator import attrgetter

from nbody_lab import ROOT


def test_stops_exist():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    ways = text.partition("## Four ways of data\n")[2].partition("\n## ")[0]
    stops = re.findall(r"(?:\b\d |`)((?:[a-z_]+/)?[a-z_]+)((?:\.\w+)+)", ways)
    assert len(stops) > 15
    for file, names in stops:
        attrgetter(names[1:])(importlib.import_module(f"nbody_lab.{file.replace('/', '.')}"))
