// Problem: a step of many_steps is three kernels, and each starts only after the one before has
// ended everywhere. 1024 bodies are half a microsecond of work.
// Idea: one launch for all steps, and no barrier between the blocks. Each block keeps a copy of all
// bodies in shared memory and sends the accelerations of its own bodies to the others. A message
// carries a mark of its step, so whoever reads it sees whether it has arrived. Bodies that do not
// fit are computed as in many_steps.
// Predicted: 4.5 x with 1024 bodies: 1 us a step, where many_steps was to take 4 to 5. With 131072,
// too many for it, 1 x.
// Measured: 4.90 x with 1024 bodies: 1.84 us a step, 7.6 x split; 0.96 us with 256.
// With 131072 0.99 x.
// Why: of some 3900 cycles a step of 1024 bodies spends 1840 to 2090 on forces and their sums (17.5
// instructions for each would need 1120), 480 on adding up and sending, 430 to 1460 on waiting (a
// message takes 510 to 730) and 130 to 630 on moving bodies and the barrier of the block
// (data/results/part3_exchange_phases.txt).
#pragma once

#include <array>

#include "../part3_cuda/08_many_steps.cuh"
#include "../part3_cuda/support/interaction.cuh"
#include "../part3_cuda/support/warp_per_body.cuh"
#include "cuda/occupancy.cuh"

namespace nbody {

// 1. The mailbox

// The acceleration of a body and the squared distance of its nearest neighbour, whose last bit says
// which step it belongs to. The 16 bytes are written and read in one piece: if the bit is as
// expected, the other three numbers are there too. In double they would be two pieces.
struct alignas(16) Message {
  real3 a;
  unsigned nearest2_and_tag;
};

__device__ inline void send(Message* to, const real4& sum, unsigned tag) {
  const float x = sum.x, y = sum.y, z = sum.z, w = sum.w;
  asm volatile(
      "{ .reg .b64 low, high; .reg .b128 all;"
      "  mov.b64 low, {%1, %2}; mov.b64 high, {%3, %4}; mov.b128 all, {low, high};"
      "  st.relaxed.gpu.global.b128 [%0], all; }" ::"l"(to),
      "f"(x), "f"(y), "f"(z), "r"((__float_as_uint(w) & ~1u) | tag)
      : "memory");
}

__device__ inline Message receive(const Message* from) {
  float x, y, z;
  unsigned w;
  asm volatile(
      "{ .reg .b64 low, high; .reg .b128 all; ld.relaxed.gpu.global.b128 all, [%4];"
      "  mov.b128 {low, high}, all; mov.b64 {%0, %1}, low; mov.b64 {%2, %3}, high; }"
      : "=f"(x), "=f"(y), "=f"(z), "=r"(w)
      : "l"(from)
      : "memory");
  return {{x, y, z}, w};
}

// 2. Who has which bodies

// A block has `own` bodies, I of them in each thread, and a copy of all others, `per_thread` of
// them in each thread.
struct ExchangeShape {
  int own, I, threads, per_thread;

  // No block without bodies: the others would not wait for it.
  constexpr int blocks(std::size_t n) const { return (static_cast<int>(n) + own - 1) / own; }
  // own / I neighbouring threads have all own bodies; groups of so many share the bodies j.
  constexpr int groups() const { return threads / (own / I); }
  // Positions and masses of all bodies, in full turns of the groups.
  constexpr int rows(std::size_t n) const {
    return (blocks(n) * own + groups() - 1) / groups() * groups();
  }
  // All blocks must run at once, one on each multiprocessor.
  constexpr bool suits(std::size_t n, int multiprocessors, int most_shared) const {
    return n <= std::size_t(threads) * per_thread && blocks(n) <= multiprocessors &&
           16 * (rows(n) + threads) < most_shared;
  }
};

// The fewer bodies a block has, the sooner it finishes; fastest shapes first.
constexpr std::array exchange_shapes = {ExchangeShape{4, 1, 512, 1}, ExchangeShape{8, 1, 1024, 1},
                                        ExchangeShape{16, 2, 512, 4}, ExchangeShape{32, 2, 512, 8}};

// 3. What a thread does in a step

struct Run {
  int n;
  Arrays bodies, velocity, acceleration;
  real G, softening2;
  std::uint64_t steps;
  real dt, dt_floor;  // of all steps, or the smallest one if they are adaptive
  double* time;       // that passes

  __device__ real4 body(int j) const {
    return {bodies.x[j], bodies.y[j], bodies.z[j], G * bodies.w[j]};
  }
};

__device__ inline real square(const real3& a) { return a.x * a.x + a.y * a.y + a.z * a.z; }

// Eq. 7 with an error of 2^-22; 0 for bodies at the same place, even at rest, where it is 0/0.
__device__ inline real step_of_body(const real3& v, const real3& a, real nearest2) {
  const auto root = [](real x) { return estimate_of_sqrt(x); };
  const real v2 = square(v), path = 0.2f * root(nearest2);
  return nearest2 == 0 ? 0 : __fdividef(path, root(v2) + root(v2 + path * root(square(a))));
}
__device__ inline real smallest_of_warp(real x) {
  return over_warp(x, [](real a, real b) { return min(a, b); });
}

__device__ inline real3 vector_at(const Arrays& from, int j) {
  return {from.x[j], from.y[j], from.z[j]};
}
__device__ inline void store(const Arrays& to, int j, const real3& a) {
  to.x[j] = a.x, to.y[j] = a.y, to.z[j] = a.z;
}

// The compiler optimises best if each number is computed only once.
template <int which, bool adaptive>
struct ExchangeThread {
  static constexpr ExchangeShape shape = exchange_shapes[which];
  static constexpr int own = shape.own, I = shape.I, per_thread = shape.per_thread;
  static constexpr int lanes = own / I, groups = shape.groups(), warps = shape.threads / 32;
  static constexpr int helpers = own >= 8 ? 4 : 32 / own;  // lanes that add up the sums of one body
  static constexpr int unroll = per_thread == 1 ? 1 : 4;
  static_assert(lanes >= 1 && 32 % lanes == 0 && warps % helpers == 0);
  static_assert(own * helpers <= shape.threads);

  real4* position;  // and G * mass, of all bodies, in shared memory
  real softening2;
  int padded = (gridDim.x * own + groups - 1) / groups * groups;
  int t = threadIdx.x, lane = t % 32, warp = t / 32, first = blockIdx.x * own;
  int i0 = t % lanes, group = t / lanes;

  __device__ bool owns(int j) const { return j >= first && j < first + own; }

  // The sums of the I bodies of a thread over the bodies j of its group.
  __device__ void add_group(real4 (&sum)[I]) const {
    real4 body[I];
    for (int i = 0; i < I; ++i) {
      // Three loads of one number each: a load of four would put x, y, z into registers of fixed
      // parity, the same as those of j, and j.x - body.x would read one register bank twice.
      const volatile real* one = &position[first + i0 + i * lanes].x;
      body[i] = {one[0], one[1], one[2], 0};
      sum[i] = {0, 0, 0, no_neighbour};
    }
    // Only rows first .. first + own - 1 can be a thread's own body; the others need no test.
    const int before = first / groups * groups;
    const int after = min((first + own + groups - 1) / groups * groups, padded);
    add_rows<false>(0, before, body, sum);
    add_rows<true>(before, after, body, sum);
    add_rows<false>(after, padded, body, sum);
  }

  // Eq. 1-3 for the bodies j of the group from row `from` to row `to`.
  template <bool own_rows>
  __device__ void add_rows(int from, int to, const real4 (&body)[I], real4 (&sum)[I]) const {
#pragma unroll unroll
    for (int j0 = from; j0 < to; j0 += groups) {
      const real4 j = position[j0 + group];
      for (int i = 0; i < I; ++i) {
        const real dx = j.x - body[i].x, dy = j.y - body[i].y, dz = j.z - body[i].z;
        real d2 = dx * dx + dy * dy + dz * dz;
        const real r2 = adaptive ? d2 + softening2 : dz * dz + (dy * dy + (dx * dx + softening2));
        real weight = j.w * inverse_cube(r2);
        if (own_rows && j0 + group == first + i0 + i * lanes) weight = 0, d2 = no_neighbour;
        add(sum[i], {weight * dx, weight * dy, weight * dz, d2});
      }
    }
  }

  __device__ static void add(real4& sum, const real4& other) {
    sum.x += other.x;
    sum.y += other.y;
    sum.z += other.z;
    if constexpr (adaptive) sum.w = min(sum.w, other.w);
  }
  // Adds the sum of the lane `distance` away.
  __device__ static void add_lane(real4& sum, int distance) {
    const auto of_other = [&](real x) { return __shfl_xor_sync(0xffffffff, x, distance); };
    add(sum, {of_other(sum.x), of_other(sum.y), of_other(sum.z), adaptive ? of_other(sum.w) : 0});
  }

  // The sums of all groups of this warp, for every own body.
  __device__ void add_groups_of_warp(real4 (&sum)[I], real4 (&of_warp)[own]) const {
    for (int i = 0; i < I; ++i) {
      for (int distance = lanes; distance < 32; distance *= 2) add_lane(sum[i], distance);
      if (lane < lanes) of_warp[i0 + i * lanes] = sum[i];
    }
  }

  // A few neighbouring lanes add up the warps' sums of one body and send the result to all blocks.
  __device__ void send_sums(const real4 (&of_warps)[warps][own], Message* box, unsigned tag) const {
    if (t >= own * helpers) return;
    const int b = t / helpers;
    real4 total{0, 0, 0, no_neighbour};
    for (int w = 0; w < warps / helpers; ++w) add(total, of_warps[w * helpers + t % helpers][b]);
    for (int distance = 1; distance < helpers; distance *= 2) add_lane(total, distance);
    if (t % helpers == 0) send(box + first + b, total, tag);
  }
};

// 4. The kernel

// All blocks must be resident. They move all bodies by the same operations on the same numbers, so
// their copies stay equal bit for bit. Messages of even and odd steps go to two buffers: a block
// can be one step ahead of another, never two, because it waits for every block's message.
//
// The loops over the bodies that a thread moves are not separate functions: those would access the
// velocities by address, and the compiler would round Eq. 5 in another order.
template <int which, bool adaptive>
__global__ __launch_bounds__(exchange_shapes[which].threads,
                             1) void exchange_steps(const Run run, Message* messages) {
  using Thread = ExchangeThread<which, adaptive>;
  constexpr int per_thread = Thread::per_thread, threads = Thread::shape.threads;
  extern __shared__ real4 position[];
  __shared__ real4 sum_of_warp[Thread::warps][Thread::own];
  __shared__ real step_of_warp[Thread::warps];
  const Thread self{position, run.softening2};
  real vx[per_thread], vy[per_thread], vz[per_thread];  // of the bodies it moves
#pragma unroll
  for (int k = 0; k < per_thread; ++k) {
    const int j = self.t + k * threads;
    const real3 v = j < run.n ? vector_at(run.velocity, j) : real3{0, 0, 0};
    vx[k] = v.x, vy[k] = v.y, vz[k] = v.z;
    if (j >= self.padded) continue;
    position[j] = {far_away, far_away, far_away, 0};
    if (j < run.n) position[j] = run.body(j);
  }
  __syncthreads();

  double elapsed = 0;
  for (unsigned long long step = 0; step < run.steps; ++step) {
    real4 sum[Thread::I];
    self.add_group(sum);
    self.add_groups_of_warp(sum, sum_of_warp[self.warp]);
    __syncthreads();

    const unsigned tag = (step / 2) % 2;
    Message* box = messages + (step % 2) * (gridDim.x * Thread::own);
    self.send_sums(sum_of_warp, box, tag);
    Message message[per_thread];
#pragma unroll
    for (int k = 0; k < per_thread; ++k) {
      if (self.t + k * threads < run.n) message[k] = receive(box + self.t + k * threads);
    }
    real dt = run.dt, own_step = no_neighbour;
#pragma unroll
    for (int k = 0; k < per_thread; ++k) {
      const int j = self.t + k * threads;
      if (j >= run.n) continue;
      while ((message[k].nearest2_and_tag & 1) != tag) message[k] = receive(box + j);
      const float nearest2 = __uint_as_float(message[k].nearest2_and_tag & ~1u);
      own_step = min(own_step, step_of_body({vx[k], vy[k], vz[k]}, message[k].a, nearest2));
    }
    if constexpr (adaptive) {
      own_step = smallest_of_warp(own_step);
      if (self.lane == 0) step_of_warp[self.warp] = own_step;
      __syncthreads();
      const real all = smallest_of_warp(step_of_warp[self.lane % Thread::warps]);
      if (run.n > 1 && all < no_neighbour) dt = max(all, run.dt_floor);
    }
#pragma unroll
    for (int k = 0; k < per_thread; ++k) {
      const int j = self.t + k * threads;
      if (j >= run.n) continue;
      real4 q = position[j];
      real3 v{vx[k], vy[k], vz[k]};
      move_body(q, v, message[k].a, dt);
      vx[k] = v.x, vy[k] = v.y, vz[k] = v.z;
      position[j] = q;
      if (step + 1 == run.steps && self.owns(j)) store(run.acceleration, j, message[k].a);
    }
    elapsed += dt;
    __syncthreads();
  }
  // Not in the loop: the addresses would take the registers that hide the latency of the forces.
#pragma unroll
  for (int k = 0; k < per_thread; ++k) {
    const int j = self.t + k * threads;
    if (j >= run.n || !self.owns(j)) continue;
    store(run.bodies, j, {position[j].x, position[j].y, position[j].z});
    store(run.velocity, j, {vx[k], vy[k], vz[k]});
  }
  if (blockIdx.x == 0 && self.t == 0) *run.time = elapsed;
}

// 5. The launch

class Exchange : public ManySteps {
 public:
  using ManySteps::ManySteps;

  double advance(std::uint64_t count, const StepRule& rule) override {
    if (count == 0) return 0;
    const Run run{int(n),     bodies.view(), velocity.view(), acceleration.view(), G,
                  softening2, count,         real(rule.dt),   real(rule.dt_floor), clock()};
    if (!(rule.adaptive ? in_one_launch<true>(run) : in_one_launch<false>(run))) {
      return ManySteps::advance(count, rule);
    }
    const double time = time_of_clock();  // and all steps are done
    // In float dt is rounded; the total time need not be.
    return rule.adaptive ? time : static_cast<double>(count) * rule.dt;
  }

 private:
  int most_blocks = static_cast<int>(multiprocessors());
  int most_shared = device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  DeviceArray<Message> messages{2 * (4096 + 32)};  // of two steps, by the largest shape

  // In the first shape that suits, if there is one.
  template <bool adaptive, int which = 0>
  bool in_one_launch(Run run) {
    if constexpr (which < int(exchange_shapes.size())) {
      constexpr ExchangeShape shape = exchange_shapes[which];
      if (!shape.suits(n, most_blocks, most_shared)) return in_one_launch<adaptive, which + 1>(run);
      const auto kernel = exchange_steps<which, adaptive>;
      const int shared = shape.rows(n) * 16;
      cuda_check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
      // No first message looks like this.
      cuda_check(cudaMemset(messages.data(), 0xff, messages.size() * sizeof(Message)));
      Message* box = messages.data();
      void* arguments[] = {&run, &box};
      // Cooperative: all blocks run at once, or none.
      timed("exchange", [&] {
        cuda_check(cudaLaunchCooperativeKernel(kernel, dim3(shape.blocks(n)), dim3(shape.threads),
                                               arguments, shared, nullptr));
      });
      return true;
    }
    return false;
  }
};

}  // namespace nbody
