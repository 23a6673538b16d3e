"""part3/float4 in Python, without its loads of four numbers: numba compiles these functions for the GPU. One thread per body, with the loop over j.

A constant without float32() would be a double and turn everything it touches into double. An index of uint64 cannot
count from the end, so no test is needed. An iteration of `while` has half the instructions of one of `for`.
"""

import math

import numpy as np
from guest_protocol import serve
from numba import cuda, float32, uint64
from numba.cuda import libdevice

BLOCK = 256  # threads
ZEROTH, NEXT = uint64(0), uint64(1)
ZERO, HALF, FIFTH, INFINITY = float32(0), float32(0.5), float32(0.2), float32(math.inf)


# bodies has four rows: x, y, z, mass.
@cuda.jit(fastmath=True)
def accelerations(bodies, G, softening, result):
    n, i = uint64(bodies.shape[1]), uint64(cuda.grid(1))
    if i >= n:
        return
    x, y, z = bodies[0, i], bodies[1, i], bodies[2, i]
    ax, ay, az = ZERO, ZERO, ZERO
    j = ZEROTH
    while j < n:
        if i != j:
            dx, dy, dz = bodies[0, j] - x, bodies[1, j] - y, bodies[2, j] - z
            inverse_r = libdevice.rsqrtf(dx * dx + dy * dy + dz * dz + softening * softening)
            pull = bodies[3, j] * inverse_r * inverse_r * inverse_r
            ax += pull * dx
            ay += pull * dy
            az += pull * dz
        j += NEXT
    result[0, i] = G * ax
    result[1, i] = G * ay
    result[2, i] = G * az


@cuda.jit(device=True)
def length(rows, i):
    return math.sqrt(rows[0, i] * rows[0, i] + rows[1, i] * rows[1, i] + rows[2, i] * rows[2, i])


# Eq. 7: the time in which body i moves 10 % of the way to its nearest neighbour.
@cuda.jit
def time_steps(bodies, velocity, acceleration, steps):
    n, i = uint64(bodies.shape[1]), uint64(cuda.grid(1))
    if i >= n:
        return
    nearest2 = INFINITY
    for j in range(n):
        if i != j:
            dx, dy, dz = bodies[0, j] - bodies[0, i], bodies[1, j] - bodies[1, i], bodies[2, j] - bodies[2, i]
            nearest2 = min(nearest2, dx * dx + dy * dy + dz * dz)
    nearest = math.sqrt(nearest2)
    v, a = length(velocity, i), length(acceleration, i)
    # At rest, Eq. 7 is 0/0 where nearest is 0.
    steps[i] = FIFTH * nearest / (v + math.sqrt(v * v + FIFTH * a * nearest)) if nearest > ZERO else ZERO


# Eq. 5 with the old velocity, then Eq. 4.
@cuda.jit
def update(bodies, velocity, acceleration, dt, damping):
    i = cuda.grid(1)
    if i < bodies.shape[1]:
        for axis in range(3):
            bodies[axis, i] += velocity[axis, i] * dt + acceleration[axis, i] * dt * dt * HALF
            velocity[axis, i] = (velocity[axis, i] + acceleration[axis, i] * dt) * damping


class Naive:
    """The bodies stay on the GPU for all steps of a request."""

    def __init__(self, bodies, velocity, G, softening):
        self.bodies, self.velocity = cuda.to_device(bodies), cuda.to_device(velocity)
        self.G, self.softening = G, softening
        self.acceleration = cuda.device_array_like(velocity)
        self.steps = cuda.device_array(bodies.shape[1], np.float32)
        self.blocks = (bodies.shape[1] + BLOCK - 1) // BLOCK

    def compute_accelerations(self):
        accelerations[self.blocks, BLOCK](self.bodies, self.G, self.softening, self.acceleration)

    def largest_time_step(self):
        time_steps[self.blocks, BLOCK](self.bodies, self.velocity, self.acceleration, self.steps)
        return self.steps.copy_to_host().min()

    def update_bodies(self, dt, damping):
        update[self.blocks, BLOCK](self.bodies, self.velocity, self.acceleration, dt, damping)

    def state(self):
        return self.bodies.copy_to_host()[:3], self.velocity.copy_to_host()

    def accelerations(self):
        return self.acceleration.copy_to_host()


if __name__ == "__main__":
    serve("numba_cuda_naive", Naive)
