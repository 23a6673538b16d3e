#pragma once

#include "../part3_cuda/support/interaction.cuh"
#include "../part3_cuda/support/padded_arrays.cuh"
#include "../part3_cuda/support/warp_per_body.cuh"

namespace nbody {

// How many steps, and how each is chosen: like StepRule, in the number type of the bodies.
struct Steps {
  unsigned long long count;
  real dt, dt_floor;
};

// Eq. 7 of one body from squared lengths; 0 for bodies at the same place, even at rest, where it is
// 0/0. The roots are approximate: an error of 2^-22.
__device__ inline float step_of_body(float v2, float a2, float nearest2) {
  const auto root = [](float x) { return estimate_of_sqrt(x); };
  const float distance = root(nearest2);
  if (nearest2 == 0) return 0;
  return __fdividef(0.2f * distance, root(v2) + root(v2 + 0.2f * distance * root(a2)));
}
__device__ inline double step_of_body(double v2, double a2, double nearest2) {
  const double distance = sqrt(nearest2);
  if (nearest2 == 0) return 0;
  return 0.2 * distance / (sqrt(v2) + sqrt(v2 + 0.2 * distance * sqrt(a2)));
}

// Over the 32 lanes of a warp; for positive numbers.
__device__ inline real smallest_of_warp(real x) {
  return over_warp(x, [](real a, real b) { return min(a, b); });
}

// At most 32 bodies, one per lane: one warp does all steps in one launch, and nothing leaves the
// multiprocessor. Here the chain of latencies of a step matters, not arithmetic.
template <bool adaptive>
__global__ void one_warp(int n, Arrays bodies, Arrays velocity, Arrays acceleration, real G,
                         real softening2, Steps steps, double* time) {
  __shared__ real4 position[2][32];
  const int lane = threadIdx.x;
  const bool has_body = lane < n;
  real4 q{far_away, far_away, real(lane) * far_away, 0};
  real vx = 0, vy = 0, vz = 0, ax = 0, ay = 0, az = 0;
  if (has_body) {
    q = {bodies.x[lane], bodies.y[lane], bodies.z[lane], G * bodies.w[lane]};
    vx = velocity.x[lane];
    vy = velocity.y[lane];
    vz = velocity.z[lane];
  }
  double elapsed = 0;
  for (unsigned long long step = 0; step < steps.count; ++step) {
    real4* now = position[step % 2];
    now[lane] = q;
    __syncwarp();
    real nearest2 = no_neighbour;
    ax = ay = az = 0;
#pragma unroll 6
    for (int k = 0; k < n; ++k) {
      const real4 j = now[k];
      const real dx = j.x - q.x;
      const real dy = j.y - q.y;
      const real dz = j.z - q.z;
      const real d2 = dx * dx + dy * dy + dz * dz;
      const real pull = k == lane ? 0 : j.w * inverse_cube(d2 + softening2);
      if constexpr (adaptive) nearest2 = k == lane ? nearest2 : min(nearest2, d2);
      ax += pull * dx;
      ay += pull * dy;
      az += pull * dz;
    }
    real dt = steps.dt;
    if constexpr (adaptive) {
      const real own =
          step_of_body(vx * vx + vy * vy + vz * vz, ax * ax + ay * ay + az * az, nearest2);
      const real smallest = smallest_of_warp(has_body && n > 1 ? own : no_neighbour);
      if (smallest < no_neighbour) dt = max(smallest, steps.dt_floor);
    }
    if (has_body) {
      real3 v{vx, vy, vz};
      move_body(q, v, {ax, ay, az}, dt);
      vx = v.x, vy = v.y, vz = v.z;
    }
    elapsed += dt;
  }
  if (has_body) {
    bodies.x[lane] = q.x;
    bodies.y[lane] = q.y;
    bodies.z[lane] = q.z;
    velocity.x[lane] = vx;
    velocity.y[lane] = vy;
    velocity.z[lane] = vz;
    acceleration.x[lane] = ax;
    acceleration.y[lane] = ay;
    acceleration.z[lane] = az;
  }
  if (lane == 0) *time = elapsed;
}

}  // namespace nbody
