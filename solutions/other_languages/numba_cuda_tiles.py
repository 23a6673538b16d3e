"""part3/tiles in Python: the threads of a block load a tile of bodies into shared memory, and all of them read it there."""

import math

from numba import cuda, float32

from guest_protocol import serve
from numba_cuda_naive import BLOCK, ONE, ZERO, Naive


@cuda.jit(fastmath=True)
def accelerations_by_tiles(bodies, G, softening, result):
    n = bodies.shape[1]
    i, thread = cuda.grid(1), cuda.threadIdx.x
    tile = cuda.shared.array((4, BLOCK), float32)
    body = min(i, n - 1)  # threads beyond the last body load and wait with the others
    x, y, z = bodies[0, body], bodies[1, body], bodies[2, body]
    ax, ay, az = ZERO, ZERO, ZERO
    for first in range(0, n, BLOCK):
        if first + thread < n:
            for row in range(4):
                tile[row, thread] = bodies[row, first + thread]
        cuda.syncthreads()  # nobody reads before all have written
        for k in range(min(BLOCK, n - first)):
            if first + k != i:
                dx, dy, dz = tile[0, k] - x, tile[1, k] - y, tile[2, k] - z
                inverse_r = ONE / math.sqrt(dx * dx + dy * dy + dz * dz + softening * softening)
                pull = tile[3, k] * inverse_r * inverse_r * inverse_r
                ax += pull * dx
                ay += pull * dy
                az += pull * dz
        cuda.syncthreads()  # nobody writes the next tile before all have read this one
    if i < n:
        result[0, i] = G * ax
        result[1, i] = G * ay
        result[2, i] = G * az


class Tiles(Naive):
    def compute_accelerations(self):
        accelerations_by_tiles[self.blocks, BLOCK](self.bodies, self.G, self.softening, self.acceleration)


if __name__ == "__main__":
    serve("numba_cuda_tiles", Tiles)
