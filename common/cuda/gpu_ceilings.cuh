#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "cuda/device.cuh"
#include "cuda/steady_rates.hpp"

namespace nbody {

// One measured limit of a GPU. docs/fields.md says what each member may be.
struct GpuRates {
  std::string kind;       // flops, unit, bandwidth
  std::string name;       // for people
  std::string operation;  // fma; div, sqrt, rsqrt; load, copy
  std::string precision;  // float, double; empty for a bandwidth
  std::string level;      // for a bandwidth: where the bytes are
  std::string unit;       // flop/s, operation/s, byte/s
  std::size_t array_bytes = 0;
  std::vector<double> rates = {};  // of each repeat
};

// Measures the limits of the current GPU, in about a dozen seconds, and hands on each. `device`:
// its facts. Throws DeviceError.
void measure_gpu_ceilings(const DeviceFacts& device, const Effort& effort,
                          const std::function<void(const GpuRates&)>& found);

}  // namespace nbody
