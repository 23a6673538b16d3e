"""part3/float4 in Triton: a program has a block of bodies i, as one vector, and runs the loop over j.

There are no threads and no thread indices: the compiler decides how a vector is spread over them.
"""

import math

import torch
import triton
import triton.language as tl
from guest_protocol import serve

DEVICE = "cuda"
BLOCK = 128  # bodies i of a program


@triton.jit
def pull_of(dx, dy, dz, mass, softening2):
    """Pull of masses at these distances; 0 for a body on itself or beyond the last one, since 1/sqrt(0) is infinite."""
    r2 = dx * dx + dy * dy + dz * dz + softening2
    inverse_r = tl.where(r2 > 0, tl.rsqrt(r2), 0.0)
    return mass * inverse_r * inverse_r * inverse_r


# bodies has four rows of n: x, y, z, mass.
@triton.jit
def accelerations(bodies, n, G, softening2, result, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x, y, z = tl.load(bodies + i, i < n), tl.load(bodies + n + i, i < n), tl.load(bodies + 2 * n + i, i < n)
    ax, ay, az = tl.zeros([BLOCK], tl.float32), tl.zeros([BLOCK], tl.float32), tl.zeros([BLOCK], tl.float32)
    for j in range(n):
        dx, dy, dz = tl.load(bodies + j) - x, tl.load(bodies + n + j) - y, tl.load(bodies + 2 * n + j) - z
        pull = pull_of(dx, dy, dz, tl.load(bodies + 3 * n + j), softening2)
        ax += pull * dx
        ay += pull * dy
        az += pull * dz
    tl.store(result + i, G * ax, i < n)
    tl.store(result + n + i, G * ay, i < n)
    tl.store(result + 2 * n + i, G * az, i < n)


@triton.jit
def length(rows, n, i):
    x, y, z = tl.load(rows + i, i < n), tl.load(rows + n + i, i < n), tl.load(rows + 2 * n + i, i < n)
    return tl.sqrt(x * x + y * y + z * z)


# Eq. 7: the time in which body i moves 10 % of the way to its nearest neighbour.
@triton.jit
def time_steps(bodies, velocity, acceleration, n, infinity, steps, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x, y, z = tl.load(bodies + i, i < n), tl.load(bodies + n + i, i < n), tl.load(bodies + 2 * n + i, i < n)
    nearest2 = tl.zeros([BLOCK], tl.float32) + infinity
    for j in range(n):
        dx, dy, dz = tl.load(bodies + j) - x, tl.load(bodies + n + j) - y, tl.load(bodies + 2 * n + j) - z
        nearest2 = tl.minimum(nearest2, tl.where(i == j, infinity, dx * dx + dy * dy + dz * dz))
    nearest = tl.sqrt(nearest2)
    v, a = length(velocity, n, i), length(acceleration, n, i)
    dt = 0.2 * nearest / (v + tl.sqrt(v * v + 0.2 * a * nearest))
    tl.store(steps + i, tl.where(nearest > 0, dt, nearest), i < n)  # at rest, Eq. 7 is 0/0


# Eq. 5 with the old velocity, then Eq. 4: one coordinate of one body after the other, 3 n in all.
@triton.jit
def update(bodies, velocity, acceleration, n, dt, damping, BLOCK: tl.constexpr):
    k = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    q, v, a = tl.load(bodies + k, k < 3 * n), tl.load(velocity + k, k < 3 * n), tl.load(acceleration + k, k < 3 * n)
    tl.store(bodies + k, q + v * dt + a * dt * dt / 2, k < 3 * n)
    tl.store(velocity + k, (v + a * dt) * damping, k < 3 * n)


class Naive:
    """The bodies stay on the GPU for all steps of a request."""

    def __init__(self, bodies, velocity, G, softening):
        self.n, self.G, self.softening2 = bodies.shape[1], float(G), float(softening) ** 2
        self.bodies, self.velocity = (torch.from_numpy(rows).to(DEVICE) for rows in (bodies, velocity))
        self.acceleration, self.steps = torch.zeros_like(self.velocity), torch.zeros_like(self.bodies[0])

    def compute_accelerations(self):
        accelerations[(triton.cdiv(self.n, BLOCK),)](self.bodies, self.n, self.G, self.softening2, self.acceleration, BLOCK)

    def largest_time_step(self):
        time_steps[(triton.cdiv(self.n, BLOCK),)](self.bodies, self.velocity, self.acceleration, self.n, math.inf, self.steps, BLOCK)
        return self.steps.cpu().numpy().min()

    def update_bodies(self, dt, damping):
        blocks = triton.cdiv(3 * self.n, BLOCK)
        update[(blocks,)](self.bodies, self.velocity, self.acceleration, self.n, float(dt), float(damping), BLOCK)

    def state(self):
        return self.bodies.cpu().numpy()[:3], self.velocity.cpu().numpy()

    def accelerations(self):
        return self.acceleration.cpu().numpy()


if __name__ == "__main__":
    serve("triton_naive", Naive)
