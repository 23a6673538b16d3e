"""What a browser makes of the slides: nothing sticks out, keys go on and back, a page of paper each. Needs Chromium."""

import pytest

from make_slides import SOURCE, page_of, slides_of
from tests.page.browser_for_tests import IN_BROWSER
from tests.viewing.browser_for_tests import Browser

# Which slide is shown, and what sticks out of it.
SHOWN = 'document.querySelector("section.on").id'
STICKS_OUT = """(slide => {
  const box = slide.getBoundingClientRect();
  const out = [...slide.querySelectorAll("h1, p, li, pre, table, img")].filter(one => !one.closest("aside")).filter(one => {
    const own = one.getBoundingClientRect();
    return own.bottom > box.bottom + 1 || own.right > box.right + 1 || one.scrollWidth > one.clientWidth + 1 && one.tagName === "PRE" ||
      own.height < 5;
  }).map(one => one.tagName + " " + one.textContent.slice(0, 40));
  if (slide.scrollHeight > slide.clientHeight) out.push("section");
  return out;
})(document.querySelector("section.on"))"""
COUNT = len(slides_of(SOURCE.read_text(encoding="utf-8")))

pytestmark = IN_BROWSER


@pytest.fixture(scope="module")
def tab():
    with Browser() as browser:
        yield browser.page()


@pytest.fixture
def open_slides(tab, tmp_path):
    def open_slides(text, *size):
        file = tmp_path / "slides.html"
        file.write_text(text, encoding="utf-8")
        tab.open(file, *size)

    return open_slides


def seen(tab):
    """Of each slide, going on by key: its id, and what sticks out."""
    for _ in range(COUNT):
        yield tab.value(SHOWN), tab.value(STICKS_OUT)
        tab.press("ArrowRight")


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720), (1024, 768)])
def test_nothing_sticks_out_and_keys_work(tab, open_slides, size):
    open_slides(page_of(SOURCE), *size)
    assert list(seen(tab)) == [(f"s{k}", []) for k in range(1, COUNT + 1)]
    for key, slide in (("ArrowLeft", COUNT - 1), ("Home", 1)):
        tab.press(key)
        assert tab.value(SHOWN) == f"s{slide}"
    assert tab.complaints == []


def test_too_long_a_slide_is_seen(tab, open_slides):
    long = "<br>".join(["too long"] * 40)
    open_slides(page_of(SOURCE).replace("This is <strong>naive</strong>", long, 1), 1280, 720)
    assert ("s4", ["P " + "too long" * 5, "section"]) in seen(tab)


def test_a_page_of_paper_each(tab, open_slides):
    open_slides(page_of(SOURCE))
    assert tab.count_printed() == COUNT
