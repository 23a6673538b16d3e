#pragma once

// Single instructions. In float rsqrtf with -ftz=true is the same one, but the compiler schedules
// it worse (solutions/README.md). When kernels run on the CPU, on_cpu/ has the file of the same
// name.
namespace nbody {

// 1/sqrt by one instruction; the largest relative error of a float is 2^-22.9.
__device__ inline float estimate_of_rsqrt(float x) {
  float y;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

// In double it has 20 bits.
__device__ inline double estimate_of_rsqrt(double x) {
  double y;
  asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
  return y;
}

__device__ inline float estimate_of_sqrt(float x) {
  float y;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
  return y;
}

}  // namespace nbody
