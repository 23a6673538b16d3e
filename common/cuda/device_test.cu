// Needs a GPU: status 77 without one.
#include <gtest/gtest.h>

#include <functional>

#include "cuda/device.cuh"
#include "cuda/device_array.cuh"

namespace nbody {
namespace {

std::string complaint_of(const std::function<void()>& function) {
  try {
    function();
    return "nothing";
  } catch (const DeviceError& error) {
    return error.what();
  }
}

__global__ void nothing() {}

TEST(DeviceArray, TooLargeIsOneLineAndLeavesTheDeviceUsable) {
  const std::string said =
      complaint_of([] { const DeviceArray<double> huge(std::size_t{1} << 45); });
  EXPECT_NE(said.find("cuda/device_test.cu:"), std::string::npos) << said;
  EXPECT_NE(said.find("not enough GPU memory: use fewer bodies (-n)"), std::string::npos) << said;
  EXPECT_EQ(DeviceArray<double>(std::vector<double>{7}).front(), 7);
}

TEST(Timed, LaunchThatTheDeviceCannotDo) {
  const std::string said = complaint_of([] { timed("nothing", [] { nothing<<<1, 2048>>>(); }); });
  EXPECT_NE(said.find("cuda/device_test.cu:"), std::string::npos) << said;
  EXPECT_NE(said.find("another --block"), std::string::npos) << said;
  EXPECT_EQ(complaint_of([] { cuda_check(cudaDeviceSynchronize()); }), "nothing");
}

TEST(Device, TellsAboutItself) {
  demand_device();
  const DeviceFacts first = devices().at(0);
  EXPECT_GE(first.compute_capability, "5.0");
  EXPECT_GT(first.multiprocessors, 0u);
  EXPECT_GT(first.clock_hz, 1e8);
  EXPECT_GT(first.memory_bus_bits, 0u);
  EXPECT_LE(first.free_bytes, first.memory_bytes);
  EXPECT_EQ(cuda_accelerator.description(), first.description);
}

__global__ void write_to(int* address) { *address = 1; }

// Last: after it no call works.
TEST(ZLast, FaultInsideAKernelIsToldAtTheNextCallThatWaits) {
  EXPECT_EQ(complaint_of([] { timed("write_to", [] { write_to<<<1, 1>>>(nullptr); }); }),
            "nothing");
  const std::string said = complaint_of([] { cuda_check(cudaDeviceSynchronize()); });
  EXPECT_NE(said.find("a kernel before this call failed"), std::string::npos) << said;
}

}  // namespace
}  // namespace nbody
