#pragma once

#include "exchange_messages.cuh"
#include "exchange_sums.cuh"

namespace nbody {

// Position and G * mass of body j into shared memory; returns its velocity.
__device__ inline real3 load_body(int j, int n, int padded, const Arrays& bodies,
                                  const Arrays& velocity, real G, real4* position) {
  if (j < n) {
    position[j] = {bodies.x[j], bodies.y[j], bodies.z[j], G * bodies.w[j]};
    return {velocity.x[j], velocity.y[j], velocity.z[j]};
  }
  if (j < padded) position[j] = {far_away, far_away, far_away, 0};
  return {0, 0, 0};
}

__device__ inline void store(const Arrays& to, int j, const real3& numbers) {
  to.x[j] = numbers.x;
  to.y[j] = numbers.y;
  to.z[j] = numbers.z;
}

// A few neighbouring lanes add up the warps' sums of one body and send the result to all blocks.
template <int which, bool adaptive>
__device__ inline void send_sums(const real4 (&of_warps)[Layout<which>::warps][Layout<which>::own],
                                 Message* box, unsigned tag, int t, int first) {
  using L = Layout<which>;
  if (t >= L::own * L::helpers) return;
  const int b = t / L::helpers;
  real4 total{0, 0, 0, no_neighbour};
#pragma unroll
  for (int w = 0; w < L::warps / L::helpers; ++w) {
    const real4 part = of_warps[w * L::helpers + t % L::helpers][b];
    total.x += part.x;
    total.y += part.y;
    total.z += part.z;
    if constexpr (adaptive) total.w = min(total.w, part.w);
  }
#pragma unroll
  for (int distance = 1; distance < L::helpers; distance *= 2) add_lane<adaptive>(total, distance);
  if (t % L::helpers == 0) send(box + first + b, message_of(total, tag));
}

// Eq. 7 of the body that a message is about; v is its velocity.
__device__ inline real step_of(const Message& message, const real3& v) {
  const real3& a = message.a;
  return step_of_body(v.x * v.x + v.y * v.y + v.z * v.z, a.x * a.x + a.y * a.y + a.z * a.z,
                      __uint_as_float(message.step & ~1u));
}

// The smallest number over all threads of the block.
template <int warps>
__device__ inline real smallest_of_block(real x, real (&of_warps)[warps], int lane, int warp) {
  x = smallest_of_warp(x);
  if (lane == 0) of_warps[warp] = x;
  __syncthreads();
  return smallest_of_warp(of_warps[lane % warps]);
}

// All steps in one launch (cooperative: all blocks must be resident). Each block keeps the state of
// all bodies in shared memory, computes the accelerations of its own bodies, sends them to all,
// receives those of the others and updates its copy of the state: the same operations on the same
// numbers everywhere, so the copies stay equal bit for bit.
//
// Messages of even and odd iterations go to two buffers: a block can be one iteration ahead of
// another, never two, because it waits for every block's message. (So every block needs bodies:
// otherwise no block would wait for it.)
//
// The loops over the bodies that a thread moves are not separate functions: those would access the
// velocities by address, and the compiler would round Eq. 5 in another order.
template <int which, bool adaptive>
__global__ __launch_bounds__(Layout<which>::threads,
                             1) void exchange_steps(int n, Arrays bodies, Arrays velocity,
                                                    Arrays acceleration, real G, real softening2,
                                                    Steps steps, Message* messages, double* time) {
  using L = Layout<which>;
  extern __shared__ real4 position[];  // and G * mass, of all bodies
  __shared__ real4 sum_of_warp[L::warps][L::own];
  __shared__ real step_of_warp[L::warps];
  const int slots = gridDim.x * L::own;
  const int padded = (slots + L::groups - 1) / L::groups * L::groups;
  const int t = threadIdx.x, lane = t % 32, warp = t / 32, first = blockIdx.x * L::own;
  const int i0 = t % L::lanes, group = t / L::lanes;
  real vx[L::per_thread], vy[L::per_thread], vz[L::per_thread];  // of the bodies it moves
#pragma unroll
  for (int k = 0; k < L::per_thread; ++k) {
    const real3 v = load_body(t + k * L::threads, n, padded, bodies, velocity, G, position);
    vx[k] = v.x, vy[k] = v.y, vz[k] = v.z;
  }
  __syncthreads();

  double elapsed = 0;
  for (unsigned long long step = 0; step < steps.count; ++step) {
    real4 sum[L::I];
    add_group<which, adaptive>(position, padded, first, i0, group, softening2, sum);
    add_groups_of_warp<which, adaptive>(lane, i0, sum, sum_of_warp[warp]);
    __syncthreads();

    const unsigned tag = (step / 2) % 2;
    Message* box = messages + (step % 2) * slots;
    send_sums<which, adaptive>(sum_of_warp, box, tag, t, first);
    Message message[L::per_thread];
#pragma unroll
    for (int k = 0; k < L::per_thread; ++k) {
      if (t + k * L::threads < n) message[k] = receive(box + t + k * L::threads);
    }
    real dt = steps.dt, own_step = no_neighbour;
#pragma unroll
    for (int k = 0; k < L::per_thread; ++k) {
      const int j = t + k * L::threads;
      if (j >= n) continue;
      while ((message[k].step & 1) != tag) message[k] = receive(box + j);
      if constexpr (adaptive) own_step = min(own_step, step_of(message[k], {vx[k], vy[k], vz[k]}));
    }
    if constexpr (adaptive) {
      const real all = smallest_of_block(own_step, step_of_warp, lane, warp);
      if (n > 1 && all < no_neighbour) dt = max(all, steps.dt_floor);
    }
#pragma unroll
    for (int k = 0; k < L::per_thread; ++k) {
      const int j = t + k * L::threads;
      if (j >= n) continue;
      real4 q = position[j];
      real3 v{vx[k], vy[k], vz[k]};
      move_body(q, v, message[k].a, dt);
      vx[k] = v.x, vy[k] = v.y, vz[k] = v.z;
      position[j] = q;
      const bool last = step + 1 == steps.count;
      if (last && j >= first && j < first + L::own) store(acceleration, j, message[k].a);
    }
    elapsed += dt;
    __syncthreads();
  }
#pragma unroll
  for (int k = 0; k < L::per_thread; ++k) {
    const int j = t + k * L::threads;
    if (j < first || j >= first + L::own || j >= n) continue;
    store(bodies, j, {position[j].x, position[j].y, position[j].z});
    store(velocity, j, {vx[k], vy[k], vz[k]});
  }
  if (blockIdx.x == 0 && t == 0) *time = elapsed;
}

}  // namespace nbody
