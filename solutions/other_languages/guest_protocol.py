"""The simulator protocol (docs/protocol.md) for programs in Python; it computes nothing itself.

    serve("triton_naive", Naive)    answers requests until there are no more, with simulators of this class

    Naive(bodies, velocity, G, softening)   bodies: x, y, z, mass, four rows of float32; velocity: three
        compute_accelerations()             Eq. 1-3 of docs/physics.md, from the positions as they are
        largest_time_step()                 Eq. 7, with the accelerations computed last
        update_bodies(dt, damping)          Eq. 5, then Eq. 4, then velocities times the damping
        state()                             positions and velocities: two arrays of three rows
        accelerations()                     three rows
"""

import math
import os
import socket
import struct
import sys

import numpy as np

VERSION, REQUEST, ANSWER, REFUSAL, HELLO, UNSUPPORTED = 3, 1, 2, 3, 4, 5
HEADER, SETTING = "<8sIIQQ", "<4I2Q5d64s"
FLOAT, LARGEST = 4, 2**34
ACCELERATIONS, EVERY_STATE, ADAPTIVE, JERKS = 1, 2, 4, 8


class Refused(Exception):
    """A valid request that cannot be simulated; one line."""


class Unsupported(Refused):
    """A valid request for something that this program lacks."""


class NoRequest(Exception):
    """Bytes that are not a valid request; one line."""


# --- messages ------------------------------------------------------------------------------------


def channel():
    """(requests, answers). Descriptors 0 and 1 are moved first, so that stray output does no harm."""
    path = os.environ.pop("LAB_SOCKET", "")
    if path:
        connection = socket.socket(socket.AF_UNIX)
        connection.connect(path)
        return connection.makefile("rb"), connection.makefile("wb")
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    return requests, answers


def send(answers, kind, number, payload):
    answers.write(struct.pack(HEADER, b"NBODYLAB", VERSION, kind, number, len(payload)))
    answers.write(payload)
    answers.flush()


def read(requests, size):
    """`size` bytes, or fewer at the end of the input. Reads piecewise, since a header may lie about the size."""
    data = bytearray()
    while len(data) < size:
        piece = requests.read(min(size - len(data), 1 << 24))
        if not piece:
            break
        data += piece
    return bytes(data)


class Request:
    def __init__(self, payload):
        if len(payload) < struct.calcsize(SETTING):
            raise NoRequest("a request without a setting")
        (self.precision, self.flags, _, self.ranks, self.n, self.steps, self.G, self.softening, self.dt, self.floor, self.damping,
         name) = struct.unpack_from(SETTING, payload)
        self.integrator = name.rstrip(b"\0").decode("ascii", "replace")
        if not 1 <= self.n <= 2**27 or len(payload) != 136 + 56 * self.n or self.flags > 15 or self.precision not in (4, 8):
            raise NoRequest("a request of another shape")
        columns = np.frombuffer(payload, "<f8", offset=136).reshape(7, self.n)
        self.mass, self.position, self.velocity = columns[0], columns[1:4], columns[4:7]
        constants = (self.G, self.softening, self.dt, self.floor, self.damping)
        if not (np.isfinite(columns).all() and (self.mass > 0).all() and all(0 <= one < math.inf for one in constants)):
            raise NoRequest("a request with numbers out of range")

    def wants(self, flag):
        return bool(self.flags & flag)


def refuse_what_cannot_be_done(request):
    if request.precision != FLOAT:
        raise Refused("this program computes in float, and was asked for double")
    if request.wants(JERKS):
        raise Unsupported("this program computes no jerk: ask for accelerations only")
    if request.integrator:
        raise Unsupported(f"this program has no integrator {request.integrator}, only Eq. 4 and 5")
    if request.ranks > 1:
        raise Refused(f"this program runs as one process, but the request asks for {request.ranks} ranks")
    if request.wants(EVERY_STATE) and request.steps * (8 + 48 * request.n) > LARGEST - 24 - 24 * request.n:
        raise Refused(f"every state of {request.n} bodies over {request.steps} steps is too large an answer")


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

    def state(self, time, simulator):
        position, velocity = (np.float64(rows) for rows in simulator.state())
        return struct.pack("<d", time) + np.ldexp(position, self.length).tobytes() + np.ldexp(velocity, self.length - self.time).tobytes()

    def accelerations(self, simulator):
        return np.ldexp(np.float64(simulator.accelerations()), self.length - 2 * self.time).tobytes()


# --- a request -----------------------------------------------------------------------------------


def time_step(simulator, request, unit):
    dt = math.ldexp(request.dt, -unit)
    if not request.wants(ADAPTIVE) or request.n == 1:
        return dt
    largest = float(simulator.largest_time_step())
    return max(largest, math.ldexp(request.floor, -unit)) if largest < 1e300 else dt


def answer(make, request):
    refuse_what_cannot_be_done(request)
    units = Units(request)
    simulator = units.simulator(make, request)
    time, states = 0.0, []
    for _ in range(request.steps):
        simulator.compute_accelerations()
        dt = time_step(simulator, request, units.time)
        simulator.update_bodies(np.float32(dt), np.float32(request.damping))
        time += math.ldexp(dt, units.time)
        if request.wants(EVERY_STATE):
            states.append(units.state(time, simulator))
    states = states or [units.state(time, simulator)]
    if request.wants(ACCELERATIONS):
        simulator.compute_accelerations()
    counts = struct.pack("<2I2Q", request.flags & ACCELERATIONS, 0, request.n, len(states))
    return b"".join([counts, *states, units.accelerations(simulator) if request.wants(ACCELERATIONS) else b""])


def serve_one(make, requests, answers):
    """False at the end of the input."""
    head = read(requests, struct.calcsize(HEADER))
    if not head:
        return False
    if len(head) < struct.calcsize(HEADER):
        raise NoRequest("the input ended in a header")
    magic, version, kind, number, size = struct.unpack(HEADER, head)
    if (magic, version) != (b"NBODYLAB", VERSION):
        raise NoRequest(f"no message of version {VERSION}")
    try:
        if kind != REQUEST or size > LARGEST:
            raise NoRequest("a message that is no request")
        payload = read(requests, size)
        if len(payload) < size:
            raise NoRequest("the input ended in a request")
        send(answers, ANSWER, number, answer(make, Request(payload)))
    except Unsupported as lacking:
        send(answers, UNSUPPORTED, number, str(lacking).encode())
    except Refused as reason:
        send(answers, REFUSAL, number, str(reason).encode())
    except NoRequest as reason:
        send(answers, REFUSAL, number, str(reason).encode())
        raise
    except Exception as fault:  # of the simulator, for example no memory on the GPU
        send(answers, REFUSAL, number, f"{type(fault).__name__}: {fault}".split("\n")[0].encode()[:4096])
    return True


def serve(name, make):
    if sys.argv[1:] != ["--serve"]:
        print(f"{name}: speaks the lab's protocol alone; try ./lab check languages {name}", file=sys.stderr)
        sys.exit(2)
    try:
        requests, answers = channel()
        send(answers, HELLO, 0, struct.pack("<4I64s64s64s", FLOAT, 0, 1, 0, b"languages", name.encode(), b""))
        while serve_one(make, requests, answers):
            pass
    except (NoRequest, OSError) as fault:
        print(f"{name} --serve: {fault}", file=sys.stderr)
        sys.exit(2)
