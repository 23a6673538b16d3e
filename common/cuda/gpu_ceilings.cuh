#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cuda/ceiling_row.hpp"
#include "cuda/steady_rates.hpp"

namespace nbody {

// What the GPU in use can do at most, measured and judged: a dozen seconds as it comes. `device` is
// what that GPU tells; `on_progress` hears what is measured next. Throws DeviceError.
std::vector<CeilingRow> measure_gpu_ceilings(
    const DeviceFacts& device, const Effort& effort,
    const std::function<void(const std::string&)>& on_progress);

}  // namespace nbody
