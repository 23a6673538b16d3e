"""What a browser makes of the slides: nothing sticks out, keys go on and back, a page of paper each. Needs Chromium."""

import json
import re
from pathlib import Path

import pytest

from make_slides import SOURCE, page_of, slides_of
from tests.page.browser_for_tests import Browser

# Goes through all slides by key, and says of each which one it is and what sticks out of it.
PROBE = """<script>
addEventListener("load", () => setTimeout(() => {
  const found = [];
  const press = key => dispatchEvent(new KeyboardEvent("keydown", {key}));
  for (let k = 0; k < slides.length; ++k) {
    const slide = document.querySelector("section.on"), box = slide.getBoundingClientRect();
    const out = [...slide.querySelectorAll("h1, p, li, pre, table, img")].filter(one => !one.closest("aside")).filter(one => {
      const own = one.getBoundingClientRect();
      return own.bottom > box.bottom + 1 || own.right > box.right + 1 || one.scrollWidth > one.clientWidth + 1 && one.tagName === "PRE" ||
        own.height < 5;
    }).map(one => one.tagName + " " + one.textContent.slice(0, 40));
    if (slide.scrollHeight > slide.clientHeight) out.push("section");
    found.push([slide.id, out]);
    press("ArrowRight");
  }
  press("ArrowLeft");
  found.push(document.querySelector("section.on").id);
  press("Home");
  found.push(document.querySelector("section.on").id);
  document.title = "found";
  document.body.innerHTML = "<pre id=found></pre>";
  document.getElementById("found").textContent = JSON.stringify(found);
}, 500));
</script></body>"""

pytestmark = [pytest.mark.browser, pytest.mark.weekly]


class BrowserTest(Browser):
    def seen_slides(self, page, size):
        file = Path(self.folder.name, "probed.html")
        file.write_text(page.replace("</body>", PROBE), encoding="utf-8")
        dom, said = self.chromium(
            "--dump-dom", f"--window-size={size}", "--virtual-time-budget=20000", file.as_uri()
        )
        self.assertEqual(said, [])
        return json.loads(
            re.search(r'<pre id="found">(.*?)</pre>', dom, re.S)[1]
            .replace("&amp;", "&")
            .replace("&lt;", "<")
            .replace("&gt;", ">")
        )

    def test_nothing_sticks_out_and_keys_work(self):
        count = len(slides_of(SOURCE.read_text(encoding="utf-8")))
        for size in ("1920,1080", "1280,720", "1024,768"):
            *slides, before_last, first = self.seen_slides(page_of(SOURCE), size)
            self.assertEqual(slides, [[f"s{k}", []] for k in range(1, count + 1)], size)
            self.assertEqual((before_last, first), (f"s{count - 1}", "s1"))

    def test_too_long_a_slide_is_seen(self):
        text = page_of(SOURCE).replace(
            "This is <strong>naive</strong>", "<br>".join(["too long"] * 40), 1
        )
        self.assertIn(
            ["s4", ["P " + "too long" * 5, "section"]], self.seen_slides(text, "1280,720")
        )

    def test_a_page_of_paper_each(self):
        file = Path(self.folder.name, "slides.html")
        file.write_text(page_of(SOURCE), encoding="utf-8")
        self.assertEqual(
            self.pages_printed(file), len(slides_of(SOURCE.read_text(encoding="utf-8")))
        )
