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
constexpr unsigned word_places = 1024;  // where a turn may begin: powers of two
constexpr unsigned body_places = 256;

// Each lane its own word, from its own bank.
static __global__ void __launch_bounds__(ceiling_block)
    load_shared_words(unsigned turns, unsigned step, float* results) {
  constexpr unsigned size = word_places + shared_loads_of_a_turn * lanes;
  __shared__ float tile[size];
  for (unsigned k = threadIdx.x; k < size; k += ceiling_block) tile[k] = k + 1.0f;
  __syncthreads();
  float sum = 0;
  unsigned from = threadIdx.x % lanes;
#pragma unroll 1
  for (unsigned turn = 0; turn < turns; ++turn) {
    const float* words = tile + from;
#pragma unroll
    for (unsigned k = 0; k < shared_loads_of_a_turn; k += 2) {
      sum = fmaf(words[k * lanes], words[(k + 1) * lanes], sum);
    }
    from = (from + step) % word_places;
  }
  results[blockIdx.x * ceiling_block + threadIdx.x] = sum;
}

// All lanes the same 16 bytes, as when a warp goes through a tile of bodies.
static __global__ void __launch_bounds__(ceiling_block)
    load_shared_broadcast(unsigned turns, unsigned step, float* results) {
  constexpr unsigned size = body_places + shared_loads_of_a_turn;
  __shared__ float4 tile[size];
  for (unsigned k = threadIdx.x; k < size; k += ceiling_block) {
    tile[k] = make_float4(k + 1.0f, k + 2.0f, k + 3.0f, k + 4.0f);
  }
  __syncthreads();
  float sum = 0;
  unsigned from = 0;
#pragma unroll 1
  for (unsigned turn = 0; turn < turns; ++turn) {
#pragma unroll
    for (unsigned k = 0; k < shared_loads_of_a_turn; ++k) sum = added(sum, tile[from + k]);
    from = (from + step) % body_places;
  }
  results[blockIdx.x * ceiling_block + threadIdx.x] = sum;
}

}  // namespace nbody
