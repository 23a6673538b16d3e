// Needs a GPU: status 77 without one.
#include <gtest/gtest.h>

#include <map>

#include "cuda/device.cuh"
#include "cuda/gpu_ceilings.cuh"

namespace nbody {
namespace {

// What is counted and not done would lie above the peak by the clock, what is done and not counted
// far below it. Peaks are those of one generation (H100, H200): others have other units.
TEST(GpuCeilings, AllAreMeasuredAndCloseToThePeakByTheClock) {
  const DeviceFacts device = devices().front();
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
  EXPECT_EQ(found, 17);
}

}  // namespace
}  // namespace nbody
