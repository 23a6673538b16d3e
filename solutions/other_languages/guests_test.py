#!/usr/bin/env python3
"""Does a guest follow the protocol, and compute what docs/physics.md says?

    guests_test.py COMMAND...
"""

import json
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
FLOAT = 1e-5


class Guest:
    """A program under test, started anew for each talk."""

    def __init__(self, command):
        self.command = command

    def talk(self, *requests):
        """Its hello, and an answer to each request: [(header, columns)]."""
        with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listener:
            listener.bind(f"{folder}/socket")
            listener.listen(1)
            listener.settimeout(100)
            with subprocess.Popen([*self.command, "--serve"], env={**os.environ, "LAB_SOCKET": f"{folder}/socket"}) as process:
                connection, _ = listener.accept()
                connection.settimeout(100)
                with connection, connection.makefile("rwb") as stream:
                    said = [json.loads(stream.readline())]
                    for header, columns in requests:
                        stream.write(json.dumps(header).encode() + b"\n" + doubles(columns))
                        stream.flush()
                        said.append(self.answer(stream, header))
            if process.returncode:
                raise AssertionError(f"status {process.returncode}")
        return said

    @staticmethod
    def answer(stream, asked):
        header = json.loads(stream.readline())
        states = asked["steps"] if asked["every_state"] and asked["steps"] else 1
        count = 0 if "refused" in header else states * (1 + 6 * asked["n"]) + 3 * asked["n"] * asked["accelerations"]
        return header, struct.unpack(f"<{count}d", stream.read(8 * count))


def doubles(numbers):
    return struct.pack(f"<{len(numbers)}d", *numbers)


def request(bodies, **options):
    """bodies: rows of mass, x, y, z, vx, vy, vz."""
    header = {"request": 1, "n": len(bodies), "steps": 0, "integrator": "", "dt": 0.0, "adaptive": False,
              "dt_floor": 0.0, "G": 1.0, "softening": 0.0, "damping": 1.0, "every_state": False, "accelerations": True,
              "threads": 0}
    return {**header, **options}, [body[k] for k in range(7) for body in bodies]


def rows(values, n):
    return [list(row) for row in zip(*(values[k * n:(k + 1) * n] for k in range(len(values) // n)))]


def answer_of(answered, n):
    """([(time, rows of x, y, z, vx, vy, vz)], accelerations)"""
    header, numbers = answered
    assert "refused" not in header, header
    *states, a = [numbers[k:k + 1 + 6 * n] for k in range(0, len(numbers), 1 + 6 * n)]
    return [(time, rows(state, n)) for time, *state in states], rows(a, n)


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
    """Do guests follow the protocol?"""

    guest = None

    def example(self, name):
        """The header and the numbers that docs/protocol.md shows; in float, in which these programs compute."""
        text = re.search(rf"```{name}\n(.*?)```", (ROOT / "docs/protocol.md").read_text(encoding="utf-8"), re.S)[1]
        header, *numbers = text.replace('"double"', '"float"').splitlines()
        return json.loads(header), tuple(float(line.split()[-1]) for line in numbers)

    def test_the_example_of_the_document(self):
        hello, answered = self.guest.talk(self.example("request"))
        self.assertEqual(hello, {**self.example("hello")[0], "part": "languages", "name": hello["name"]})
        self.assertEqual(answered, self.example("answer"))

    def test_what_it_cannot_do_it_refuses_and_goes_on(self):
        pair = [[1, 0, 0, 0, 0, 0, 0], [1, 1, 0, 0, 0, 0, 0]]
        cases = (({"integrator": "rk4"}, "integrator rk4"), ({"integrator": "kdk"}, "integrator kdk"))
        _, *refused, right = self.guest.talk(*(request(pair, request=10 + k, **options) for k, (options, _) in enumerate(cases)), request(pair))
        for k, (_, words) in enumerate(cases):
            header = refused[k][0]
            self.assertEqual((header["request"], header["refused"]), (10 + k, "unsupported"))
            self.assertIn(words, header["text"])
        self.assertEqual(answer_of(right, 2)[1], [[1, 0, 0], [-1, 0, 0]])


class Physics(unittest.TestCase):
    """The checker's exact cases and steps, with few bodies."""

    guest = None

    def ask(self, bodies, **options):
        return answer_of(self.guest.talk(request(bodies, **options))[1], len(bodies))

    def assert_near(self, got, expected, what=""):
        self.assertEqual(len(got), len(expected))
        for one, other in zip(got, expected):
            size = sum(x * x for x in other)**0.5
            self.assertLessEqual(sum((x - y)**2 for x, y in zip(one, other))**0.5, FLOAT * size + 1e-300, f"{what} {one} {other}")

    def test_cases_of_known_answer(self):
        h, light = 1024.0, 2.0**-20
        corners = [[3072.0, *(h if c >> k & 1 else -h for k in range(3)), 0, 0, 0] for c in range(8)]
        cases = (([[5, 1, 2, 3, 0, 0, 0]], {}),  # alone
                 ([[1.9884e30, 0, 0, 0, 0, 0, 0], [5.972e24, 0, 1.496e11, 0, 0, 0, 0]], {"G": 6.67384e-11}),  # Sun and Earth
                 ([[125, 0, 0, 0, 0, 0, 0], [250, 0, 0, 3, 0, 0, 0]], {"G": 2.0, "softening": 4.0}),
                 ([[125, 0, 0, 0, 0, 0, 0]] * 2 + [[250, 0, 0, 3, 0, 0, 0]], {"softening": 4.0}),  # softened, at one place
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
        states, _ = self.ask(bodies, every_state=True, steps=3, softening=0.5, dt=0.125, damping=0.75)
        self.assertEqual([time for time, _ in states], [0.125, 0.25, 0.375])
        for _, state in states:
            bodies = stepped(bodies, accelerations(bodies, 1.0, 0.5), 0.125, 0.75)
            self.assert_near([row[:3] for row in state], [body[1:4] for body in bodies])
            self.assert_near([row[3:] for row in state], [body[4:] for body in bodies])

    def test_the_adaptive_step(self):
        bodies = cloud(5)
        for options, floor in (({}, 0.0), ({"dt_floor": 0.5}, 0.5)):
            a = accelerations(bodies, 1.0, 0.5)
            dt = max(largest_step(bodies, a), floor)
            [(time, state)], _ = self.ask(bodies, adaptive=True, steps=1, softening=0.5, dt=7.0, **options)
            self.assertAlmostEqual(time, dt, delta=FLOAT * dt)
            self.assert_near([row[:3] for row in state], [body[1:4] for body in stepped(bodies, a, dt)])


def main(command):
    loader, suite = unittest.defaultTestLoader, unittest.TestSuite()
    for case in (Protocol, Physics):
        case.guest = Guest(command)
        suite.addTests(loader.loadTestsFromTestCase(case))
    return 0 if unittest.TextTestRunner(verbosity=2).run(suite).wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
