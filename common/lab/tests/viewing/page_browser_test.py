"""The page in a real browser: are the bodies where they should be, and do keys, mouse and buttons do what they say?"""

import re
import time

import numpy as np
import pytest

from nbody_lab.viewing.film import FilmSetting
from nbody_lab.viewing.look import Look
from nbody_lab.viewing.recording import record_page
from nbody_lab.viewing.until_signal import run_until_signal
from tests import CHROMIUM
from tests.viewing.browser_for_tests import Browser
from tests.viewing.programs_for_tests import ENDLESS, NAIVE, PLUMMER, shown

pytestmark = [
    pytest.mark.browser,
    pytest.mark.weekly,
    pytest.mark.skipif(not CHROMIUM, reason="chromium is not there"),
]
ITERATION = r"iteration (\d+)"


@pytest.fixture(scope="module")
def browser():
    with Browser() as browser:
        yield browser


@pytest.fixture
def page(browser):
    """A page of a paused run; no complaint may be on its console."""
    with shown(*PLUMMER, *ENDLESS) as lab:
        page = browser.page().go(lab.address)
        page.lab = lab
        page.wait_for_text(ITERATION)
        page.press(" ")
        page.wait_for_text("paused")
        page.press("h")
        wait_until_still(page)
        yield page
        assert page.complaints == []


def iteration(page):
    return page.value("panels.map(panel => panel.state.header.iteration)")


def wait_until_still(page):
    """States that were on their way when the run was paused have come."""
    seen = None
    while seen != iteration(page):
        seen = iteration(page)
        time.sleep(0.5)


def light(pixels):
    return int(pixels.sum())


def differing(a, b):
    return int((abs(a - b).sum(2) > 30).sum())


def test_bodies_shine_where_they_are(page):
    """Each body's place, by the page's own numbers and Python's camera, is brighter than the sky."""
    from nbody_lab.viewing.light import Camera

    page.press("t")
    page.value("look.glow = false, dirty = true")
    columns = np.array(page.value("Array.from(panels[0].state.columns)")).reshape(4, -1)
    x, y, _ = Camera(tilt=np.radians(52)).place(columns[:3].T.astype(np.float32), 800, 600)
    inside = (x > 1) & (x < 799) & (y > 1) & (y < 599)
    pixels = page.pixels()
    at = pixels[y[inside].astype(int), x[inside].astype(int)].sum(1)
    assert inside.sum() > 150
    assert np.quantile(at, 0.05) > 60
    assert np.median(pixels.sum(2)) < 40


def test_keys_change_the_picture(page):
    still = page.pixels()
    assert differing(still, page.pixels()) == 0
    for key, least in (("g", 500), ("ArrowLeft", 500), ("PageUp", 500), ("c", 100), ("f", 100)):
        before = page.pixels()
        page.press(key)
        assert differing(before, page.pixels()) > least, key
    page.press("g")
    page.press("c")
    page.press("r")
    assert differing(still, page.pixels()) < 200  # but for the trails, which were forgotten


def test_single_steps_speed_and_restart(page):
    start = iteration(page)[0]
    for steps in (1, 2, 3):
        page.press("s")
        page.wait_for(f"panels[0].state.header.iteration === {start + steps}")
    page.press("h")
    page.press(" ")
    assert page.wait_for_text(r"at most (\d+) iterations/s")[1] == "60"
    page.press("+")
    page.wait_for_text("at most 120 iterations/s")
    page.press("a")
    page.wait_for_text("as fast as it can")
    page.press("-")
    page.wait_for_text("at most 60 iterations/s")
    page.wait_for(f"panels[0].state.header.iteration > {start + 100}")
    page.press("n")
    page.wait_for(f"panels[0].state?.header.iteration < {start + 100}")


def test_mouse_turns_zooms_and_follows(page):
    yaw, distance = page.value("camera.yaw"), page.value("camera.distance")
    page.mouse("mousePressed", 400, 300, clickCount=1)
    page.mouse("mouseMoved", 500, 320, buttons=1)
    page.mouse("mouseReleased", 500, 320, clickCount=1)
    assert page.value("camera.yaw") == pytest.approx(yaw - 0.6, abs=0.01)
    assert page.value("panels[0].followed") is None
    page.call("Input.dispatchMouseEvent", type="mouseWheel", x=400, y=300, deltaX=0, deltaY=-100)
    page.wait_for(f"camera.distance < {0.95 * distance}")
    page.press("r")
    script = """(() => { const panel = panels[0], n = panel.drawn.bodies, columns = panel.state.columns;
        const matrix = camera.matrix(800 / 600, panel.target), q = [0, 1, 2].map(k => columns[k * n + panel.byMass[0]]);
        const at = row => matrix[row] * q[0] + matrix[4 + row] * q[1] + matrix[8 + row] * q[2] + matrix[12 + row];
        return [(at(0) / at(3) + 1) * 400, (1 - at(1) / at(3)) * 300]; })()"""
    x, y = page.value(script)
    page.mouse("mousePressed", x, y, clickCount=1)
    page.mouse("mouseReleased", x, y, clickCount=1)
    page.wait_for("panels[0].followed !== null")
    assert page.value("Math.hypot(...panels[0].target)") > 0


def test_a_finger_turns_and_a_button_steps(browser):
    """As wide as a phone: nothing sticks out, and every button can be touched."""
    with shown(*PLUMMER, *ENDLESS) as lab:
        page = browser.page().go(lab.address, 390, 800, mobile=True)
        page.wait_for_text(ITERATION)
        yaw = page.value("camera.yaw")
        for kind, x in (("touchStart", 200), ("touchMove", 250), ("touchEnd", None)):
            points = [] if x is None else [{"x": x, "y": 300}]
            page.call("Input.dispatchTouchEvent", type=kind, touchPoints=points)
        page.wait_for(f"Math.abs(camera.yaw - {yaw}) > 0.1")
        boxes = page.value(
            "[...document.querySelectorAll('#bar button')].map(b => b.getBoundingClientRect()).map(r => [r.left, r.right, r.top, r.bottom])"
        )
        assert len(boxes) == 13
        for left, right, top, bottom in boxes:
            assert 0 <= left < right <= 390
            assert 0 <= top < bottom <= 800
        page.value("document.querySelector('[data-key=\"s\"]').click()")
        page.wait_for_text("paused")
        assert page.complaints == []


def test_a_picture_is_saved(page, tmp_path):
    page.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    page.press("p")
    end = time.monotonic() + 30
    while not (files := list(tmp_path.glob("view.*.png"))) and time.monotonic() < end:
        time.sleep(0.1)
    assert re.fullmatch(r"view\.\d+\.png", files[0].name)
    assert files[0].read_bytes().startswith(b"\x89PNG")


def test_two_side_by_side(browser):
    """The same bodies twice: paused at one iteration, both halves show the same; each tells its speed."""
    with shown(*PLUMMER, *ENDLESS, panels=2) as lab:
        page = browser.page().go(lab.address)
        page.wait_for_text(r"interactions/s: \d.*x naive")
        page.press(" ")
        wait_until_still(page)
        ahead = iteration(page)
        page.press("t")
        page.press("h")
        page.press("n")  # a new run stands still, at the start
        page.wait_for("panels.every(panel => panel.state?.header.iteration === 0)")
        pixels = page.pixels()
        left, right = pixels[:, 5:395], pixels[:, 405:795]
        assert min(ahead) > 0
        assert light(left) > 1.5 * np.median(left) * left.size
        assert differing(left, right) < 20
        assert page.complaints == []


def test_reloaded_twice_and_in_two_windows(browser):
    """Each window shows the run from where it is, and a closed one leaves no trace."""
    with shown(*PLUMMER, *ENDLESS) as lab:
        page = browser.page().go(lab.address)
        for _ in range(3):
            page.wait_for_text(ITERATION)
            page.value("window.isOld = true")
            page.call("Page.reload")
            page.wait_for("!window.isOld")
        other = browser.page().go(lab.address)
        for window in (page, other):
            window.call("Page.bringToFront")  # one behind another is not drawn
            window.wait_for_text(ITERATION)
            seen = iteration(window)[0]
            window.wait_for(f"panels[0].state?.header.iteration > {seen + 5}")
        other.call("Page.close")
        page.call("Page.bringToFront")
        seen = iteration(page)[0]
        page.wait_for(f"panels[0].state.header.iteration > {seen + 5}")
        lab.program().kill()
        page.wait_for_text(r"the program died: SIGKILL \(signal 9\)")


def test_the_end_of_a_run_stays_to_be_seen(browser):
    """The page keeps the last state when the lab has ended, and can still be turned."""
    with shown(*PLUMMER, "-i", "4000", what="run") as lab:
        page = browser.page().go(lab.address)
        page.wait_for_text(ITERATION)
        assert lab.wait()[0] == 0
        page.wait_for_text("iteration 4000")
        page.wait_for_text("the run has ended")
        before = page.pixels()
        page.press("ArrowLeft")
        assert differing(before, page.pixels()) > 500


def test_many_bodies(browser):
    """A million bodies take a while to compute: the first state is seen, and then that it computes."""
    with shown(str(NAIVE), "--scene", "plummer", "-n", "1000000", *ENDLESS) as lab:
        page = browser.page().go(lab.address)
        page.wait_for_text(r"1000000 bodies\niteration 0 ")
        page.wait_for_text(r"computing, \d+ s so far")
        middle = page.pixels()[250:350, 350:450].sum(2)  # far from text and buttons
        assert np.median(middle) > 60
        followed = []
        for _ in range(3):
            page.press("f")
            followed.append(page.value("panels[0].followed"))
        assert len(set(followed)) == 3
        assert lab.finish() == (130, "lab: interrupted\n")


def test_a_recorded_page_plays_without_a_lab(browser, tmp_path):
    file = tmp_path / "galaxy.html"
    argv = [str(NAIVE), "--scene", "plummer", "-n", "300", "-i", "30"]
    run_until_signal(record_page(argv, FilmSetting(file, Look(), frames=16)))
    assert file.stat().st_size < 200_000
    page = browser.page().go(file.as_uri())
    page.wait_for_text("300 bodies")
    page.wait_for("panels[0].state.header.iteration === 30")
    page.wait_for("panels[0].state.header.iteration < 30")  # and again
    page.press(" ")
    page.wait_for_text("paused")
    before = page.pixels()
    page.press("ArrowLeft")
    assert differing(before, page.pixels()) > 500
    assert page.complaints == []
