#pragma once

#include <cuda_runtime.h>

#include <cstddef>

#include "cuda/arithmetic_kernels.cuh"

// Kernels that load or store and do as little else as possible, to measure bytes per second.
namespace nbody {

// Arrays are processed in chunks: a block takes one at a time, each thread four of its 16-byte
// numbers, with all loads in flight together.
constexpr unsigned loads_at_once = 4;
constexpr unsigned chunk_size = loads_at_once * ceiling_block;
constexpr std::size_t chunk_bytes = chunk_size * sizeof(float4);

// Repeats the `chunks` chunks of an array: the blocks of a launch take them in turn. All blocks
// take the same number, so that none works alone at the end.
struct Walk {
  unsigned chunks, chunk, step;
  __device__ explicit Walk(unsigned all)
      : chunks(all), chunk(blockIdx.x % all), step(gridDim.x % all) {}
  __device__ std::size_t place() const { return std::size_t{chunk} * chunk_size + threadIdx.x; }
  __device__ void next() {
    chunk += step;
    if (chunk >= chunks) chunk -= chunks;
  }
};

// A use of all four parts in two instructions, so that none need be loaded.
__device__ inline float added(float sum, float4 v) { return fmaf(v.x, v.y, fmaf(v.z, v.w, sum)); }

// .cg: from L2, not from the L1 of the multiprocessor.
__device__ inline void load_four(const float4* from, float4 (&values)[loads_at_once]) {
#pragma unroll
  for (unsigned k = 0; k < loads_at_once; ++k) values[k] = __ldcg(from + k * ceiling_block);
}

static __global__ void __launch_bounds__(ceiling_block)
    load_chunks(const float4* array, unsigned chunks, unsigned turns, float* results) {
  float sum = 0;
  Walk walk(chunks);
  for (unsigned turn = 0; turn < turns; ++turn, walk.next()) {
    float4 values[loads_at_once];
    load_four(array + walk.place(), values);
#pragma unroll
    for (const float4& value : values) sum = added(sum, value);
  }
  results[blockIdx.x * ceiling_block + threadIdx.x] = sum;
}

static __global__ void __launch_bounds__(ceiling_block)
    copy_chunks(const float4* from, float4* to, unsigned chunks, unsigned turns) {
  Walk walk(chunks);
  for (unsigned turn = 0; turn < turns; ++turn, walk.next()) {
    float4 values[loads_at_once];
    load_four(from + walk.place(), values);
#pragma unroll
    for (unsigned k = 0; k < loads_at_once; ++k) to[walk.place() + k * ceiling_block] = values[k];
  }
}

// Loads from shared memory, at a place that moves by `step` each time: the compiler does not know
// the step, so it has to load again.
constexpr unsigned shared_loads_of_a_turn = 32;

__device__ inline float added(float sum, float a, float b) { return fmaf(a, b, sum); }
__device__ inline float added(float sum, const float4& a, const float4& b) {
  return added(added(sum, a), b);
}

// `places` where a turn may begin: a power of two. `apart`: of the loads of a lane. `lanes`: each
// lane its own word, from its own bank; 1: all lanes the same number, as when a warp goes through a
// tile of bodies.
template <typename T, unsigned places, unsigned apart>
__global__ void __launch_bounds__(ceiling_block)
    load_shared(unsigned turns, unsigned step, float* results) {
  constexpr unsigned size = places + shared_loads_of_a_turn * apart;
  __shared__ T tile[size];
  float* const words = reinterpret_cast<float*>(tile);
  for (unsigned k = threadIdx.x; k < sizeof tile / sizeof(float); k += ceiling_block) {
    words[k] = k + 1.0f;
  }
  __syncthreads();
  float sum = 0;
  unsigned from = threadIdx.x % apart;
#pragma unroll 1
  for (unsigned turn = 0; turn < turns; ++turn) {
    const T* own = tile + from;
#pragma unroll
    for (unsigned k = 0; k < shared_loads_of_a_turn; k += 2) {
      sum = added(sum, own[k * apart], own[(k + 1) * apart]);
    }
    from = (from + step) % places;
  }
  results[blockIdx.x * ceiling_block + threadIdx.x] = sum;
}

}  // namespace nbody
