#pragma once

#include <vector>

#include "cuda/device_facts.hpp"
#include "simulator/accelerator.hpp"

namespace nbody {

// Throws InputError, in one line, if no GPU answers or this program cannot use it.
void demand_device();

// All that this process may use.
std::vector<DeviceFacts> devices();

// Extra abilities of every program of part 3.
extern const Accelerator cuda_accelerator;

}  // namespace nbody
