#include "core/input_error.hpp"
#include "cuda/device.cuh"

// Replaces common/cuda/device.cpp: there is always a "device", and it says what it is.
namespace nbody {

void demand_device() {}

namespace {

std::string description() {
  return "none: kernels run on the CPU, one thread after another; times of this run mean nothing";
}

void refuse_profile() {
  throw InputError("--profile: kernels on the CPU take no time that means anything");
}

}  // namespace

const Accelerator cuda_accelerator{.demand = demand_device,
                                   .description = description,
                                   .start_profile = refuse_profile,
                                   .profile = nullptr,
                                   .is_emulated = true};

}  // namespace nbody
