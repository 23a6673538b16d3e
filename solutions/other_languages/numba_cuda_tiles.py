"""part3/tiles in Python: the threads of a block load a tile of bodies into shared memory, and all read it there."""

from guest_protocol import serve
from numba import cuda, float32, uint64
from numba.cuda import libdevice
from numba_cuda_naive import BLOCK, NEXT, ZERO, ZEROTH, Naive


@cuda.jit(fastmath=True)
def accelerations_by_tiles(bodies, G, softening, result):
    n, i, thread = uint64(bodies.shape[1]), uint64(cuda.grid(1)), uint64(cuda.threadIdx.x)
    tile = cuda.shared.array((4, BLOCK), float32)
    body = min(i, n - uint64(1))  # threads beyond the last body load and wait with the others
    x, y, z = bodies[0, body], bodies[1, body], bodies[2, body]
    ax, ay, az = ZERO, ZERO, ZERO
    for first in range(ZEROTH, n, uint64(BLOCK)):
        if first + thread < n:
            for row in range(4):
                tile[row, thread] = bodies[row, first + thread]
        cuda.syncthreads()  # no thread reads before all have written
        k, size = ZEROTH, min(uint64(BLOCK), n - first)
        while k < size:
            dx, dy, dz = tile[0, k] - x, tile[1, k] - y, tile[2, k] - z
            r2 = dx * dx + dy * dy + dz * dz + softening * softening
            inverse_r = libdevice.rsqrtf(r2) if r2 > ZERO else ZERO  # a body on itself; faster than comparing indices
            pull = tile[3, k] * inverse_r * inverse_r * inverse_r
            ax += pull * dx
            ay += pull * dy
            az += pull * dz
            k += NEXT
        cuda.syncthreads()  # no thread writes the next tile before all have read this one
    if i < n:
        result[0, i] = G * ax
        result[1, i] = G * ay
        result[2, i] = G * az


class Tiles(Naive):
    def compute_accelerations(self):
        accelerations_by_tiles[self.blocks, BLOCK](self.bodies, self.G, self.softening, self.acceleration)


if __name__ == "__main__":
    serve("numba_cuda_tiles", Tiles)
