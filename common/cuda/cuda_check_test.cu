// No GPU is needed: an error is only a number here.
#include <gtest/gtest.h>

#include "cuda/cuda_check.cuh"

namespace nbody {
namespace {

std::string said_of(cudaError_t status) {
  try {
    cuda_check(status);
    return "nothing";
  } catch (const DeviceError& error) {
    return error.what();
  }
}

TEST(Check, SuccessSaysNothing) { EXPECT_EQ(said_of(cudaSuccess), "nothing"); }

TEST(Check, NamesFileAndLineOfTheCall) {
  const std::string line = std::to_string(__LINE__ + 2);
  try {
    cuda_check(cudaErrorMemoryAllocation);
    FAIL();
  } catch (const DeviceError& error) {
    EXPECT_EQ(std::string(error.what()),
              "cuda/cuda_check_test.cu:" + line + ": not enough GPU memory: use fewer bodies (-n)");
  }
}

TEST(Check, SaysWhatToDo) {
  const auto expect = [](cudaError_t status, const char* part) {
    EXPECT_NE(said_of(status).find(part), std::string::npos) << said_of(status);
  };
  expect(cudaErrorNoDevice, "no NVIDIA GPU answers here");
  expect(cudaErrorInvalidConfiguration, "another --block");
  expect(cudaErrorLaunchOutOfResources, "a smaller --block");
  expect(cudaErrorNoKernelImageForDevice, "LAB_CUDA_ARCHITECTURES=native");
  expect(cudaErrorDevicesUnavailable, "try again later");
  // What leaves the program without a GPU.
  for (const cudaError_t status : {cudaErrorIllegalAddress, cudaErrorMisalignedAddress,
                                   cudaErrorLaunchFailure, cudaErrorAssert}) {
    expect(status, "a kernel before this call failed");
    expect(status, "compute-sanitizer");
  }
  // All others by CUDA's own words.
  expect(cudaErrorInvalidValue, "cudaErrorInvalidValue");
}

TEST(Check, OneLine) {
  for (int status = 1; status < 1000; ++status) {
    EXPECT_EQ(complaint_about(static_cast<cudaError_t>(status)).find('\n'), std::string::npos);
  }
}

}  // namespace
}  // namespace nbody
