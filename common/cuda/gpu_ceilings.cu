#include "cuda/gpu_ceilings.cuh"
#include "cuda/measuring.cuh"

namespace nbody {

std::vector<CeilingRow> measure_gpu_ceilings(const DeviceFacts& device, const Effort& effort) {
  Measuring measuring(effort);
  add_arithmetic(measuring);
  add_memories(measuring, device);
  add_host_copies(measuring);
  judge_ceilings(measuring.rows, device);
  return measuring.rows;
}

}  // namespace nbody
