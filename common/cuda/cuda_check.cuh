#pragma once

#include <cuda_runtime.h>

#include <source_location>
#include <stdexcept>
#include <string>

namespace nbody {

// An error on the GPU. One line: where it was noticed, what it is, what to do.
class DeviceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Wraps every CUDA call: cuda_check(cudaMalloc(...)). Throws DeviceError.
void cuda_check(cudaError_t status,
                const std::source_location& where = std::source_location::current());

// After every launch: was it valid? An error inside the kernel shows later, at the next call that
// waits for it.
void check_launch(const std::source_location& where = std::source_location::current());

// part3_cuda/naive.cuh:57, whatever path the compiler was given.
std::string short_place(const std::source_location& where);

// The message of cuda_check(), without the place.
std::string complaint_about(cudaError_t status);

}  // namespace nbody
