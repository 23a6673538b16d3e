"""Who may watch, that no run waits for a page, and what is left when something ends or dies."""

import asyncio
import contextlib
import json
import os
import signal
import socket
import struct
import subprocess
import sys
import time
import urllib.error
import urllib.request
from urllib.parse import urlsplit

import psutil
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from nbody_lab.core.errors import LabError
from nbody_lab.view.look import Look
from nbody_lab.view.program import WatchedProgram, Wish
from nbody_lab.view.show import show_view
from nbody_lab.view.until_signal import run_until_signal
from tests.view.programs_for_tests import ENDLESS, MILLION, NAIVE, PLUMMER, shown

WISH = {"paused": False, "steps": 0, "rate": 0, "accelerations": False}


def get(address, **headers):
    """(status, text)"""
    try:
        with urllib.request.urlopen(urllib.request.Request(address, headers=headers)) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


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
        self.shows = shows
        self.said = []

    def hear(self, timeout=60):
        """The next message: words are kept in `said`, and None is returned."""
        message = self.link.recv(timeout=timeout)
        if not isinstance(message, str):
            return message
        self.said.append(json.loads(message))
        return None

    def next(self, timeout=60):
        """The header of the next message about a program; its columns are in `columns`."""
        while not (message := self.hear(timeout)):
            pass
        line, _, self.columns = message[4:].partition(b"\n")
        header, panel = json.loads(line), struct.unpack_from("<I", message)[0]
        if "iteration" in header and self.shows:
            with contextlib.suppress(
                ConnectionClosed
            ):  # as in a browser: the last states still come
                self.link.send(json.dumps({"shown": panel}))
        return header

    def want(self, **changes):
        self.link.send(json.dumps({"wish": {**WISH, **changes}}))

    def still(self):
        """The iteration at which no more states come."""
        header = self.until(lambda header: "iteration" in header)
        while True:
            try:
                header = self.next(timeout=3)
            except TimeoutError:
                return header["iteration"]

    def stays_at(self, iteration):
        """Whether the run gets there, and no farther."""
        header = self.until(lambda header: header.get("iteration", -1) >= iteration)
        with contextlib.suppress(TimeoutError):
            header = self.next(timeout=1)
        return header["iteration"] == iteration

    def until(self, condition):
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if condition(header := self.next()):
                return header
        raise AssertionError("it did not come")


def test_who_has_no_token_sees_nothing():
    with shown(*PLUMMER, *ENDLESS) as lab:
        place = urlsplit(lab.address)
        base = f"http://{place.netloc}"
        assert get(lab.address)[0] == 200
        assert get(base + "/") == (403, "the address that the lab printed is longer\n")
        assert get(base + "/?token=wrong")[0] == 403
        assert get(base + "/view.js")[0] == 200  # the same for everyone
        assert get(base + "/../../README.md")[0] == 404
        for wrong in ({"origin": "http://evil.example"}, {"token": "wrong"}, {"token": ""}):
            with pytest.raises(InvalidStatus, match="403"):
                Page(lab.address, **wrong)


def test_the_states_are_those_of_the_run():
    """One column per coordinate, in sizes of the system, and the speeds; 95 % of the bodies within 1."""
    with shown(*PLUMMER, *ENDLESS) as lab:
        page = Page(lab.address)
        greeting = page.next()
        assert (greeting["name"], greeting["bodies"], len(page.columns)) == ("naive", 200, 800)
        state = page.until(lambda header: header["iteration"] > 5)
        assert state["energy_error"] == pytest.approx(0, abs=1e-2)
        columns = struct.unpack("<800f", page.columns)
        distances = sorted(
            sum(columns[axis * 200 + body] ** 2 for axis in range(3)) for body in range(200)
        )
        assert 0.5 < distances[190] < 2
        assert min(columns[600:]) > 0
        page.want(accelerations=True)
        assert page.until(lambda header: header["accelerations"])["finite"]


def test_pause_steps_and_rate():
    with shown(*PLUMMER, *ENDLESS) as lab:
        page = Page(lab.address)
        page.next()
        page.want(paused=True)
        here = page.still()
        for steps in (1, 3, 10):
            page.want(paused=True, steps=steps)
            assert page.stays_at(here + steps)
        page.want(rate=20)
        start, now = page.next()["iteration"], time.monotonic()
        end = page.until(lambda header: header["iteration"] >= start + 60)["iteration"]
        assert (end - start) / (time.monotonic() - now) < 30


def test_two_pages_see_the_run_and_each_other_s_wishes():
    with shown(*PLUMMER, *ENDLESS, panels=2) as lab:
        pages = Page(lab.address), Page(lab.address)
        for page in pages:
            page.until(lambda header: header.get("iteration", 0) > 3)
        pages[0].want(paused=True)
        pages[1].until(lambda _: any("wish" in said for said in pages[1].said))
        assert pages[1].said[-1]["wish"]["paused"]


def test_no_run_waits_for_a_page_that_hangs():
    """It takes the first state and never says that it has drawn it, then nothing at all."""
    with shown(*PLUMMER, "-i", "30000", what="run") as lab:
        page = Page(lab.address, shows=False)
        assert page.next()["viewer"] == 1
        status, _ = lab.wait()
        assert status == 0
        last = page.until(lambda header: header.get("last", False))
        assert last["iteration"] == 30000


@pytest.mark.parametrize(("patience_s", "interrupts"), [(0.5, False), (1000, True)])
def test_a_page_that_reads_nothing_is_let_go(patience_s, interrupts):
    """Its buffers are full: it cannot even be told to close. Ctrl-C ends the waiting."""
    with shown(*MILLION, what="run", patience_s=patience_s) as lab:
        place = urlsplit(lab.address)
        with socket.create_connection((place.hostname, place.port)) as deaf:
            deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            deaf.sendall(
                f"GET /stream?{place.query} HTTP/1.1\r\nHost: {place.netloc}\r\n"
                f"Origin: http://{place.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
            )
            deaf.recv(12)
            page = Page(lab.address)
            while not any("ended" in one for one in page.said):  # the lab has noticed
                page.hear()
            ended = time.monotonic()
            if interrupts:
                lab.process.send_signal(signal.SIGINT)
            assert lab.wait()[0] == 0
            assert time.monotonic() - ended < 15  # unanswered pings would end it after 20


def test_a_run_whose_page_has_gone_goes_on():
    """It was paused there, and nobody could end the pause."""
    with shown(*PLUMMER, "-i", "40000", what="run") as lab:
        page = Page(lab.address)
        page.want(paused=True)
        assert page.still() < 40000
        page.link.close()
        assert lab.wait()[0] == 0


@pytest.mark.slow
def test_a_lab_that_was_stopped_for_a_while_shows_on():
    """A state that nobody reads waits; half of one would be the last."""
    with shown(str(NAIVE), "--scene", "plummer", "-n", "20000", *ENDLESS) as lab:
        page = Page(lab.address)
        page.until(lambda header: header.get("iteration", -1) >= 0)
        time.sleep(0.5)  # until the program has been asked for the next
        os.kill(lab.process.pid, signal.SIGSTOP)
        time.sleep(16)
        os.kill(lab.process.pid, signal.SIGCONT)
        last = page.until(lambda header: "iteration" in header)["iteration"]
        page.until(lambda header: header["iteration"] > last + 3)


def test_a_program_that_nobody_waits_for_any_more_is_ended():
    """It has not connected yet: it reads a large file."""

    async def left():
        starting = asyncio.ensure_future(WatchedProgram.start(["/bin/sleep", "300"], Wish()))
        while not (children := psutil.Process().children()):
            await asyncio.sleep(0.05)
        starting.cancel()
        await asyncio.wait({starting})
        return psutil.wait_procs(children, timeout=30)[1]

    assert asyncio.run(left()) == []


def test_a_server_that_waits_for_its_connections(monkeypatch):
    """As asyncio's does since Python 3.12.1."""

    async def hang(_):
        await asyncio.Event().wait()

    async def greeted():
        program = await WatchedProgram.start([*PLUMMER, "-i", "1"], Wish())
        message = await program.next_message()
        await program.end()
        return message.header.bodies

    monkeypatch.setattr(asyncio.base_events.Server, "wait_closed", hang)
    assert asyncio.run(asyncio.wait_for(greeted(), 60)) == 200


@pytest.mark.parametrize(
    ("options", "status"), [(["-i", "5"], 0), (["-i", "3", "--dt", "1e30"], 1), (["-n", "0"], 2)]
)
def test_a_run_keeps_its_status(options, status):
    with shown(*PLUMMER, *options, what="run") as lab:
        assert lab.wait()[0] == status


def test_a_run_stops_by_ctrl_c_after_its_iteration():
    with shown(*PLUMMER, *ENDLESS, what="run") as lab:
        page = Page(lab.address)
        page.until(lambda header: header.get("iteration", 0) > 3)
        children = lab.children()
        os.killpg(lab.process.pid, signal.SIGINT)  # as a terminal does
        status, error = lab.wait(children)
        assert status == 130
        assert "stopping after this iteration" in error


def test_a_browser_is_asked_to_show_the_page_and_may_come_late(tmp_path):
    """The run is over before the browser has begun; it still sees the last state. A browser that stays in the foreground
    stops nobody."""
    script = tmp_path / "browser"
    script.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/asked\nexec sleep 20\n', encoding="utf-8")
    script.chmod(0o755)
    with shown(*PLUMMER, "-i", "2", what="run", browser=str(script)) as lab:
        time.sleep(1)
        page = Page(lab.address)
        last = page.until(lambda header: header.get("last", False))
        status, _ = lab.wait()
        assert (last["iteration"], status) == (2, 0)
        assert (tmp_path / "asked").read_text(encoding="utf-8").strip() == lab.address


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_view_ends_with_a_signal(number):
    with shown(*PLUMMER, *ENDLESS, panels=2) as lab:
        Page(lab.address).until(lambda header: header.get("iteration", 0) > 3)
        assert lab.finish(number) == (128 + number, "lab: interrupted\n")


def test_a_view_that_is_killed_leaves_no_program():
    with shown(*PLUMMER, *ENDLESS) as lab:
        Page(lab.address).next()
        assert lab.finish(signal.SIGKILL)[0] == -signal.SIGKILL


def test_a_program_that_dies_is_one_line_and_can_be_started_anew():
    with shown(*PLUMMER, *ENDLESS) as lab:
        page = Page(lab.address)
        page.until(lambda header: header.get("iteration", 0) > 3)
        lab.program().kill()
        while not any("ended" in said for said in page.said):
            message = page.link.recv(timeout=60)
            if isinstance(message, str):
                page.said.append(json.loads(message))
        assert page.said[-1]["ended"]["text"] == "the program died: killed (signal 9)"
        page.link.send(json.dumps({"restart": True}))
        assert page.until(lambda header: "viewer" in header)["bodies"] == 200
        page.until(lambda header: header["iteration"] > 3)


def test_a_page_that_says_nonsense_is_let_go():
    with shown(*PLUMMER, *ENDLESS) as lab:
        for nonsense in (
            "{",
            '{"wish": 5}',
            json.dumps({"wish": {**WISH, "steps": -1}}),
            '{"shown": 77}',
            b"\xff" * 9,
            "x" * 10000,
        ):
            page = Page(lab.address)
            page.link.send(nonsense)
        other = Page(lab.address)
        other.until(lambda header: header.get("iteration", 0) > 3)


def test_a_port_that_is_taken_is_one_line():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        place = taken.getsockname()
        with pytest.raises(LabError, match=rf"127\.0\.0\.1:{place[1]} is in use: choose another"):
            run_until_signal(show_view([PLUMMER], "a", Look(), place))


@pytest.mark.parametrize(
    ("argv", "complaint"),
    [
        ([NAIVE, "-f", "nofile.dat", "-i", "1"], "naive: nofile.dat: cannot be read"),
        ([NAIVE, "-n", "10", "-i", "1", "--dt", "-1"], "naive: --dt needs a finite number > 0"),
        (["/no/such/program"], "/no/such/program: No such file or directory"),
    ],
)
def test_a_program_that_cannot_begin_is_one_line(argv, complaint):
    with pytest.raises(LabError, match=f"^{complaint}"):
        run_until_signal(show_view([argv], "a", Look(), ("127.0.0.1", 0)))


@pytest.mark.parametrize(("owns", "status"), [(False, 0), (True, 2)])
def test_a_viewer_that_is_not_there(tmp_path, owns, status):
    """It stops no run but one that is its own: that would have no end."""
    told = {
        "LAB_VIEWER": str(tmp_path / "nobody"),
        "LAB_VIEWER_WISH": Wish(owns=owns).model_dump_json(),
    }
    run = subprocess.run(
        [*PLUMMER, "-i", "2"],
        env={**os.environ, **told},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stderr.count("\n")) == (status, 1)
    assert "cannot connect to the socket in LAB_VIEWER" in run.stderr


def test_what_nohup_protects_goes_on():
    code = (
        "import asyncio, os, signal; from nbody_lab.view.until_signal import run_until_signal\n"
        "signal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "async def work():\n"
        "    os.kill(os.getpid(), signal.SIGHUP)\n"
        "    await asyncio.sleep(0.1)\n"
        "    print('done')\n"
        "run_until_signal(work())"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True) == "done\n"
