#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cuda/ceiling_row.hpp"
#include "cuda/steady_rates.hpp"

namespace nbody {

// Measures and judges the limits of the current GPU: about a dozen seconds. `device`: facts of that
// GPU; `on_progress` is told what is measured next. Throws DeviceError.
std::vector<CeilingRow> measure_gpu_ceilings(
    const DeviceFacts& device, const Effort& effort,
    const std::function<void(const std::string&)>& on_progress);

}  // namespace nbody
