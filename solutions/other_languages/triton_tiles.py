"""part3/tiles in Triton: a block of bodies i against a tile of bodies j, as one matrix of distances; the sums of the
rows are taken once, at the end. The compiler decides where the tile lies until all have read it.
"""

import triton
import triton.language as tl
from guest_protocol import serve
from triton_naive import Naive, pull_of

BLOCK, TILE, WARPS = 64, 32, 4


@triton.jit
def accelerations_by_tiles(bodies, n, G, softening2, result, BLOCK: tl.constexpr, TILE: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)[:, None]
    x, y, z = tl.load(bodies + i, i < n), tl.load(bodies + n + i, i < n), tl.load(bodies + 2 * n + i, i < n)
    ax, ay, az = (tl.zeros([BLOCK, TILE], tl.float32), tl.zeros([BLOCK, TILE], tl.float32), tl.zeros([BLOCK, TILE], tl.float32))
    for first in range(0, n, TILE):
        j = first + tl.arange(0, TILE)[None, :]
        dx = tl.load(bodies + j, j < n, 0.0) - x
        dy = tl.load(bodies + n + j, j < n, 0.0) - y
        dz = tl.load(bodies + 2 * n + j, j < n, 0.0) - z
        pull = pull_of(dx, dy, dz, tl.load(bodies + 3 * n + j, j < n, 0.0), softening2)
        ax += pull * dx
        ay += pull * dy
        az += pull * dz
    tl.store(result + i, G * tl.sum(ax, 1, keep_dims=True), i < n)
    tl.store(result + n + i, G * tl.sum(ay, 1, keep_dims=True), i < n)
    tl.store(result + 2 * n + i, G * tl.sum(az, 1, keep_dims=True), i < n)


class Tiles(Naive):
    def compute_accelerations(self):
        accelerations_by_tiles[(triton.cdiv(self.n, BLOCK),)](
            self.bodies, self.n, self.G, self.softening2, self.acceleration, BLOCK, TILE, num_warps=WARPS)


if __name__ == "__main__":
    serve("triton_tiles", Tiles)
