#pragma once

#include "tiles.cuh"

namespace nbody {

// Eq. 1-3 and 8. A tile holds positions, then velocities.
__global__ void jerks_by_tiles(const real4* bodies, const real4* velocity, std::size_t n, real G,
                               real softening, real4* acceleration, real4* jerk) {
  extern __shared__ real4 tile[];
  real4* const speed = tile + blockDim.x;
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const real4 body = bodies[i < n ? i : n - 1], v = velocity[i < n ? i : n - 1];
  real ax = 0, ay = 0, az = 0, jx = 0, jy = 0, jz = 0;
  for (std::size_t first = 0; first < n; first += blockDim.x) {
    if (first + threadIdx.x < n) {
      tile[threadIdx.x] = bodies[first + threadIdx.x];
      speed[threadIdx.x] = velocity[first + threadIdx.x];
    }
    __syncthreads();  // no thread reads before all have written
    const unsigned size = size_of_tile(first, n);
    for (unsigned k = 0; k < size; ++k) {
      if (first + k == i) continue;
      const real dx = tile[k].x - body.x, dvx = speed[k].x - v.x;
      const real dy = tile[k].y - body.y, dvy = speed[k].y - v.y;
      const real dz = tile[k].z - body.z, dvz = speed[k].z - v.z;
      const real inverse_r = rsqrt(dx * dx + dy * dy + dz * dz + softening * softening);
      const real inverse_r2 = inverse_r * inverse_r;
      const real pull = tile[k].w * inverse_r * inverse_r2;
      const real approach = 3 * (dx * dvx + dy * dvy + dz * dvz) * inverse_r2;
      ax += pull * dx;
      ay += pull * dy;
      az += pull * dz;
      jx += pull * (dvx - approach * dx);
      jy += pull * (dvy - approach * dy);
      jz += pull * (dvz - approach * dz);
    }
    __syncthreads();  // no thread writes the next tile before all have read this one
  }
  if (i >= n) return;
  acceleration[i] = {G * ax, G * ay, G * az, 0};
  jerk[i] = {G * jx, G * jy, G * jz, 0};
}

// Problem: the Hermite integrator needs the jerk da/dt, and naive's version reads all bodies from
// global memory, ten numbers each.
// Idea: what tiles does for the accelerations, with the velocities in the tile as well.
// Changed: accelerations_and_jerk() is here. See docs/integrators.md.
class Jerk : public Tiles {
 public:
  using Tiles::Tiles;

  void accelerations_and_jerk(Vectors<real>& a, Vectors<real>& jerk) override {
    DeviceArray<real4> jerks(n);
    timed("accelerations, jerks", [&] {
      jerks_by_tiles<<<blocks_for(n, block), block, 2 * block * sizeof(real4)>>>(
          bodies.data(), velocity.data(), n, G, softening, acceleration.data(), jerks.data());
    });
    copy(acceleration, a.x, a.y, a.z);
    copy(jerks, jerk.x, jerk.y, jerk.z);
  }
};

}  // namespace nbody
