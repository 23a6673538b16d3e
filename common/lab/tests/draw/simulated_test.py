"""Tests that the pictures of ./lab simulate match its numbers."""

import json
import tempfile
import unittest
from pathlib import Path

from nbody_lab.draw.bench_result import NoResult
from nbody_lab.draw.simulated import read_simulated, sheets_of


def row(ranks, seconds, spans):
    speed = 1000**2 / seconds
    return {
        "ranks": ranks,
        "n": 1000,
        "seconds": seconds,
        "interactions_per_s": speed,
        "efficiency": speed / ranks / 1e9,
        "computing": 0.5,
        "spans": spans,
    }


TOLD = {
    "what": "simulated",
    "name": "mine",
    "network": "gbe",
    "rate": 1.0,
    "rate_from": "as asked",
    "per_rank": None,
    "rows": [row(1, 1e-3, [[0, 1e-3]]), row(2, 8e-4, [[0, 3e-4, 4e-4, 6e-4], [0, 5e-4]])],
}


class SimulatedTest(unittest.TestCase):
    def test_speed_and_ideal(self):
        scaling, timeline = sheets_of(TOLD)
        lines = {line.get_gid(): list(line.get_ydata()) for line in scaling.axes.get_lines()}
        self.assertEqual(lines["ideal"], [1, 2])
        self.assertEqual([round(value, 6) for value in lines["line-speed"]], [1, 1.25])
        bars = [
            collection
            for collection in timeline.axes.collections
            if (collection.get_gid() or "").startswith("bars-")
        ]
        self.assertEqual([len(one.get_paths()) for one in bars], [2, 1])
        self.assertTrue(
            scaling.title.startswith("simulated:") and timeline.title.startswith("simulated:")
        )
        for sheet in (scaling, timeline):
            sheet.close()

    def test_one_number_of_ranks_has_no_curve(self):
        self.assertEqual(len(sheets_of({**TOLD, "rows": TOLD["rows"][:1]})), 0)

    def test_another_file_is_one_line(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "a.json")
            for text in ("", "[]", json.dumps({**TOLD, "what": "measured"})):
                file.write_text(text, encoding="utf-8")
                with self.assertRaises(NoResult):
                    read_simulated(file)
            with self.assertRaises(NoResult):
                read_simulated(Path(folder, "none.json"))
