#pragma once

#include "interaction.cuh"
#include "padded_arrays.cuh"

namespace nbody {

// How many steps, and how each is chosen: as StepRule, in the number type of the bodies.
template <typename T>
struct Steps {
  unsigned long long count;
  T dt, dt_floor;
};

// Eq. 7 of one body from squared lengths. The roots are approximate: an error of 2^-22.
__device__ inline float step_of_body(float v2, float a2, float nearest2) {
  const auto root = [](float x) {
    float y;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
  };
  const float distance = root(nearest2);
  return __fdividef(0.2f * distance, root(v2) + root(v2 + 0.2f * distance * root(a2)));
}
__device__ inline double step_of_body(double v2, double a2, double nearest2) {
  const double distance = sqrt(nearest2);
  return 0.2 * distance / (sqrt(v2) + sqrt(v2 + 0.2 * distance * sqrt(a2)));
}

// Of the 32 lanes of a warp; positive.
template <typename T>
__device__ T smallest_of_warp(T x) {
  for (int distance = 16; distance > 0; distance /= 2) {
    x = min(x, __shfl_xor_sync(0xffffffff, x, distance));
  }
  return x;
}

// At most 32 bodies, one a lane: one warp does all steps in one launch, and nothing leaves the
// multiprocessor. What counts here is not arithmetic but the chain of latencies of a step.
template <typename T, bool adaptive>
__global__ void one_warp(int n, Arrays<T> bodies, Arrays<T> velocity, Arrays<T> acceleration, T G,
                         T softening2, Steps<T> steps, double* time) {
  __shared__ Four<T> position[2][32];
  const int lane = threadIdx.x;
  const bool real = lane < n;
  Four<T> q{far_away<T>, far_away<T>, T(lane) * far_away<T>, T(0)};
  T vx = T(0), vy = T(0), vz = T(0), ax = T(0), ay = T(0), az = T(0);
  if (real) {
    q = {bodies.x[lane], bodies.y[lane], bodies.z[lane], G * bodies.w[lane]};
    vx = velocity.x[lane];
    vy = velocity.y[lane];
    vz = velocity.z[lane];
  }
  double elapsed = 0;
  for (unsigned long long step = 0; step < steps.count; ++step) {
    Four<T>* now = position[step % 2];
    now[lane] = q;
    __syncwarp();
    T nearest2 = no_neighbour<T>;
    ax = ay = az = T(0);
#pragma unroll 6
    for (int k = 0; k < n; ++k) {
      const Four<T> j = now[k];
      const T dx = j.x - q.x;
      const T dy = j.y - q.y;
      const T dz = j.z - q.z;
      const T d2 = dx * dx + dy * dy + dz * dz;
      const T pull = k == lane ? T(0) : j.w * inverse_cube(d2 + softening2);
      if constexpr (adaptive) nearest2 = k == lane ? nearest2 : min(nearest2, d2);
      ax += pull * dx;
      ay += pull * dy;
      az += pull * dz;
    }
    T dt = steps.dt;
    if constexpr (adaptive) {
      const T own =
          step_of_body(vx * vx + vy * vy + vz * vz, ax * ax + ay * ay + az * az, nearest2);
      const T smallest = smallest_of_warp(real && n > 1 ? own : no_neighbour<T>);
      if (smallest < no_neighbour<T>) dt = max(smallest, steps.dt_floor);
    }
    if (real) {
      q.x += vx * dt + ax * dt * dt / T(2);
      q.y += vy * dt + ay * dt * dt / T(2);
      q.z += vz * dt + az * dt * dt / T(2);
      vx += ax * dt;
      vy += ay * dt;
      vz += az * dt;
    }
    elapsed += dt;
  }
  if (real) {
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
