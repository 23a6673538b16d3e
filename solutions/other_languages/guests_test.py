#!/usr/bin/env python3
"""Do the guests follow the protocol, and compute what docs/physics.md says? Those for a GPU run without one, by simulated/without_gpu.py;
that is slow, so there are few bodies.

    guests_test.py protocol COMMAND...   the example of docs/protocol.md, byte by byte, and what must be refused
    guests_test.py physics COMMAND...    cases with known answers, and steps
"""

import os
import re
import socket
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ACCELERATIONS, EVERY_STATE, ADAPTIVE, JERKS = 1, 2, 4, 8
FLOAT = 1e-5


class Guest:
    """A program under test; all requests are sent in advance."""

    def __init__(self, command):
        self.command = command

    def talk(self, sent, status=0):
        done = subprocess.run([*self.command, "--serve"], input=sent, capture_output=True, check=False, timeout=100)
        if done.returncode != status:
            raise AssertionError(f"status {done.returncode}, not {status}: {done.stderr.decode()}")
        return frames(done.stdout)


def frames(data):
    """(kind, id, payload) of each message."""
    found = []
    while data:
        magic, version, kind, number, size = struct.unpack_from("<8sIIQQ", data)
        assert (magic, version) == (b"NBODYLAB", 3) and len(data) >= 32 + size, data[:32]
        found.append((kind, number, data[32:32 + size]))
        data = data[32 + size:]
    return found


def request(bodies, number=1, precision=4, flags=ACCELERATIONS, ranks=0, steps=0, G=1.0, softening=0.0, dt=0.0, floor=0.0,
            damping=1.0, integrator=b""):
    """bodies: rows of mass, x, y, z, vx, vy, vz."""
    columns = [body[k] for k in range(7) for body in bodies]
    payload = struct.pack("<4I2Q5d64s", precision, flags, 0, ranks, len(bodies), steps, G, softening, dt, floor, damping, integrator)
    payload += struct.pack(f"<{len(columns)}d", *columns)
    return struct.pack("<8sIIQQ", b"NBODYLAB", 3, 1, number, len(payload)) + payload


def rows(values, n):
    return [list(row) for row in zip(*(values[k * n:(k + 1) * n] for k in range(len(values) // n)))]


def answer_of(message):
    """([(time, rows of x, y, z, vx, vy, vz)], accelerations)"""
    kind, _, payload = message
    assert kind == 2, payload
    flags, _, n, count = struct.unpack_from("<2I2Q", payload)
    numbers = struct.unpack(f"<{(len(payload) - 24) // 8}d", payload[24:])
    size = 1 + 6 * n
    states = [(numbers[k * size], rows(numbers[k * size + 1:(k + 1) * size], n)) for k in range(count)]
    return states, rows(numbers[count * size:], n) if flags & 1 else None


# --- the same in double, word for word ------------------------------------------------------------


def accelerations(bodies, G, softening):
    found = []
    for i, (_, *q) in enumerate(bodies):
        total = [0.0, 0.0, 0.0]
        for j, (mass, *p) in enumerate(bodies):
            if i != j:
                d = [p[k] - q[k] for k in range(3)]
                r2 = sum(x * x for x in d) + softening**2
                total = [total[k] + G * mass * d[k] / r2**1.5 for k in range(3)]
        found.append(total)
    return found


def largest_step(bodies, a):
    def of(i):
        D = min(sum((bodies[j][k] - bodies[i][k])**2 for k in (1, 2, 3))**0.5 for j in range(len(bodies)) if j != i)
        v, pull = sum(x * x for x in bodies[i][4:])**0.5, sum(x * x for x in a[i])**0.5
        return 0.2 * D / (v + (v * v + 0.2 * pull * D)**0.5)
    return min(map(of, range(len(bodies))))


def stepped(bodies, a, dt, damping=1.0):
    return [[b[0], *(b[k] + b[k + 3] * dt + a[i][k - 1] * dt * dt / 2 for k in (1, 2, 3)),
             *((b[k + 3] + a[i][k - 1] * dt) * damping for k in (1, 2, 3))] for i, b in enumerate(bodies)]


def cloud(n):
    """Arbitrary but reproducible bodies."""
    state = 1
    bodies = []
    for _ in range(n):
        body = []
        for _ in range(7):
            state = state * 6364136223846793005 % 2**64
            body.append(struct.unpack("<f", struct.pack("<f", state / 2**64 - 0.5))[0])
        bodies.append([body[0] + 1, *body[1:]])
    return bodies


class Protocol(unittest.TestCase):
    """Do guest_protocol.py and protocol.rs follow the protocol?"""

    guest = None

    def example(self, name):
        """Its bytes for float, in which these programs compute: a 4 instead of the 8 for double."""
        text = re.search(rf"```{name}\n(.*?)```", (ROOT / "docs/protocol.md").read_text(encoding="utf-8"), re.S)[1]
        data = b""
        for line in text.splitlines():
            repeated = re.match(r"(\w\w) x (\d+)", line)
            told = repeated and bytes.fromhex(repeated[1]) * int(repeated[2])
            data += told or bytes.fromhex(re.match(r"(?:[0-9a-f]{2} )*[0-9a-f]{2}", line)[0])
        return data[:32] + b"\4" + data[33:] if name in ("hello", "request") else data

    def test_the_example_of_the_document(self):
        hello, answered = self.guest.talk(self.example("request"))
        self.assertEqual(hello[:2], (4, 0))
        self.assertEqual((len(hello[2]), hello[2][:16]), (208, self.example("hello")[32:48]))
        self.assertEqual(hello[2][16:80].rstrip(b"\0"), b"languages")
        self.assertEqual(answered, frames(self.example("answer"))[0])

    def test_what_it_cannot_do_it_refuses_and_goes_on(self):
        pair, same = [[1, 0, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0, 0]], [[1, 2, 3, 4, 0, 0, 0]] * 2
        cases = ((dict(precision=8), "double", 3), (dict(flags=JERKS), "jerk", 5), (dict(integrator=b"kdk"), "has no integrator kdk", 5),
                 (dict(ranks=2), "ranks", 3), (dict(flags=EVERY_STATE, steps=2**40), "too large", 3))
        sent = b"".join(request(pair, 10 + k, **options) for k, (options, *_) in enumerate(cases))
        _, *refused, right = self.guest.talk(sent + request(same, 20) + request(pair, 21))
        for (_, words, expected), (kind, number, text) in zip((*cases, ({}, "same place", 3)), refused):
            self.assertEqual(kind, expected, number)
            self.assertIn(words, text.decode())
            self.assertNotIn("\n", text.decode())
        self.assertEqual(answer_of(right)[1], [[1, 0, 0], [-1, 0, 0]])

    def test_what_is_no_request_ends_it_with_status_2(self):
        good = request([[1, 0, 0, 0, 0, 0, 0]])
        for bad, refused in ((b"NBODYLAC" + good[8:], 0), (good[:8] + b"\2" + good[9:], 0), (good[:20], 0), (good[:100], 1),
                             (good[:12] + b"\2" + good[13:], 1), (request([[-1, 0, 0, 0, 0, 0, 0]]), 1),
                             (request([[1, float("nan"), 0, 0, 0, 0, 0]]), 1), (request([[1] * 7], flags=16), 1),
                             (request([[1] * 7], G=-1.0), 1), (good[:48] + b"\2" + good[49:], 1), (good[:24] + b"\377" * 8, 1)):
            kinds = [kind for kind, _, _ in self.guest.talk(bad, status=2)]
            self.assertEqual(kinds, [4] + [3] * refused, bad[:60])

    def test_through_a_socket(self):
        with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listener:
            listener.bind(f"{folder}/socket")
            listener.listen(1)
            listener.settimeout(100)
            with subprocess.Popen([*self.guest.command, "--serve"], env={**os.environ, "LAB_SOCKET": f"{folder}/socket"}) as process:
                connection, _ = listener.accept()
                connection.sendall(self.example("request"))
                connection.shutdown(socket.SHUT_WR)
                with connection.makefile("rb") as answers:
                    said = frames(answers.read())
                connection.close()
            self.assertEqual(process.returncode, 0)
        self.assertEqual(said[1], frames(self.example("answer"))[0])

    def test_without_serve_it_says_how_it_is_used(self):
        done = subprocess.run(self.guest.command, capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done.stderr)


class Physics(unittest.TestCase):
    """The checker's exact cases and steps, with few bodies."""

    guest = None

    def ask(self, bodies, **options):
        return answer_of(self.guest.talk(request(bodies, **options))[1])

    def assert_near(self, got, expected, what=""):
        self.assertEqual(len(got), len(expected))
        for one, other in zip(got, expected):
            size = sum(x * x for x in other)**0.5
            self.assertLessEqual(sum((x - y)**2 for x, y in zip(one, other))**0.5, FLOAT * size + 1e-300, f"{what} {one} {other}")

    def test_cases_of_known_answer(self):
        h, light = 1024.0, 2.0**-20
        corners = [[3072.0, *(h if c >> k & 1 else -h for k in range(3)), 0, 0, 0] for c in range(8)]
        cases = (([[5, 1, 2, 3, 0, 0, 0]], {}),  # alone
                 ([[1.9884e30, 0, 0, 0, 0, 0, 0], [5.972e24, 0, 1.496e11, 0, 0, 0, 0]], dict(G=6.67384e-11)),  # Sun and Earth
                 ([[125, 0, 0, 0, 0, 0, 0], [250, 0, 0, 3, 0, 0, 0]], dict(G=2.0, softening=4.0)),
                 ([[125, 0, 0, 0, 0, 0, 0]] * 2 + [[250, 0, 0, 3, 0, 0, 0]], dict(softening=4.0)),  # softened, at one place
                 ([[1.5, *[0] * 6], *corners], {}),  # nothing in the centre of a cube
                 ([[1, -(2.0**-25), 0, 0, 0, 0, 0], [1, 2.0**-25, 0, 0, 0, 0, 0], [light, 0, 1, 0, 0, 0, 0]], {}))  # a close pair
        for bodies, options in cases:
            states, got = self.ask(bodies, **options)
            self.assert_near([row[:3] for row in states[0][1]], [body[1:4] for body in bodies])
            expected = accelerations(bodies, options.get("G", 1.0), options.get("softening", 0.0))
            self.assert_near([a for a, b in zip(got, expected) if any(b)], [b for b in expected if any(b)], bodies)
            for a, b in zip(got, expected):
                self.assertTrue(any(b) or max(map(abs, a)) < 1e-3, a)

    def test_sizes_within_a_block_and_beyond(self):
        for n in (2, 33, 259):
            bodies = cloud(n)
            self.assert_near(self.ask(bodies, softening=0.25)[1], accelerations(bodies, 1.0, 0.25), f"N = {n}")

    def test_every_state_with_damping(self):
        bodies = cloud(5)
        states, _ = self.ask(bodies, flags=EVERY_STATE, steps=3, softening=0.5, dt=0.125, damping=0.75)
        self.assertEqual([time for time, _ in states], [0.125, 0.25, 0.375])
        for _, state in states:
            bodies = stepped(bodies, accelerations(bodies, 1.0, 0.5), 0.125, 0.75)
            self.assert_near([row[:3] for row in state], [body[1:4] for body in bodies])
            self.assert_near([row[3:] for row in state], [body[4:] for body in bodies])

    def test_the_adaptive_step(self):
        bodies = cloud(5)
        for options, floor in (({}, 0.0), (dict(floor=0.5), 0.5)):
            a = accelerations(bodies, 1.0, 0.5)
            dt = max(largest_step(bodies, a), floor)
            [(time, state)], _ = self.ask(bodies, flags=ADAPTIVE, steps=1, softening=0.5, dt=7.0, **options)
            self.assertAlmostEqual(time, dt, delta=FLOAT * dt)
            self.assert_near([row[:3] for row in state], [body[1:4] for body in stepped(bodies, a, dt)])


def main(words):
    kind, *command = words
    case = {"protocol": Protocol, "physics": Physics}[kind]
    case.guest = Guest(command)
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(case)
    return 0 if unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
