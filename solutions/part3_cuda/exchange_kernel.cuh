#pragma once

#include <cstddef>
#include <type_traits>

#include "few_bodies.cuh"

namespace nbody {

// What blocks tell each other: the acceleration of a body and the step of Eq. 7, whose last bit
// says which iteration it belongs to. 16 bytes that are written and read in one piece: who finds
// the bit set as he expects has the other three numbers too, and no barrier is needed.
struct alignas(16) Message {
  float ax, ay, az;
  unsigned step;
};

__device__ inline void send(Message* to, const Message& message) {
  asm volatile(
      "{ .reg .b64 low, high; .reg .b128 all;"
      "  mov.b64 low, {%1, %2}; mov.b64 high, {%3, %4}; mov.b128 all, {low, high};"
      "  st.relaxed.gpu.global.b128 [%0], all; }"
      :
      : "l"(to), "f"(message.ax), "f"(message.ay), "f"(message.az), "r"(message.step)
      : "memory");
}

__device__ inline Message receive(const Message* from) {
  Message message;
  asm volatile(
      "{ .reg .b64 low, high; .reg .b128 all;"
      "  ld.relaxed.gpu.global.b128 all, [%4];"
      "  mov.b128 {low, high}, all; mov.b64 {%0, %1}, low; mov.b64 {%2, %3}, high; }"
      : "=f"(message.ax), "=f"(message.ay), "=f"(message.az), "=r"(message.step)
      : "l"(from)
      : "memory");
  return message;
}

// All steps in one launch (cooperative: all blocks must be resident). Each block keeps the state of
// all bodies in shared memory, computes the accelerations of `own` bodies, sends them to all,
// receives those of the others and updates its copy of the state: the same operations on the same
// numbers everywhere, so the copies stay equal bit for bit.
//
// Within a block, a thread has I bodies; own / I neighbouring lanes have all own bodies, and the
// groups of such lanes share the bodies j. Messages of even and odd iterations go to two buffers: a
// block can be one iteration ahead of another, never two, because it waits for everybody's message.
// (So no block may be without bodies: nobody would wait for it.)
template <int own, int I, int threads, int per_thread, bool adaptive, int unroll>
__global__ __launch_bounds__(threads, 1) void exchange_steps(int n, Arrays<float> bodies,
                                                             Arrays<float> velocity,
                                                             Arrays<float> acceleration, float G,
                                                             float softening2, Steps<float> steps,
                                                             Message* messages, double* time) {
  constexpr int lanes = own / I;           // that have all own bodies
  constexpr int groups = threads / lanes;  // that share the bodies j
  constexpr int warps = threads / 32;
  static_assert(lanes >= 1 && lanes <= 32 && 32 % lanes == 0);
  extern __shared__ Four<float> position[];  // and G * mass, of all bodies; pulls are summed below
  __shared__ Four<float> partial[warps][own];
  __shared__ float smallest[warps];
  const int slots = gridDim.x * own;
  const int padded = (slots + groups - 1) / groups * groups;
  const int t = threadIdx.x, lane = t % 32, warp = t / 32;
  const int first = blockIdx.x * own;
  const int i0 = t % lanes, group = t / lanes;

  float vx[per_thread], vy[per_thread], vz[per_thread];
#pragma unroll
  for (int k = 0; k < per_thread; ++k) {
    const int j = t + k * threads;
    vx[k] = vy[k] = vz[k] = 0;
    if (j < n) {
      position[j] = {bodies.x[j], bodies.y[j], bodies.z[j], G * bodies.w[j]};
      vx[k] = velocity.x[j];
      vy[k] = velocity.y[j];
      vz[k] = velocity.z[j];
    } else if (j < padded) {
      position[j] = {far_away<float>, far_away<float>, far_away<float>, 0.0f};
    }
  }
  __syncthreads();

  double elapsed = 0;
  for (unsigned long long step = 0; step < steps.count; ++step) {
    Four<float> body[I], sum[I];
#pragma unroll
    for (int i = 0; i < I; ++i) {
      // Three loads of one number each: a load of four would put x, y, z into registers of fixed
      // parity, the same as those of j, and j.x - body.x would read one register bank twice.
      const volatile float* one = &position[first + i0 + i * lanes].x;
      body[i] = {one[0], one[1], one[2], 0};
      sum[i] = {0, 0, 0, no_neighbour<float>};
    }
    const auto meet = [&](int from, int to, auto checked) {
#pragma unroll unroll
      for (int j0 = from; j0 < to; j0 += groups) {
        const Four<float> j = position[j0 + group];
#pragma unroll
        for (int i = 0; i < I; ++i) {
          const float dx = j.x - body[i].x;
          const float dy = j.y - body[i].y;
          const float dz = j.z - body[i].z;
          float d2 = 0, r2;
          if constexpr (adaptive) {
            d2 = dx * dx + dy * dy + dz * dz;
            r2 = d2 + softening2;
          } else {
            r2 = dz * dz + (dy * dy + (dx * dx + softening2));
          }
          float inverse = inverse_cube(r2);
          if constexpr (decltype(checked)::value) {
            if (j0 + group == first + i0 + i * lanes) {
              inverse = 0;
              d2 = no_neighbour<float>;
            }
          }
          const float pull = j.w * inverse;
          sum[i].x += pull * dx;
          sum[i].y += pull * dy;
          sum[i].z += pull * dz;
          if constexpr (adaptive) sum[i].w = min(sum[i].w, d2);
        }
      }
    };
    // Only rows first .. first + own - 1 can be a thread's own body; the others need no test.
    const int before = first / groups * groups;
    const int after = min((first + own + groups - 1) / groups * groups, padded);
    meet(0, before, std::false_type{});
    meet(before, after, std::true_type{});
    meet(after, padded, std::false_type{});

#pragma unroll
    for (int distance = lanes; distance < 32; distance *= 2) {
#pragma unroll
      for (int i = 0; i < I; ++i) {
        sum[i].x += __shfl_xor_sync(0xffffffff, sum[i].x, distance);
        sum[i].y += __shfl_xor_sync(0xffffffff, sum[i].y, distance);
        sum[i].z += __shfl_xor_sync(0xffffffff, sum[i].z, distance);
        if constexpr (adaptive) {
          sum[i].w = min(sum[i].w, __shfl_xor_sync(0xffffffff, sum[i].w, distance));
        }
      }
    }
    if (lane < lanes) {
#pragma unroll
      for (int i = 0; i < I; ++i) partial[warp][i0 + i * lanes] = sum[i];
    }
    __syncthreads();

    const unsigned tag = (step / 2) % 2;
    Message* box = messages + (step % 2) * slots;
    // A few neighbouring lanes add up the warps' sums of one body.
    constexpr int helpers = own >= 8 ? 4 : 32 / own;
    static_assert(warps % helpers == 0 && own * helpers <= threads);
    if (t < own * helpers) {
      const int b = t / helpers;
      Four<float> total{0, 0, 0, no_neighbour<float>};
#pragma unroll
      for (int w = 0; w < warps / helpers; ++w) {
        const Four<float> part = partial[w * helpers + t % helpers][b];
        total.x += part.x;
        total.y += part.y;
        total.z += part.z;
        if constexpr (adaptive) total.w = min(total.w, part.w);
      }
#pragma unroll
      for (int distance = 1; distance < helpers; distance *= 2) {
        total.x += __shfl_xor_sync(0xffffffff, total.x, distance);
        total.y += __shfl_xor_sync(0xffffffff, total.y, distance);
        total.z += __shfl_xor_sync(0xffffffff, total.z, distance);
        if constexpr (adaptive) {
          total.w = min(total.w, __shfl_xor_sync(0xffffffff, total.w, distance));
        }
      }
      if (t % helpers == 0) {
        send(box + first + b, {total.x, total.y, total.z, (__float_as_uint(total.w) & ~1u) | tag});
      }
    }

    Message message[per_thread];
#pragma unroll
    for (int k = 0; k < per_thread; ++k) {
      if (t + k * threads < n) message[k] = receive(box + t + k * threads);
    }
    float dt = steps.dt, own_step = no_neighbour<float>;
#pragma unroll
    for (int k = 0; k < per_thread; ++k) {
      const int j = t + k * threads;
      if (j < n) {
        while ((message[k].step & 1) != tag) message[k] = receive(box + j);
        if constexpr (adaptive) {
          const Message& m = message[k];
          own_step = min(own_step, step_of_body(vx[k] * vx[k] + vy[k] * vy[k] + vz[k] * vz[k],
                                                m.ax * m.ax + m.ay * m.ay + m.az * m.az,
                                                __uint_as_float(m.step & ~1u)));
        }
      }
    }
    if constexpr (adaptive) {
      own_step = smallest_of_warp(own_step);
      if (lane == 0) smallest[warp] = own_step;
      __syncthreads();
      const float all = smallest_of_warp(smallest[lane % warps]);
      if (n > 1 && all < no_neighbour<float>) dt = max(all, steps.dt_floor);
    }
#pragma unroll
    for (int k = 0; k < per_thread; ++k) {
      const int j = t + k * threads;
      if (j < n) {
        Four<float> q = position[j];
        q.x += vx[k] * dt + message[k].ax * dt * dt / 2;
        q.y += vy[k] * dt + message[k].ay * dt * dt / 2;
        q.z += vz[k] * dt + message[k].az * dt * dt / 2;
        vx[k] += message[k].ax * dt;
        vy[k] += message[k].ay * dt;
        vz[k] += message[k].az * dt;
        position[j] = q;
        if (step + 1 == steps.count && j >= first && j < first + own) {
          acceleration.x[j] = message[k].ax;
          acceleration.y[j] = message[k].ay;
          acceleration.z[j] = message[k].az;
        }
      }
    }
    elapsed += dt;
    __syncthreads();
  }
#pragma unroll
  for (int k = 0; k < per_thread; ++k) {
    const int j = t + k * threads;
    if (j >= first && j < first + own && j < n) {
      bodies.x[j] = position[j].x;
      bodies.y[j] = position[j].y;
      bodies.z[j] = position[j].z;
      velocity.x[j] = vx[k];
      velocity.y[j] = vy[k];
      velocity.z[j] = vz[k];
    }
  }
  if (blockIdx.x == 0 && t == 0) *time = elapsed;
}

}  // namespace nbody
