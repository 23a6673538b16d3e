"""Who may watch, that the pace of reading is that of the run, and what is left when something ends or dies."""

import asyncio
import contextlib
import json
import signal
import struct
import time
import urllib.error
import urllib.request
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect

from nbody_lab.core.errors import LabError
from nbody_lab.view.server import show
from tests.view.shown import PLUMMER, shown


class Page:
    """What the page's script does, without a browser."""

    def __init__(self, address, origin=None, token=None):
        place = urlsplit(address)
        self.link = connect(
            f"ws://{place.netloc}/stream?{place.query if token is None else f'token={token}'}",
            origin=origin or f"http://{place.netloc}",
            max_size=None,
            compression=None,
        )
        self.said, self.columns = [], b""

    def next(self, timeout=60):
        """The header of the next frame; its columns are in `columns`. Words on the way are in `said`."""
        while isinstance(message := self.link.recv(timeout=timeout), str):
            self.said.append(json.loads(message))
        line, _, self.columns = message[1:].partition(b"\n")
        self.say(drawn=message[0])
        return json.loads(line)

    def say(self, **what):
        self.link.send(json.dumps(what))

    def until(self, iteration):
        while (header := self.next())["iteration"] < iteration:
            pass
        return header

    def still(self):
        """The iteration at which no more frames come."""
        last = -1
        with contextlib.suppress(TimeoutError):
            while True:
                last = self.next(1.5)["iteration"]
        return last


@pytest.fixture
def lab():
    with shown(*PLUMMER) as lab:
        yield lab


def test_who_has_no_token_sees_nothing(lab):
    base = f"http://{urlsplit(lab.address).netloc}"
    urllib.request.urlopen(lab.address).close()
    for path, status in {"/": 403, "/?token=wrong": 403, "/../../README.md": 404}.items():
        with pytest.raises(urllib.error.HTTPError, match=str(status)):
            urllib.request.urlopen(base + path)
    for wrong in ({"origin": "http://evil.example"}, {"token": "wrong"}, {"token": ""}):
        with pytest.raises(InvalidStatus, match="403"):
            Page(lab.address, **wrong)


def test_a_frame_is_a_state_of_the_run(lab):
    """Mass, x, y, z, speed, acceleration; numbers of the run since its start."""
    page = Page(lab.address)
    while not (header := page.next())["energy_error"]:
        pass
    assert (header["name"], header["n"], header["precision"]) == ("naive", 200, "float")
    assert (abs(header["energy_error"]) < 1e-2, header["evaluations"]) == (
        True,
        header["iteration"],
    )
    columns = struct.unpack("<1200f", page.columns)
    assert max(columns[:200]) == 1 and min(columns[800:]) > 0


def test_pause_steps_and_rate(lab):
    """Of few bodies, a FIFO holds many frames: none comes late. Another page is told what is wanted."""
    page, other = Page(lab.address), Page(lab.address)
    page.say(rate=0)
    page.until(500)
    page.say(paused=True)
    here = page.still()
    other.still()
    assert other.said[-1] == {"pace": {"paused": True, "rate": 0}}
    for step in (1, 2):
        page.say(step=True)
        assert page.still() == here + step
    page.say(paused=False, rate=20)
    start, now = page.next()["iteration"], time.monotonic()
    end = page.until(start + 60)["iteration"]
    assert (end - start) / (time.monotonic() - now) < 30


def test_a_page_that_draws_nothing_slows_nobody(lab):
    """Nor does one that says nonsense: it is let go."""
    idle = Page(lab.address)
    for nonsense in ("{", '{"rate": NaN}', '{"drawn": 77}', b"\xff" * 9, "x" * 9999):
        Page(lab.address).link.send(nonsense)
    page = Page(lab.address)
    page.until(page.next()["iteration"] + 20)
    idle.link.close()


@pytest.mark.parametrize(
    ("number", "status", "said"),
    [("SIGINT", 130, "lab: interrupted\n"), ("SIGKILL", -9, "")],
)
def test_a_view_that_ends_leaves_no_program(number, status, said):
    with shown(*PLUMMER, panels=2) as lab:
        page = Page(lab.address)
        page.until(4)
        page.say(paused=True)  # so that they wait for their reader
        assert lab.finish(getattr(signal, number)) == (status, said)


def test_a_program_that_shows_nothing_is_an_error():
    with pytest.raises(LabError, match="the run has ended"):
        asyncio.run(asyncio.wait_for(show([["true"]], "nothing"), 20))


def test_a_program_that_dies_is_one_line():
    """A page that comes later sees the first and the last state, and is told, too."""
    with shown(*PLUMMER) as lab:
        Page(lab.address).until(4)
        lab.programs()[0].kill()
        page = Page(lab.address)
        assert (page.next()["iteration"], page.still() >= 4) == (0, True)
        assert page.said[-1]["ended"]["text"] == "the program died: killed (signal 9)"
