#pragma once

// Replaces CUDA's <cuda_runtime.h>: kernels become functions that g++ compiles, and each of their
// threads a fibre of the CPU (CONTRIBUTING.md).

// CUDA's keywords. These macros are unavoidable: kernels use them.
#define __global__
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __grid_constant__

#include "cuda/on_cpu/arithmetic.hpp"
#include "cuda/on_cpu/launch.hpp"
#include "cuda/on_cpu/runtime_api.hpp"
#include "cuda/on_cpu/threads_together.hpp"
#include "cuda/on_cpu/vector_types.hpp"
