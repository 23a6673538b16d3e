"""For tests: pages in a browser, wide and narrow, light and dark. Needs Chromium."""

import html
import json
import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import pytest

from tests import CHROMIUM

HERE = Path(__file__).resolve().parent
if not CHROMIUM:
    pytest.skip("chromium is not there", allow_module_level=True)
LIMIT = 120  # seconds; a run takes two
LIGHT, DARK = 1, 0  # Chromium's numbers
FRAME = """<!DOCTYPE html><meta name="color-scheme" content="light dark"><iframe width="{width}" height="1000" style="border: 0" src="{address}"></iframe>
<script>addEventListener("message", event => {{
  const pre = document.createElement("pre");
  pre.id = "found";
  pre.textContent = event.data;
  document.body.append(pre);
}});</script>
"""


class Browser(unittest.TestCase):
    """`folder`: for the test's files."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def chromium(self, *options):
        """(its output, the page's console messages)"""
        done = subprocess.run(
            [
                CHROMIUM,
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--hide-scrollbars",
                "--enable-logging=stderr",
                f"--user-data-dir={self.folder.name}/profile",
                *options,
            ],
            capture_output=True,
            text=True,
            timeout=LIMIT,
            check=False,
        )
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        return done.stdout, [line for line in done.stderr.splitlines() if "CONSOLE" in line]

    def seen(self, page, width, scheme=LIGHT):
        """What page_probe.js finds on a page, shown in a frame, because no window is as narrow as a phone."""
        probe = (HERE / "page_probe.js").read_text(encoding="utf-8")
        text = re.sub(
            r"<meta http-equiv=[^>]*>", "", page.read_text(encoding="utf-8")
        )  # it would block the probe
        probed = Path(self.folder.name, "probed.html")
        probed.write_text(
            text.replace("<head>", f"<head><script>{probe}</script>", 1), encoding="utf-8"
        )
        frame = Path(self.folder.name, "frame.html")
        frame.write_text(FRAME.format(width=width, address=probed.as_uri()), encoding="utf-8")
        dom, said = self.chromium(
            "--dump-dom",
            "--window-size=1500,1100",
            "--virtual-time-budget=20000",
            f"--blink-settings=preferredColorScheme={scheme}",
            frame.as_uri(),
        )
        self.assertEqual(said, [])
        return json.loads(html.unescape(re.findall(r'<pre id="found">(.*?)</pre>', dom, re.S)[-1]))

    def looks_right(self, page, texts=0):
        """Nothing overlaps, overflows or is too pale to read."""
        for width in (1400, 390):
            for scheme in (LIGHT, DARK):
                with self.subTest(page=page.name, width=width, scheme=scheme):
                    seen = self.seen(page, width, scheme)
                    self.assertEqual(
                        (seen["faults"], seen["overlaps"], seen["pale"], seen["wide"]),
                        ([], [], [], []),
                    )
                    self.assertEqual(
                        (seen["width"], seen["page"]),
                        (width, width),
                        "nothing sticks out of the window",
                    )
                    self.assertGreaterEqual(seen["texts"], texts)

    def pages_printed(self, page):
        """The number of pages when printed."""
        pdf = Path(self.folder.name, "printed.pdf")
        _, said = self.chromium(
            "--no-pdf-header-footer",
            f"--print-to-pdf={pdf}",
            "--blink-settings=preferredColorScheme=0",
            page.as_uri(),
        )
        self.assertEqual(said, [])
        self.assertTrue(pdf.read_bytes().startswith(b"%PDF"))
        return len(re.findall(rb"/Type\s*/Page\b", pdf.read_bytes()))
