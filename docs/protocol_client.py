#!/usr/bin/env python3
"""Asks a simulator for the accelerations of three bodies and compares them with a direct sum.

    python3 docs/protocol_client.py build/release/bin/part1/naive

Uses nothing but the standard library and docs/protocol.md. Exit status: 0 they agree, 1 they do
not or there is no answer, 2 wrong usage.
"""
import math
import struct
import subprocess
import sys

VERSION = 3
G, STEPS, ID = 1.0, 0, 1
MASSES = [3.0, 4.0, 5.0]
POSITIONS = [(0.0, 0.0, 0.0), (3.0, 0.0, 0.5), (0.0, 4.0, -1.0)]
TOLERANCE = 1e-5  # the program computes in float


def request():
    n = len(MASSES)
    columns = MASSES + [q[axis] for axis in range(3) for q in POSITIONS] + [0.0] * (3 * n)
    payload = struct.pack("<4I2Q5d64s", 4, 1, 0, 0, n, STEPS, G, 0.0, 1.0, 0.0, 1.0, b"")
    payload += struct.pack(f"<{7 * n}d", *columns)
    return struct.pack("<8sIIQQ", b"NBODYLAB", VERSION, 1, ID, len(payload)) + payload


def first_frame(output):
    """Kind, id and payload of the first message, and what follows it."""
    if len(output) < 32:
        sys.exit("no message where one was expected")
    magic, version, kind, number, size = struct.unpack_from("<8sIIQQ", output)
    if (magic, version) != (b"NBODYLAB", VERSION) or len(output) < 32 + size:
        sys.exit(f"not a message of version {VERSION}: {output[:32]!r}")
    return kind, number, output[32:32 + size], output[32 + size:]


def told(kind, payload):
    """The program's description of itself."""
    if kind != 4 or len(payload) != 208:
        sys.exit("it says no hello")
    precision, _, ranks, _, *names = struct.unpack("<4I64s64s64s", payload)
    part, name, instruction_set = (text.rstrip(b"\0").decode("ascii", "replace") for text in names)
    return f"{part}/{name} {instruction_set}".strip() + f", {8 * precision} bit, {ranks} rank(s)"


def accelerations(kind, answered, payload):
    size = len(payload)
    if answered != ID:
        sys.exit(f"not an answer to the request: {answered}")
    if kind == 3:
        sys.exit("refused: " + payload.decode("utf-8", "replace"))
    if size < 24:
        sys.exit("an answer without counts")
    flags, zero, n, states = struct.unpack_from("<2I2Q", payload)
    offset = 24 + states * (8 + 48 * n)
    if (kind, flags, zero, n, states) != (2, 1, 0, len(MASSES), 1) or size != offset + 24 * n:
        sys.exit("an answer of another shape")
    x, y, z = (struct.unpack_from(f"<{n}d", payload, offset + 8 * n * axis) for axis in range(3))
    return list(zip(x, y, z))


def direct_sum(i):
    total = [0.0, 0.0, 0.0]
    for mass, q in zip(MASSES, POSITIONS):
        distance = math.dist(q, POSITIONS[i])
        if distance > 0:
            for axis in range(3):
                total[axis] += G * mass * (q[axis] - POSITIONS[i][axis]) / distance**3
    return total


if len(sys.argv) != 2:
    print(__doc__, file=sys.stderr)
    sys.exit(2)
try:
    served = subprocess.run([sys.argv[1], "--serve"], input=request(), stdout=subprocess.PIPE)
except OSError as fault:
    sys.exit(f"cannot start {sys.argv[1]}: {fault.strerror}")
agree = served.returncode == 0
hello, _, description, rest = first_frame(served.stdout)
print(told(hello, description))
kind, answered, payload, rest = first_frame(rest)
agree = agree and not rest
for i, got in enumerate(accelerations(kind, answered, payload)):
    expected = direct_sum(i)
    error = math.dist(got, expected) / math.hypot(*expected)
    agree = agree and error <= TOLERANCE  # written so that NaN fails
    print(f"body {i}: got ({got[0]:.7f} {got[1]:.7f} {got[2]:.7f})"
          f" expected ({expected[0]:.7f} {expected[1]:.7f} {expected[2]:.7f}) error {error:.1e}")
print("they agree" if agree else "they differ")
sys.exit(0 if agree else 1)
