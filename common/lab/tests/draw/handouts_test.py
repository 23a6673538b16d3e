"""Are the drawings in docs/pictures those of the code, readable on light and dark pages, placed, and true?"""

import itertools
import re
import unittest

import matplotlib

from nbody_lab import ROOT
from nbody_lab.draw import draw_dependency_chains as chains
from nbody_lab.draw import draw_memory_layout as layout
from nbody_lab.draw import draw_ports as ports
from nbody_lab.draw import draw_thread_schedules as threads
from nbody_lab.draw import theme
from nbody_lab.draw.handouts import sheets
from nbody_lab.draw.sheet import collisions, visible_texts

DREW = "3.10.9"  # the matplotlib whose bytes lie in docs/pictures
PICTURES = ROOT / "docs/pictures"


class Drawings(unittest.TestCase):
    def setUp(self):
        self.sheets = sheets()
        self.addCleanup(lambda: [sheet.close() for sheet in self.sheets])

    def test_nothing_overlaps_and_all_is_large_enough(self):
        for sheet in self.sheets:
            self.assertEqual(collisions(sheet), [], sheet.name)
            self.assertGreaterEqual(
                min(text.get_fontsize() for text in visible_texts(sheet.figure)), 8, sheet.name
            )

    def test_words_stay_in_their_boxes(self):
        fitted = 0
        for sheet in self.sheets:
            sheet.figure.canvas.draw()
            boxes = {patch.get_gid(): patch.get_window_extent() for patch in sheet.axes.patches}
            for text in sheet.axes.texts:
                box = boxes.get((text.get_gid() or "").removesuffix("-words"))
                if box:
                    fitted += 1
                    self.assertLess(
                        text.get_window_extent().width,
                        box.width - 2,
                        f"{sheet.name}: {text.get_gid()}",
                    )
        self.assertGreater(fitted, 200)

    def test_a_dark_page_can_change_every_colour(self):
        for sheet in self.sheets:
            drawn = re.sub(
                rb"<style.*?</style>", b"", sheet.bytes_of("svg"), flags=re.DOTALL
            ).decode()
            self.assertLessEqual(
                set(re.findall(r"(?:fill|stroke): *(#\w+)", drawn)),
                set(theme.PAPER.values()),
                sheet.name,
            )

    def test_everything_has_a_name_of_its_own(self):
        for sheet in self.sheets:
            names = [
                thing.get_gid()
                for thing in (*sheet.axes.patches, *sheet.axes.texts, *sheet.axes.lines)
            ]
            self.assertNotIn(None, names, sheet.name)
            self.assertEqual(len(names), len(set(names)), sheet.name)

    def test_documents_show_what_the_code_draws(self):
        files = [*ROOT.glob("docs/*.md"), *ROOT.glob("part*/*.md"), *ROOT.glob("solutions/*/*.md")]
        pages = "".join(file.read_text(encoding="utf-8") for file in files)
        for sheet, again in zip(self.sheets, sheets()):
            self.assertTrue(f"pictures/{sheet.name}.svg" in pages, f"no page shows {sheet.name}")
            self.assertTrue(
                sheet.bytes_of("svg") == again.bytes_of("svg"),
                f"{sheet.name}: twice drawn, not the same",
            )
            again.close()

    @unittest.skipIf(
        matplotlib.__version__ != DREW,
        f"docs/pictures is by matplotlib {DREW}, not {matplotlib.__version__}",
    )
    def test_docs_pictures_are_fresh(self):
        for sheet in self.sheets:
            kept = PICTURES / f"{sheet.name}.svg"
            self.assertTrue(
                kept.exists() and kept.read_bytes() == sheet.bytes_of("svg"),
                f"{kept} is not what the code draws: ./lab plot handouts docs/pictures",
            )


class Truth(unittest.TestCase):
    def test_the_structure_is_the_one_of_part_1(self):
        source = (ROOT / "common/simulator/array_of_bodies.hpp").read_text(encoding="utf-8")
        members = re.search(r"struct Body \{(.*?)\};", source, re.DOTALL)[1]
        names = [
            name for line in re.findall(r"real ([^;]*);", members) for name in line.split(", ")
        ]
        self.assertEqual(names, layout.FIELDS)
        self.assertEqual(layout.brought(layout.structures()), 1)
        self.assertEqual(len(layout.structures()) * layout.FLOAT, 5 * layout.CACHE_LINE)

    def test_sums_wait_and_ports_start_one_each(self):
        for sums, fma in ((1, 4), (4, 16), (8, 32), (9, 32)):
            self.assertEqual(len(chains.starts(sums)), fma)
            for s in range(sums):
                at = [cycle for cycle, _, which in chains.starts(sums) if which == s]
                self.assertTrue(
                    all(
                        later - sooner >= chains.LATENCY for sooner, later in itertools.pairwise(at)
                    )
                )
        self.assertEqual(
            [chains.rate(sums) for sums in chains.SUMS],
            ["1 fma in 4 cycles", "1 fma a cycle", "2 fma a cycle"],
        )

    def test_shares_of_threads(self):
        for deal in (threads.blocks, threads.in_turn, threads.next_free):
            self.assertAlmostEqual(sum(threads.shares(deal(24, 4))), 1)
        for count in (2, 4, 8):  # solutions/part1_standard_opti/README.md
            self.assertAlmostEqual(
                1 / max(threads.shares(threads.blocks(8000, count))),
                count**2 / (2 * count - 1),
                places=2,
            )
            self.assertAlmostEqual(
                1 / max(threads.shares(threads.in_turn(8000, count))), count, delta=0.01
            )

    def test_an_interaction_waits_for_itself_and_ports_do_one_thing_at_a_time(self):
        found = ports.schedule()
        operations = [operation for _, operation, _, _ in found]
        self.assertEqual(
            {one: operations.count(one) for one in ports.KEEPS},
            {"add": 9, "mul": 7, "sqrt": 1, "div": 1},
        )
        ready = {}
        for name, operation, _, start in found:
            self.assertTrue(all(ready[before] <= start for before in ports.STEPS[name][1]), name)
            ready[name] = start + ports.LATENCY[operation]
        for place in {place for _, _, place, _ in found}:
            times = sorted(
                (start + k * ports.PERIOD, ports.KEEPS[operation])
                for _, operation, at, start in found
                if at == place
                for k in range(-10, 11)
            )
            self.assertTrue(
                all(
                    start + keeps <= later
                    for (start, keeps), (later, _) in itertools.pairwise(times)
                ),
                place,
            )
