// Which kernels the thread sanitizer stops, and at which line. as_cpp.py makes C++ of it first,
// which is compiled for the sanitizer.
#include <gtest/gtest.h>

#include "cuda/device_array.cuh"

extern "C" const char* __tsan_default_options() {
  return "exitcode=66:halt_on_error=1:report_thread_leaks=0";
}

namespace nbody {
namespace {

constexpr unsigned block = 64, blocks = 3, n = block * blocks;

constexpr int line_of_missing_barrier = __LINE__ + 4;
__global__ void rotate_without_barrier(unsigned* out) {
  __shared__ unsigned tile[block];
  tile[threadIdx.x] = out[threadIdx.x];
  out[threadIdx.x] = tile[(threadIdx.x + 1) % block];
}

__global__ void rotate(unsigned* out) {
  __shared__ unsigned tile[block];
  extern __shared__ unsigned other[];
  const unsigned i = blockIdx.x * block + threadIdx.x;
  tile[threadIdx.x] = other[threadIdx.x] = out[i];
  __syncthreads();
  out[i] = tile[(threadIdx.x + 1) % block] + other[(threadIdx.x + 2) % block];
}

// The third law: what body i of this block pulls, pulls body i, too. No two threads of a block
// meet: a barrier lies between the pairs of two bodies j.
constexpr int line_of_pairs = __LINE__ + 7;
__global__ void pairs(float* sums) {
  const unsigned i = blockIdx.x * block + threadIdx.x;
  for (unsigned other = blockIdx.x + 1; other < blocks; ++other) {
    for (unsigned k = 0; k < block; ++k) {
      const unsigned j = other * block + (threadIdx.x + k) % block;
      sums[i] += 1;
      sums[j] -= 1;
      __syncthreads();
    }
  }
}
__global__ void pairs_by_atomics(float* sums) {
  const unsigned i = blockIdx.x * block + threadIdx.x;
  for (unsigned j = i + 1; j < n; ++j) {
    atomicAdd(&sums[i], 1);
    atomicAdd(&sums[j], -1);
  }
}

// A step from one buffer into the other.
__global__ void step(const unsigned* from, unsigned* to) {
  const unsigned i = blockIdx.x * block + threadIdx.x;
  to[i] = from[i] + from[(i + 1) % n];
}
constexpr int line_of_step_in_place = __LINE__ + 3;
__global__ void step_in_place(unsigned* bodies) {
  const unsigned i = blockIdx.x * block + threadIdx.x;
  bodies[i] += bodies[(i + block) % n];
}

// Blocks that are no neighbours.
constexpr int line_of_first_and_last = __LINE__ + 2;
__global__ void first_and_last(unsigned* numbers) {
  if (blockIdx.x != 1) numbers[threadIdx.x] += 1;
}

template <bool together>
__global__ void pass_in_warp(unsigned* numbers) {
  numbers[threadIdx.x] = 1;
  if (together) __syncwarp();
  numbers[n + threadIdx.x] = numbers[threadIdx.x ^ 1];
}
constexpr int line_of_pass = __LINE__ - 2;

// The block that is the last to end adds up what all of them found.
template <bool fenced>
__global__ void sum_by_the_last(unsigned* ended, unsigned* found, unsigned* sum) {
  if (threadIdx.x != 0) return;
  found[blockIdx.x] = blockIdx.x;
  if (fenced) __threadfence();
  if (atomicAdd(ended, 1u) != blocks - 1) return;
  for (unsigned k = 0; k < blocks; ++k) *sum += found[k];
}
constexpr int line_of_last_sum = __LINE__ - 2;

struct Row {
  const char* name;
  int line;  // 0: no race
  void (*launch)(unsigned* numbers, float* sums);
};
constexpr Row rows[] = {
    {"missing barrier", line_of_missing_barrier,
     [](unsigned* a, float*) { rotate_without_barrier<<<1, block>>>(a); }},
    {"shared memory, in turn that of each block", 0,
     [](unsigned* a, float*) { rotate<<<blocks, block, block * sizeof(unsigned)>>>(a); }},
    {"third law between blocks", line_of_pairs,
     [](unsigned*, float* sums) { pairs<<<blocks, block>>>(sums); }},
    {"third law by atomics", 0,
     [](unsigned*, float* sums) { pairs_by_atomics<<<blocks, block>>>(sums); }},
    {"two buffers, launch after launch", 0,
     [](unsigned* a, float*) {
       step<<<blocks, block>>>(a, a + n);
       step<<<blocks, block>>>(a + n, a);
     }},
    {"one buffer", line_of_step_in_place,
     [](unsigned* a, float*) { step_in_place<<<blocks, block>>>(a); }},
    {"blocks that are no neighbours", line_of_first_and_last,
     [](unsigned* a, float*) {
       for (int launch = 0; launch < 2; ++launch) first_and_last<<<blocks, block>>>(a);
     }},
    {"a warp that meets", 0, [](unsigned* a, float*) { pass_in_warp<true><<<1, block>>>(a); }},
    {"a warp that does not", line_of_pass,
     [](unsigned* a, float*) { pass_in_warp<false><<<1, block>>>(a); }},
    {"last block after a fence", 0,
     [](unsigned* a, float*) { sum_by_the_last<true><<<blocks, block>>>(a, a + 1, a + n); }},
    {"last block without a fence", line_of_last_sum,
     [](unsigned* a, float*) { sum_by_the_last<false><<<blocks, block>>>(a, a + 1, a + n); }},
};

TEST(RacesOnCpu, AreStoppedAtTheirLine) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    const auto run = [&] {
      DeviceArray<unsigned> numbers(std::vector<unsigned>(2 * n, 0));
      DeviceArray<float> sums(std::vector<float>(n, 0));
      row.launch(numbers.data(), sums.data());
      std::exit(0);
    };
    if (row.line == 0) {
      EXPECT_EXIT(run(), testing::ExitedWithCode(0), "");
    } else {
      EXPECT_EXIT(run(), testing::ExitedWithCode(66),
                  "data race(.|\n)*races_test.cu:" + std::to_string(row.line));
    }
  }
}

}  // namespace
}  // namespace nbody
