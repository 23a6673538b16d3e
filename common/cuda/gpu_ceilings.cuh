#pragma once

#include <vector>

#include "cuda/ceiling_row.hpp"
#include "cuda/steady_rates.hpp"

namespace nbody {

// Measures and judges the limits of the current GPU: about a dozen seconds. `device`: facts of that
// GPU. Throws DeviceError.
std::vector<CeilingRow> measure_gpu_ceilings(const DeviceFacts& device, const Effort& effort);

}  // namespace nbody
