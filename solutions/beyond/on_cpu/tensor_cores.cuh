#pragma once

#include <cuda_fp16.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "../../part3_cuda/support/warp_reduce.cuh"
#include "cuda/cuda_check.cuh"

// Takes the place of ../tensor_cores.cuh when kernels run on the CPU.
namespace nbody {

namespace tensor {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
constexpr bool mem_row_major = true;

inline float number(float x) { return x; }
inline float number(half x) { return __half2float(x); }

// An operand stays in memory: a lane reads what it needs when it multiplies.
template <typename Use, int m, int n, int k, typename T, typename Layout = void>
struct fragment {
  const T* first;
  unsigned stride;
  float at(int row, int column) const {
    const bool by_rows = std::is_same_v<Layout, row_major>;
    return number(by_rows ? first[row * stride + column] : first[column * stride + row]);
  }
};
// Of a result each lane holds elements in a row.
template <int m, int n, int k, typename T>
struct fragment<accumulator, m, n, k, T> {
  static constexpr int num_elements = m * n / 32;
  T x[num_elements];
  static int row(int e) { return (static_cast<int>(threadIdx.x % 32) * num_elements + e) / n; }
  static int column(int e) { return (static_cast<int>(threadIdx.x % 32) * num_elements + e) % n; }
};

template <typename Sum>
void fill_fragment(Sum& sum, float x) {
  for (auto& element : sum.x) element = x;
}
template <typename Operand, typename T>
void load_matrix_sync(Operand& operand, const T* first, unsigned stride) {
  operand = {first, stride};
}
template <typename Sum, typename A, typename B>
void mma_sync(Sum& d, const A& a, const B& b, const Sum& c) {
  for (int e = 0; e < Sum::num_elements; ++e) {
    float sum = c.x[e];
    for (int k = 0; k < 16; ++k) sum += a.at(Sum::row(e), k) * b.at(k, Sum::column(e));
    d.x[e] = sum;
  }
}
template <typename T, typename Sum>
void store_matrix_sync(T* first, const Sum& sum, unsigned stride, bool) {
  for (int e = 0; e < Sum::num_elements; ++e)
    first[Sum::row(e) * stride + Sum::column(e)] = sum.x[e];
}

}  // namespace tensor

inline float smallest_in_warp(float x) {
  return over_warp(x, [](float a, float b) { return fminf(a, b); });
}
inline float largest_in_warp(float x) {
  return over_warp(x, [](float a, float b) { return fmaxf(a, b); });
}

inline int __ffsll(long long x) { return __builtin_ffsll(x); }

// Not as many as on a GPU, or a check on the CPU would never use half precision.
constexpr std::size_t fewest_bodies = 2200;

}  // namespace nbody

namespace cub {

struct DeviceRadixSort {
  template <typename Key>
  static cudaError_t SortPairs(void* space, std::size_t& bytes, const Key* keys, Key*,
                               const unsigned* numbers, unsigned* sorted, int n, int, int,
                               cudaStream_t) {
    bytes = 1;
    if (space == nullptr) return cudaSuccess;
    std::vector<int> order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] < keys[b]; });
    std::transform(order.begin(), order.end(), sorted, [&](int k) { return numbers[k]; });
    return cudaSuccess;
  }
};

}  // namespace cub
