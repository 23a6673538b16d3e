"""part1/naive in NumPy: a whole program, with protocol (docs/protocol.md) and physics (docs/physics.md).

It says that it computes in float, and computes in double, which is more than enough.
"""

import json
import os
import socket

import numpy as np

HELLO = {"protocol": 6, "part": "languages", "name": "numpy_naive", "precision": "float", "instruction_set": "", "ranks": 1}


def accelerations(mass, q, asked):
    """Eq. 1-3, and each body's distance to its nearest neighbour."""
    a, nearest2 = np.zeros_like(q), np.empty_like(mass)
    for i in range(len(mass)):
        d = q - q[:, i:i + 1]
        r2 = (d * d).sum(axis=0)
        r2[i] = np.inf  # no body pulls itself
        a[:, i] = asked["G"] * (d * (mass * (r2 + asked["softening"]**2)**-1.5)).sum(axis=1)
        nearest2[i] = r2.min()
    return a, np.sqrt(nearest2)


def answer(asked, columns):
    mass, q, v = columns[0], columns[1:4].copy(), columns[4:7].copy()
    time, numbers = 0.0, []
    for _ in range(asked["steps"]):
        a, nearest = accelerations(mass, q, asked)
        dt = asked["dt"]
        if asked["adaptive"] and len(mass) > 1:  # Eq. 7
            speed, pull = np.sqrt((v * v).sum(axis=0)), np.sqrt((a * a).sum(axis=0))
            dt = max(asked["dt_floor"], (0.2 * nearest / (speed + np.sqrt(speed**2 + 0.2 * pull * nearest))).min())
        q, v, time = q + v * dt + a * dt**2 / 2, (v + a * dt) * asked["damping"], time + dt  # Eq. 5 and 4
        if asked["every_state"]:
            numbers += [time, q, v]
    numbers = numbers or [time, q, v]
    return [*numbers, accelerations(mass, q, asked)[0]] if asked["accelerations"] else numbers


def send(stream, header, columns=()):
    stream.write(b"".join([json.dumps(header).encode(), b"\n", *(np.array(column, "<f8").tobytes() for column in columns)]))
    stream.flush()


if __name__ == "__main__":
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(os.environ["LAB_SOCKET"])
        stream = connection.makefile("rwb")
        send(stream, HELLO)
        while line := stream.readline():
            asked = json.loads(line)
            columns = np.frombuffer(stream.read(56 * asked["n"]), "<f8").reshape(7, -1)
            if asked["integrator"]:
                send(stream, {"request": asked["request"], "refused": "unsupported", "text": f"this program lacks the integrator {asked['integrator']}"})
            else:
                send(stream, {"request": asked["request"]}, answer(asked, columns))
