#include "cuda/device.cuh"
#include "mpi/ranks.hpp"

namespace nbody {

// The GPU of rank 0.
const Accelerator mpi_gpus = with_ranks(
    demand_device, [] { return description_of_ranks() + ", " + cuda_accelerator.description(); });

}  // namespace nbody
