"""Tests that pictures show the measurements, that nothing overlaps, and that a dark page can change every colour."""

import json
import re
import unittest
import xml.etree.ElementTree as xml

from nbody_lab import ROOT
from nbody_lab.draw import theme
from nbody_lab.draw.bench_pictures import pictures_of
from nbody_lab.draw.bench_result import NoResult, Result, lines_of, pieces, read_result, row_of
from nbody_lab.draw.save import CannotSave, save
from nbody_lab.draw.shares import copies_picture, read_study
from nbody_lab.draw.sheet import Sheet, collisions
from tests.folder_for_tests import InFolder

RESULTS = sorted(
    file
    for file in (ROOT / "data/results").glob("part*.json")
    if '"context"' in file.read_text(encoding="utf-8")
)
SVG = "{http://www.w3.org/2000/svg}"


def row(name, rate=1e9, n=1000, threads=1, verdict="right", **more):
    spread = {
        "median": rate,
        "lower_quartile": 0.9 * rate,
        "upper_quartile": 1.1 * rate,
        "minimum": rate,
        "maximum": rate,
    }
    seconds = {key: n * n / value for key, value in spread.items()}
    return {
        "name": name,
        "n": n,
        "threads": threads,
        "precision": "float",
        "interactions_per_s": spread,
        "seconds_per_iteration": seconds,
        "verdict": verdict,
        "rounds": 3,
        **more,
    }


def result(*rows, **context):
    return Result(
        {
            "part": "part1",
            "cpu": "A processor",
            "scene": "plummer",
            "adaptive": False,
            "day": "2026-01-01",
            **context,
        },
        [row_of(one) for one in rows],
    )


def ids_of(svg):
    return {element.get("id") for element in xml.fromstring(svg).iter() if element.get("id")}


def words_of(svg):
    return ["".join(element.itertext()) for element in xml.fromstring(svg).iter(SVG + "text")]


class AllMeasuredResults(unittest.TestCase):
    def test_nothing_overlaps(self):
        self.assertGreater(len(RESULTS), 15)
        for file in RESULTS:
            for sheet in pictures_of(read_result(file)):
                self.assertEqual(collisions(sheet), [], f"{file.name}: {sheet.name}")
                sheet.close()

    def test_titles_tell_pictures_apart(self):
        for file in RESULTS:
            sheets = pictures_of(read_result(file))
            titles = [sheet.title for sheet in sheets]
            self.assertEqual(len(titles), len(set(titles)), file.name)
            for sheet in sheets:
                sheet.close()

    def test_shares_of_copies(self):
        sheet = copies_picture(*read_study(ROOT / "data/results/part3_study_copies.txt"))
        self.assertEqual(collisions(sheet), [])
        self.assertIn("bars-allocations", ids_of(sheet.bytes_of("svg")))
        sheet.close()


class Sheets(InFolder):
    def test_overlaps_are_seen(self):
        sheet = Sheet("x", "A title")
        sheet.axes.text(0.5, 0.5, "one")
        sheet.axes.text(0.51, 0.5, "two")
        sheet.figure.text(0.9, 0.2, "far too long for what is left of this picture")
        self.assertEqual(
            collisions(sheet),
            [("far too long for what is left of this picture", "the edge"), ("one", "two")],
        )
        sheet.close()

    def test_a_long_footnote_is_whole(self):
        note = " ".join(f"word{k}" for k in range(60))
        sheet = Sheet("x", "A title", "What it is about", note, width=500)
        self.assertEqual(collisions(sheet), [])
        self.assertIn(note, " ".join(words_of(sheet.bytes_of("svg"))))
        sheet.close()

    def test_svg_has_ids_title_and_colours_of_both_pages(self):
        sheet = pictures_of(
            result(row("naive"), row("mine", 2e9), row("race", 3e9, verdict="wrong"))
        )[0]
        svg = sheet.bytes_of("svg").decode()
        self.assertLessEqual(
            {"title", "bar-naive", "bar-mine", "whisker-race", "ratio-mine"}, ids_of(svg)
        )
        self.assertIn("<title>part1: interactions per second</title>", svg)
        body = svg[svg.index("</style>") :]
        used = set(re.findall(r"(?:fill|stroke): (#[0-9a-f]{6})", body))
        self.assertLessEqual(used, set(theme.PAPER.values()))
        for name, colour in theme.PAPER.items():
            self.assertIn(f"--{name}: {colour};", svg)
            self.assertIn(f"--{name}: {theme.DARK[name]};", svg)
        self.assertEqual(
            len(set(theme.PAPER.values())),
            len(theme.PAPER),
            "two names of one colour cannot differ on a dark page",
        )
        sheet.close()

    def test_the_same_again_is_the_same_bytes(self):
        first, second = (pictures_of(result(row("naive"), row("mine", 2e9)))[0] for _ in range(2))
        for kind in ("svg", "png"):
            self.assertEqual(first.bytes_of(kind), second.bytes_of(kind))
        for sheet in (first, second):
            sheet.close()

    def test_nothing_is_overwritten(self):
        def draw(rate):
            return [
                path.name
                for path in save(pictures_of(result(row("naive"), row("mine", rate))), self.folder)
            ]

        self.assertEqual([draw(2e9), draw(3e9), draw(2e9)], [["ladder"], ["ladder-2"], ["ladder"]])

    def test_a_folder_that_cannot_be_is_one_line(self):
        (self.folder / "file").write_text("")
        with self.assertRaises(CannotSave) as fault:
            save(pictures_of(result(row("naive"))), self.folder / "file")
        self.assertNotIn("\n", str(fault.exception))


class BenchPictures(InFolder):
    def drawn(self, made):
        sheets = pictures_of(made)
        pictures = {sheet.name: sheet.bytes_of("svg").decode() for sheet in sheets}
        for sheet in sheets:
            sheet.close()
        return pictures

    def test_pictures_follow_what_was_swept(self):
        many = result(
            row("naive", n=100), row("naive", n=200), row("mine", n=100), row("mine", n=200)
        )
        self.assertEqual(set(self.drawn(many)), {"ladder", "time", "flops", "ratio"})
        self.assertEqual(
            set(self.drawn(result(row("naive"), row("naive", threads=2)))), {"ladder", "threads"}
        )
        both = result(*(row("naive", n=n, threads=t) for n in (100, 200) for t in (1, 2)))
        self.assertEqual(
            set(self.drawn(both)), {"ladder", "time", "flops", "threads", "threads_by_n_naive"}
        )
        device = "NVIDIA H200 (132 SM, at most 1980 MHz), built with CUDA 13.0"
        blocks = result(
            *(row("tiles", n=n, block=p) for n in (4096, 8192) for p in (32, 64)), device=device
        )
        self.assertEqual(set(self.drawn(blocks)), {"block", "blocks_of_grid_tiles"})

    def test_ratios_are_to_the_first_and_to_the_parent(self):
        svg = self.drawn(
            result(
                row("naive"), row("fused", 2e9, parent="naive"), row("tiles", 3e9, parent="fused")
            )
        )["ladder"]
        words = " | ".join(words_of(svg))
        self.assertIn("2.00 x |", words)
        self.assertIn("3.00 x, 1.50 x fused", words)

    def test_what_is_wrong_is_hatched(self):
        right, wrong = (
            self.drawn(result(row("naive"), row("race", verdict=verdict)))["ladder"]
            for verdict in ("right", "wrong")
        )
        self.assertNotIn("<pattern", right)
        self.assertIn("<pattern", wrong)
        self.assertIn("hatched: wrong results", " ".join(words_of(wrong)))

    def test_names_carry_their_part_where_parts_meet(self):
        data = {"context": {"part": "part3"}, "summary": [row("part1/naive"), row("best", 2e9)]}
        (self.folder / "x.json").write_text(json.dumps(data))
        self.assertEqual(
            [one.name for one in read_result(self.folder / "x.json").rows],
            ["part1/naive", "part3/best"],
        )

    def test_lines_do_not_cross_what_was_not_measured(self):
        made = result(
            *(row("naive", n=n) for n in (100, 200, 400)), *(row("mine", n=n) for n in (100, 400))
        )
        runs = {
            label: [[one.n for one in run] for run in pieces(rows, "n", made.values("n"))]
            for label, rows in lines_of(made, "n")
        }
        self.assertEqual(runs, {"naive": [[100, 200, 400]], "mine": [[100], [400]]})
        far = result(row("naive", n=100), row("naive", n=1000))
        self.assertEqual(len(pieces(far.rows, "n", [100, 1000])), 2)

    def test_units_are_scaled(self):
        svg = self.drawn(result(row("naive", 3e12, n=1000), row("naive", 3e12, n=2000)))["flops"]
        self.assertIn("Tflop/s", words_of(svg))

    def test_what_was_not_measured_is_not_drawn(self):
        lost = row("crash", verdict="died")
        lost["interactions_per_s"]["median"] = 0
        (self.folder / "x.json").write_text(
            json.dumps({"context": {"part": "part1"}, "summary": [row("naive"), lost]})
        )
        self.assertEqual([one.name for one in read_result(self.folder / "x.json").rows], ["naive"])

    def test_what_is_no_result_is_one_line(self):
        for text in (
            "",
            "[]",
            "{}",
            '{"context": {}, "summary": []}',
            '{"context": {}, "summary": [{"name": "x"}]}',
            "\xff",
        ):
            (self.folder / "x.json").write_text(text)
            with self.assertRaises(NoResult) as fault:
                read_result(self.folder / "x.json")
            self.assertIn("x.json", str(fault.exception))
