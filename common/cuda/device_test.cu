// Needs a GPU: without one it is skipped.
#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "cuda/device.cuh"
#include "cuda/device_array.cuh"
#include "cuda/gpu_ceilings.cuh"

namespace nbody {
namespace {

// What is counted and not done would lie above the peak by the clock, what is done and not counted
// far below it. Peaks are those of one generation (H100, H200): others have other units.
TEST(GpuCeilings, AllAreMeasuredAndCloseToThePeakByTheClock) {
  demand_device();
  const DeviceFacts device = devices().front();
  EXPECT_EQ(cuda_accelerator.description(), device.description);
  const std::map<std::string, double> per_cycle = {
      {"FP32 FMA", 2 * 128},
      {"FP64 FMA", 2 * 64},
      {"FP32 1/sqrt, estimate (MUFU)", 16},
      {"shared memory, each lane its own 4 bytes", 128},
      {"shared memory, all lanes the same 16 bytes", 256},
  };
  const double cycles = device.multiprocessors * device.clock_hz;
  const double memory = 2 * device.memory_clock_hz * device.memory_bus_bits / 8;
  int found = 0;
  measure_gpu_ceilings(device, {0.3, 0.002, 3}, [&](const GpuRates& row) {
    ++found;
    const auto known = per_cycle.find(row.name);
    for (const double rate : row.rates) {
      EXPECT_GT(rate, 0) << row.name;
      if (row.level == "device memory") EXPECT_LT(rate, 1.02 * memory) << row.name;
      if (known == per_cycle.end() || device.compute_capability != "9.0") continue;
      EXPECT_LT(rate, 1.02 * known->second * cycles) << row.name;
      EXPECT_GT(rate, 0.7 * known->second * cycles) << row.name;
    }
  });
  EXPECT_EQ(found, 16);
}

__global__ void nothing() {}
__global__ void write_to(int* address) { *address = 1; }

// Each is one line at the call that notices it. After the last no call works.
TEST(ZLast, MistakesAreTold) {
  const std::pair<std::function<void()>, std::vector<std::string>> rows[] = {
      {[] { const DeviceArray<double> huge(std::size_t{1} << 45); },
       {"cuda/device_test.cu:", "not enough GPU memory: use fewer bodies (-n)"}},
      {[] { EXPECT_EQ(DeviceArray<double>(std::vector<double>{7}).front(), 7); }, {}},
      {[] { timed("nothing", [] { nothing<<<1, 2048>>>(); }); },
       {"cuda/device_test.cu:", "another --block"}},
      {[] { cuda_check(cudaDeviceSynchronize()); }, {}},
      {[] { timed("write_to", [] { write_to<<<1, 1>>>(nullptr); }); }, {}},
      {[] { cuda_check(cudaDeviceSynchronize()); }, {"a kernel before this call failed"}},
  };
  for (const auto& [call, said] : rows) {
    std::string all;
    try {
      call();
    } catch (const DeviceError& error) {
      all = error.what();
    }
    EXPECT_EQ(all.empty(), said.empty()) << all;
    for (const std::string& part : said) EXPECT_NE(all.find(part), std::string::npos) << all;
  }
}

}  // namespace
}  // namespace nbody

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  int gpus = 0;
  if (cudaGetDeviceCount(&gpus) == cudaSuccess && gpus > 0) return RUN_ALL_TESTS();
  std::puts("skipped: needs a GPU");
  return 77;
}
