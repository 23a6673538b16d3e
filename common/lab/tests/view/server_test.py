"""Who may watch, that no run waits for a page, and what is left when something ends or dies."""

import contextlib
import json
import os
import signal
import socket
import struct
import time
import urllib.error
import urllib.request
from urllib.parse import urlsplit

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from nbody_lab.core.errors import LabError
from nbody_lab.view.look import Look
from nbody_lab.view.program import Wish
from nbody_lab.view.show import show_view
from nbody_lab.view.until_signal import run_until_signal
from tests import said_by
from tests.view.programs_for_tests import ENDLESS, NAIVE, PLUMMER, shown

WISH = {"paused": False, "steps": 0, "rate": 0, "accelerations": False}


class Page:
    """What the page's script does, without a browser."""

    def __init__(self, address, origin=None, token=None, shows=True):
        place = urlsplit(address)
        query = place.query if token is None else f"token={token}"
        self.link = connect(
            f"ws://{place.netloc}/stream?{query}",
            origin=origin or f"http://{place.netloc}",
            max_size=None,
            compression=None,
        )
        self.shows, self.said, self.columns = shows, [], b""

    def next(self, timeout=60):
        """The header of the next message about a program; its columns are in `columns`. Words on the way are in `said`."""
        while isinstance(message := self.link.recv(timeout=timeout), str):
            self.said.append(json.loads(message))
        line, _, self.columns = message[4:].partition(b"\n")
        header, panel = json.loads(line), struct.unpack_from("<I", message)[0]
        if "iteration" in header and self.shows:
            with contextlib.suppress(ConnectionClosed):  # in a browser, too, the last states come
                self.link.send(json.dumps({"shown": panel}))
        return header

    def want(self, **changes):
        self.link.send(json.dumps({"wish": {**WISH, **changes}}))

    def still(self):
        """The iteration at which no more states come."""
        header = self.until_iteration(0)
        with contextlib.suppress(TimeoutError):
            while True:
                header = self.next(timeout=1.5)
        return header["iteration"]

    def until(self, condition):
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if condition(header := self.next()):
                return header
        raise AssertionError("it did not come")

    def until_iteration(self, number):
        return self.until(lambda header: header.get("iteration", -1) >= number)


@pytest.fixture
def lab():
    """An endless run that is viewed."""
    with shown(*PLUMMER, *ENDLESS) as lab:
        yield lab


def test_who_has_no_token_sees_nothing(lab):
    base = f"http://{urlsplit(lab.address).netloc}"
    statuses = {"/": 403, "/?token=wrong": 403, "/view.js": 200, "/../../README.md": 404}
    for address, status in {
        lab.address: 200,
        **{base + one: statuses[one] for one in statuses},
    }.items():
        try:
            with urllib.request.urlopen(address) as answer:
                assert answer.status == status
        except urllib.error.HTTPError as error:
            assert error.code == status
    for wrong in ({"origin": "http://evil.example"}, {"token": "wrong"}, {"token": ""}):
        with pytest.raises(InvalidStatus, match="403"):
            Page(lab.address, **wrong)


def test_the_states_are_those_of_the_run(lab):
    """One column per coordinate, in sizes of the system, and the speeds; 95 % of the bodies within 1."""
    page = Page(lab.address)
    greeting = page.next()
    assert (greeting["name"], greeting["bodies"], len(page.columns)) == ("naive", 200, 800)
    assert page.until_iteration(6)["energy_error"] == pytest.approx(0, abs=1e-2)
    columns = struct.unpack("<800f", page.columns)
    distances = sorted(
        sum(columns[axis * 200 + body] ** 2 for axis in range(3)) for body in range(200)
    )
    assert 0.5 < distances[190] < 2
    assert min(columns[600:]) > 0
    page.want(accelerations=True)
    assert page.until(lambda header: header["accelerations"])["finite"]


def test_pause_steps_and_rate(lab):
    """Another page that is open is told what is wanted."""
    page, other = Page(lab.address), Page(lab.address)
    page.want(paused=True)
    here = page.still()
    other.still()
    assert any(said.get("wish", {}).get("paused") for said in other.said)
    for steps in (1, 10):  # since the pause
        page.want(paused=True, steps=steps)
        assert page.until_iteration(here + steps)["iteration"] == here + steps
    with pytest.raises(TimeoutError):
        page.next(timeout=1)
    page.want(rate=20)
    start, now = page.next()["iteration"], time.monotonic()
    end = page.until_iteration(start + 60)["iteration"]
    assert (end - start) / (time.monotonic() - now) < 30


@pytest.mark.parametrize("leaves", [True, False])
def test_no_run_waits_for_a_page(leaves):
    """One has left a run that was paused there; one takes the first state and never says that it has drawn it."""
    with shown(*PLUMMER, "-i", "30000", what="run") as lab:
        page = Page(lab.address, shows=leaves)
        if leaves:
            page.want(paused=True)
            assert page.still() < 30000
            page.link.close()
        else:
            assert page.next()["viewer"] == 1
        assert lab.process.wait(60) == 0
        if not leaves:
            assert page.until(lambda header: header.get("last", False))["iteration"] == 30000


@pytest.mark.parametrize(
    ("options", "status"), [(["-i", "5"], 0), (["-i", "3", "--dt", "1e30"], 1), (["-n", "0"], 2)]
)
def test_a_run_keeps_its_status(options, status):
    with shown(*PLUMMER, *options, what="run") as lab:
        assert lab.process.wait(60) == status


def test_a_browser_is_asked_to_show_the_page_and_may_come_late(tmp_path):
    """The run is over before it begins; it still sees the last state. In the foreground, it stops nobody."""
    script = tmp_path / "browser"
    script.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/asked\nexec sleep 5\n', encoding="utf-8")
    script.chmod(0o755)
    with shown(*PLUMMER, "-i", "2", what="run", browser=str(script)) as lab:
        time.sleep(1)
        last = Page(lab.address).until(lambda header: header.get("last", False))
        assert (last["iteration"], lab.process.wait(60)) == (2, 0)
        assert (tmp_path / "asked").read_text(encoding="utf-8").strip() == lab.address


def test_a_run_stops_by_ctrl_c_after_its_iteration():
    with shown(*PLUMMER, *ENDLESS, what="run") as lab:
        Page(lab.address).until_iteration(4)
        status, error = lab.finish(signal.SIGINT, everyone=True)
        assert status == 130
        assert "stopping after this iteration" in error


@pytest.mark.parametrize(
    ("number", "status"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129), ("SIGKILL", -9)]
)
def test_a_view_that_ends_leaves_no_program(number, status):
    with shown(*PLUMMER, *ENDLESS, panels=2) as lab:
        Page(lab.address).until_iteration(4)
        said = "" if status < 0 else "lab: interrupted\n"
        assert lab.finish(getattr(signal, number)) == (status, said)


def test_a_program_that_dies_is_one_line_and_can_be_started_anew(lab):
    page = Page(lab.address)
    page.until_iteration(4)
    lab.programs()[0].kill()
    with contextlib.suppress(TimeoutError):
        while True:
            page.next(timeout=2)
    assert page.said[-1]["ended"]["text"] == "the program died: killed (signal 9)"
    page.link.send(json.dumps({"restart": True}))
    assert page.until(lambda header: "viewer" in header)["bodies"] == 200
    page.until_iteration(4)


def test_a_page_that_says_nonsense_is_let_go(lab):
    steps = json.dumps({"wish": {**WISH, "steps": -1}})
    for nonsense in ("{", '{"wish": 5}', steps, '{"shown": 77}', b"\xff" * 9, "x" * 10000):
        Page(lab.address).link.send(nonsense)
    Page(lab.address).until_iteration(4)


def test_what_cannot_begin_is_one_line():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        place = taken.getsockname()
        for argv, where, complaint in (
            (PLUMMER, place, rf"127\.0\.0\.1:{place[1]} is in use: choose another"),
            (
                [NAIVE, "-f", "no.dat", "-i", "1"],
                ("127.0.0.1", 0),
                r"naive: no\.dat: cannot be read",
            ),
            (["/no/such/program"], ("127.0.0.1", 0), "/no/such/program: No such file or directory"),
        ):
            with pytest.raises(LabError, match=f"^{complaint}"):
                run_until_signal(show_view([argv], "a", Look(), where))


@pytest.mark.parametrize(("owns", "status"), [(False, 0), (True, 2)])
def test_a_viewer_that_is_not_there(tmp_path, owns, status):
    """It stops no run but one that is its own: that would have no end."""
    told = {"LAB_VIEWER": f"{tmp_path}/no", "LAB_VIEWER_WISH": Wish(owns=owns).model_dump_json()}
    ended, _, error = said_by([*PLUMMER, "-i", "2"], env={**os.environ, **told})
    assert (ended, error.count("\n")) == (status, 1)
    assert "cannot connect to the socket in LAB_VIEWER" in error
