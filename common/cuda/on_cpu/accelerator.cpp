#include "cuda/device.cuh"
#include "cuda/timed.cuh"

// Replaces common/cuda/device.cu: there is always a "device", and it says what it is.
namespace nbody {

void demand_device() {}

namespace {

std::string description() {
  return "none: kernels run on the CPU, one thread after another; times of this run mean nothing";
}

}  // namespace

const Accelerator cuda_accelerator{.demand = demand_device,
                                   .description = description,
                                   .start_profile = start_profile,
                                   .profile = profile_so_far,
                                   .is_emulated = true};

}  // namespace nbody
