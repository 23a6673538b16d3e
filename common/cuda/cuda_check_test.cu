// No GPU is needed: an error is only a number here.
#include <gtest/gtest.h>

#include "cuda/cuda_check.cuh"

namespace nbody {
namespace {

std::string said_of(cudaError_t status,
                    const std::source_location& where = std::source_location::current()) {
  try {
    cuda_check(status, where);
  } catch (const DeviceError& error) {
    return error.what();
  }
  return "nothing";
}

TEST(Check, NamesTheLineAndSaysWhatToDo) {
  const std::pair<cudaError_t, const char*> rows[] = {
      {cudaErrorMemoryAllocation, "not enough GPU memory: use fewer bodies (-n)"},
      {cudaErrorNoDevice, "no NVIDIA GPU answers here"},
      {cudaErrorInvalidConfiguration, "another --block"},
      {cudaErrorLaunchOutOfResources, "a smaller --block"},
      {cudaErrorNoKernelImageForDevice, "LAB_CUDA_ARCHITECTURES=native"},
      {cudaErrorIllegalAddress, "a kernel before this call failed"},
      {cudaErrorLaunchFailure, "compute-sanitizer"},
      {cudaErrorInvalidValue, "cudaErrorInvalidValue"},  // all others by CUDA's own words
  };
  EXPECT_EQ(said_of(cudaSuccess), "nothing");
  const std::string place = "cuda/cuda_check_test.cu:" + std::to_string(__LINE__ + 2) + ": ";
  for (const auto& [status, part] : rows) {
    const std::string said = said_of(status);
    EXPECT_EQ(said.find(place), 0u) << said;
    EXPECT_NE(said.find(part), std::string::npos) << said;
  }
}

}  // namespace
}  // namespace nbody
