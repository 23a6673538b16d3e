// The GPUs that part 3 can use, for ./lab machine. Reads a plan as JSON: null, or an Effort for the
// limits of GPU 0. Writes a line of JSON for each GPU, then for each limit.
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>

#include "cuda/device.cuh"
#include "cuda/gpu_ceilings.cuh"

namespace nbody {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Effort, warm_up_s, least_s, repeats)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(GpuRates, kind, name, operation, precision, level, unit,
                                   array_bytes, rates)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(DeviceFacts, description, name, compute_capability,
                                   multiprocessors, clock_hz, memory_clock_hz, memory_bus_bits,
                                   memory_bytes, free_bytes, l2_bytes, threads_per_multiprocessor,
                                   blocks_per_multiprocessor, registers_per_multiprocessor,
                                   shared_bytes_per_multiprocessor, threads_per_block,
                                   registers_per_block, shared_bytes_per_block, driver,
                                   cuda_runtime)

}  // namespace nbody

int main() try {
  using namespace nbody;
  demand_device();
  const auto plan = nlohmann::json::parse(std::cin);
  const auto all = devices();
  for (const DeviceFacts& device : all) std::cout << nlohmann::json(device) << std::endl;
  if (plan.is_null()) return 0;
  measure_gpu_ceilings(all.front(), plan.get<Effort>(),
                       [](const GpuRates& row) { std::cout << nlohmann::json(row) << std::endl; });
  return 0;
} catch (const std::exception& error) {
  std::cerr << "devices: " << error.what() << std::endl;
  return 2;
}
