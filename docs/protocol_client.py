#!/usr/bin/env python3
"""Asks a simulator for the accelerations of three bodies and compares them with a direct sum.

    python3 docs/protocol_client.py build/release/bin/part1/naive

Uses nothing but the standard library and docs/protocol.md. Exit status: 0 they agree, 1 they do
not or there is no answer, 2 wrong usage.
"""

import json
import math
import os
import socket
import struct
import subprocess
import sys
import tempfile

MASSES = [3.0, 4.0, 5.0]
POSITIONS = [(0.0, 0.0, 0.0), (3.0, 0.0, 0.5), (0.0, 4.0, -1.0)]
N = len(MASSES)
TOLERANCE = 1e-5  # the program computes in float
REQUEST = {
    "request": 1,
    "n": N,
    "steps": 0,
    "integrator": "",
    "dt": 1.0,
    "adaptive": False,
    "dt_floor": 0.0,
    "G": 1.0,
    "softening": 0.0,
    "damping": 1.0,
    "every_state": False,
    "accelerations": True,
    "threads": 0,
}
COLUMNS = MASSES + [q[axis] for axis in range(3) for q in POSITIONS] + [0.0] * (3 * N)
ANSWER = {"request": 1}


def talk(program, path):
    """The program's hello, the header of its answer, and the columns."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen(1)
        listener.settimeout(60)
        environment = {**os.environ, "LAB_SOCKET": path}
        with subprocess.Popen([program, "--serve"], env=environment):
            connection, _ = listener.accept()
            connection.settimeout(60)
            with connection, connection.makefile("rwb") as stream:
                hello = json.loads(stream.readline())
                stream.write(json.dumps(REQUEST).encode() + b"\n" + struct.pack("<21d", *COLUMNS))
                stream.flush()
                answer = json.loads(stream.readline())
                columns = stream.read(8 * (1 + 9 * N)) if answer == ANSWER else b""
                return hello, answer, columns


def direct_sum(i):
    total = [0.0, 0.0, 0.0]
    for mass, q in zip(MASSES, POSITIONS):
        distance = math.dist(q, POSITIONS[i])
        if distance > 0:
            for axis in range(3):
                total[axis] += mass * (q[axis] - POSITIONS[i][axis]) / distance**3
    return total


def main(program):
    with tempfile.TemporaryDirectory() as folder:
        try:
            hello, answer, columns = talk(program, folder + "/socket")
        except (OSError, ValueError) as fault:
            sys.exit(f"no answer from {program}: {fault}")
    print(hello)
    if answer != ANSWER:
        sys.exit(f"no answer to the request: {answer}")
    numbers = struct.unpack(f"<{1 + 9 * N}d", columns)[1 + 6 * N :]  # after the time and a state
    agree = True
    for i in range(N):
        got, expected = numbers[i::N], direct_sum(i)
        error = math.dist(got, expected) / math.hypot(*expected)
        agree = agree and error <= TOLERANCE  # written so that NaN fails
        print(
            f"body {i}: got ({got[0]:.7f} {got[1]:.7f} {got[2]:.7f})"
            f" expected ({expected[0]:.7f} {expected[1]:.7f} {expected[2]:.7f}) error {error:.1e}"
        )
    print("they agree" if agree else "they differ")
    return 0 if agree else 1


if len(sys.argv) != 2:
    print(__doc__, file=sys.stderr)
    sys.exit(2)
sys.exit(main(sys.argv[1]))
