#pragma once

// CUDA's vector types, as in <vector_types.h>, with their alignment.
#define ON_CPU_VECTORS(T, name, two, four)                              \
  struct alignas(two) name##2 {                                         \
    T x, y;                                                             \
  };                                                                    \
  struct name##3 {                                                      \
    T x, y, z;                                                          \
  };                                                                    \
  struct alignas(four) name##4 {                                        \
    T x, y, z, w;                                                       \
  };                                                                    \
  constexpr name##2 make_##name##2(T x, T y) { return {x, y}; }         \
  constexpr name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; } \
  constexpr name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
ON_CPU_VECTORS(float, float, 8, 16)
ON_CPU_VECTORS(double, double, 16, 16)
ON_CPU_VECTORS(int, int, 8, 16)
ON_CPU_VECTORS(unsigned, uint, 8, 16)
#undef ON_CPU_VECTORS

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};

// Indices of the current thread, set before it runs.
inline dim3 gridDim, blockDim;
inline uint3 blockIdx{}, threadIdx{};
constexpr int warpSize = 32;
