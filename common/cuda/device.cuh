#pragma once

#include <vector>

#include "cuda/device_facts.hpp"
#include "simulator/accelerator.hpp"
#include "simulator/implementation.hpp"

namespace nbody {

// Throws InputError with one line where no GPU answers, or not to this program.
void demand_device();

// All that this process may use.
std::vector<DeviceFacts> devices();

// What every program of part 3 can do besides.
extern const Accelerator cuda_accelerator;

}  // namespace nbody
