#include <fmt/format.h>

#include "cuda/device.cuh"
#include "mpi/ranks.hpp"

namespace nbody {
namespace {

std::string description() {
  const std::size_t gpus = devices().size();
  return fmt::format("{}, {} GPU{}, the first: {}", description_of_ranks(), gpus,
                     gpus == 1 ? "" : "s", cuda_accelerator.description());
}

}  // namespace

const Accelerator mpi_gpus = with_ranks(demand_device, description);

}  // namespace nbody
