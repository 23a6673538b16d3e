#!/usr/bin/env python3
"""What a browser makes of the page of ./lab report: wide and narrow, light and dark, printed. Needs Chromium."""

import html
import json
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
from with_page import go_over_to_page, skip  # noqa: E402

go_over_to_page()
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
if not CHROMIUM:
    skip("chromium is not there")
from tree_for_tests import Tree  # noqa: E402
from write_page import write_page  # noqa: E402

LIMIT = 120  # seconds; a run takes two
LIGHT, DARK = 1, 0  # as Chromium counts
FRAME = """<!DOCTYPE html><meta name="color-scheme" content="light dark"><iframe width="{width}" height="1000" style="border: 0" src="{address}"></iframe>
<script>addEventListener("message", event => {{
  const pre = document.createElement("pre");
  pre.id = "found";
  pre.textContent = event.data;
  document.body.append(pre);
}});</script>
"""


class BrowserTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.tree, cls.folder = Tree().measured(), tempfile.TemporaryDirectory()
        cls.file, cls.probed = Path(cls.folder.name, "report.html"), Path(cls.folder.name, "probed.html")
        write_page(cls.tree.root, cls.file, ["part1", "part2"])
        probe = (HERE / "page_probe.js").read_text(encoding="utf-8")
        cls.probed.write_text(cls.file.read_text(encoding="utf-8").replace("<head>", f"<head><script>{probe}</script>", 1), encoding="utf-8")

    @classmethod
    def tearDownClass(cls):
        cls.tree.close()
        cls.folder.cleanup()

    def chromium(self, *options):
        """(what it prints, what the page said on the console)"""
        done = subprocess.run([CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--enable-logging=stderr",
                               f"--user-data-dir={self.folder.name}/profile", *options], capture_output=True, text=True, timeout=LIMIT, check=False)
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        return done.stdout, [line for line in done.stderr.splitlines() if "CONSOLE" in line]

    def seen(self, width, scheme=LIGHT):
        """In a frame, since no window is as narrow as a phone."""
        frame = Path(self.folder.name, "frame.html")
        frame.write_text(FRAME.format(width=width, address=self.probed.as_uri()), encoding="utf-8")
        dom, said = self.chromium("--dump-dom", "--window-size=1500,1100", "--virtual-time-budget=20000",
                                  f"--blink-settings=preferredColorScheme={scheme}", frame.as_uri())
        self.assertEqual(said, [])
        return json.loads(html.unescape(re.findall(r'<pre id="found">(.*?)</pre>', dom, re.S)[-1]))

    def test_wide_and_narrow_light_and_dark(self):
        for width in (1400, 390):
            for scheme in (LIGHT, DARK):
                with self.subTest(width=width, scheme=scheme):
                    seen = self.seen(width, scheme)
                    self.assertEqual((seen["faults"], seen["overlaps"], seen["pale"], seen["wide"]), ([], [], [], []))
                    self.assertEqual((seen["width"], seen["page"]), (width, width), "nothing sticks out of the window")
                    self.assertGreater(seen["texts"], 150)

    def test_switches_work_without_a_script(self):
        shown = self.seen(1400)["shown"]
        self.assertEqual(len(shown), 4)
        for setting, views in shown.items():
            self.assertEqual(views, [f"view {setting}"])

    def test_a_row_lights_its_point(self):
        while_over, after = self.seen(1400)["lit"]
        self.assertGreaterEqual(while_over, 2)
        self.assertEqual(after, 0)

    def test_it_can_be_printed(self):
        pdf = Path(self.folder.name, "report.pdf")
        _, said = self.chromium("--no-pdf-header-footer", f"--print-to-pdf={pdf}", "--blink-settings=preferredColorScheme=0", self.file.as_uri())
        self.assertEqual(said, [])
        self.assertTrue(pdf.read_bytes().startswith(b"%PDF"))
        self.assertGreaterEqual(len(re.findall(rb"/Type\s*/Page\b", pdf.read_bytes())), 4)


if __name__ == "__main__":
    unittest.main()
