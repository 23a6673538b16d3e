"""The simulator protocol (docs/protocol.md) for programs in Python; it computes nothing itself.

    serve("triton_naive", Naive)    answers requests until there are no more, with simulators of this class

    Naive(bodies, velocity, G, softening)   bodies: x, y, z, mass, four rows of float32; velocity: three
        compute_accelerations()             Eq. 1-3 of docs/physics.md, from the positions as they are
        largest_time_step()                 Eq. 7, with the accelerations computed last
        update_bodies(dt, damping)          Eq. 5, then Eq. 4, then velocities times the damping
        state()                             positions and velocities: two arrays of three rows
        accelerations()                     three rows
"""

import json
import math
import os
import socket
import sys

import numpy as np

LARGEST = 2**34  # bytes after a header


class Refused(Exception):
    """A request that cannot be simulated; one line."""

    code = "failed"


class Unsupported(Refused):
    """A request for something that this program lacks."""

    code = "unsupported"


class Request:
    """`asked`: the header. The asker sends whole and valid requests only."""

    def __init__(self, asked, columns):
        self.asked, self.n, self.steps = asked, asked["n"], asked["steps"]
        self.G, self.softening, self.dt, self.floor = (asked[name] for name in ("G", "softening", "dt", "dt_floor"))
        numbers = np.frombuffer(columns, "<f8").reshape(7, self.n)
        self.mass, self.position, self.velocity = numbers[0], numbers[1:4], numbers[4:7]


def refuse_what_cannot_be_done(asked):
    n, steps, ranks = asked["n"], asked["steps"], asked["ranks"]
    if asked["precision"] != "float":
        raise Refused("this program computes in float, and was asked for double")
    if asked["jerk"]:
        raise Unsupported("this program computes no jerk: ask for accelerations only")
    if asked["integrator"]:
        raise Unsupported(f"this program has no integrator {asked['integrator']}, only Eq. 4 and 5")
    if ranks > 1:
        raise Refused(f"this program runs as one process, but the request asks for {ranks} ranks")
    if asked["every_state"] and steps * (8 + 48 * n) > LARGEST - 24 * n:
        raise Refused(f"every state of {n} bodies over {steps} steps is too large an answer")


# --- units ---------------------------------------------------------------------------------------


class Units:
    """Scales all numbers by powers of two into the range of a float (common/bodies/units.hpp)."""

    def __init__(self, request):
        self.length, self.mass = (math.frexp(abs(of).max())[1] for of in (request.position, request.mass))
        self.time = (3 * self.length - self.mass - math.frexp(request.G)[1] + 1) // 2 if request.G else 0

    def simulator(self, make, request):
        position, mass = np.ldexp(request.position, -self.length), np.ldexp(request.mass, -self.mass)
        velocity = np.ldexp(request.velocity, self.time - self.length)
        G = math.ldexp(request.G, self.mass + 2 * self.time - 3 * self.length)
        softening = math.ldexp(request.softening, -self.length)
        if np.abs(velocity).max() > 1e18 or softening > 1e18 or np.float32(mass).min() == 0:
            raise Refused("a velocity, the softening or a mass is beyond the range of a float")
        bodies = np.float32([*position, mass])
        ordered = bodies[:3, np.lexsort(bodies[:3])]
        if softening**3 < np.finfo(np.float32).tiny and (ordered[:, 1:] == ordered[:, :-1]).all(axis=0).any():
            raise Refused("two bodies stand at the same place in float: move one, or soften more")
        return make(bodies, np.float32(velocity), np.float32(G), np.float32(softening))

    def state(self, simulator):
        position, velocity = (np.float64(rows) for rows in simulator.state())
        return np.ldexp(position, self.length).tobytes() + np.ldexp(velocity, self.length - self.time).tobytes()

    def accelerations(self, simulator):
        return np.ldexp(np.float64(simulator.accelerations()), self.length - 2 * self.time).tobytes()


# --- a request -----------------------------------------------------------------------------------


def time_step(simulator, request, unit):
    dt = math.ldexp(request.dt, -unit)
    if not request.asked["adaptive"] or request.n == 1:
        return dt
    largest = float(simulator.largest_time_step())
    return max(largest, math.ldexp(request.floor, -unit)) if largest < 1e300 else dt


def answer(make, request):
    """The header of an answer, without its id, and its columns."""
    units = Units(request)
    simulator = units.simulator(make, request)
    time, times, states = 0.0, [], []
    for _ in range(request.steps):
        simulator.compute_accelerations()
        dt = time_step(simulator, request, units.time)
        simulator.update_bodies(np.float32(dt), np.float32(request.asked["damping"]))
        time += math.ldexp(dt, units.time)
        if request.asked["every_state"]:
            times.append(time)
            states.append(units.state(simulator))
    times, columns = times or [time], states or [units.state(simulator)]
    if request.asked["accelerations"]:
        simulator.compute_accelerations()
        columns.append(units.accelerations(simulator))
    header = {"n": request.n, "states": len(times), "accelerations": request.asked["accelerations"], "jerk": False}
    return header, np.array(times, "<f8").tobytes() + b"".join(columns)


def reply(make, asked, columns):
    try:
        refuse_what_cannot_be_done(asked)
        return answer(make, Request(asked, columns))
    except Refused as reason:
        return {"refused": reason.code, "text": str(reason)}, b""
    except Exception as fault:  # of the simulator, for example no memory on the GPU
        return {"refused": "failed", "text": f"{type(fault).__name__}: {fault}".split("\n")[0][:1000]}, b""


def send(stream, header, columns=b""):
    stream.write(json.dumps(header).encode() + b"\n" + columns)
    stream.flush()


def serve(name, make):
    path = os.environ.pop("LAB_SOCKET", "")
    if sys.argv[1:] != ["--serve"] or not path:
        print(f"{name}: speaks the lab's protocol alone; try ./lab check languages {name}", file=sys.stderr)
        sys.exit(2)
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        stream = connection.makefile("rwb")
        send(stream, {"protocol": 4, "part": "languages", "name": name, "precision": "float", "instruction_set": "", "ranks": 1,
                      "jerk": False})
        while line := stream.readline():
            asked = json.loads(line)
            header, columns = reply(make, asked, stream.read(56 * asked["n"]))
            send(stream, {"answer": asked["request"], **header}, columns)
