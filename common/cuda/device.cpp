#include "cuda/device.cuh"

#include "core/input_error.hpp"
#include "cuda/cuda_check.cuh"
#include "cuda/timed.cuh"

namespace nbody {
namespace {

// 13000 -> "13.0"
std::string cuda_version(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

DeviceFacts facts_of(int device) {
  const auto number = [&](cudaDeviceAttr which) {
    int value = 0;
    cuda_check(cudaDeviceGetAttribute(&value, which, device));
    return static_cast<unsigned>(value);
  };
  DeviceFacts facts;
  cudaDeviceProp properties{};
  cuda_check(cudaGetDeviceProperties(&properties, device));
  facts.name = properties.name;
  facts.memory_bytes = properties.totalGlobalMem;
  facts.compute_capability = std::to_string(number(cudaDevAttrComputeCapabilityMajor)) + "." +
                             std::to_string(number(cudaDevAttrComputeCapabilityMinor));
  facts.multiprocessors = number(cudaDevAttrMultiProcessorCount);
  facts.clock_hz = 1e3 * number(cudaDevAttrClockRate);
  facts.memory_clock_hz = 1e3 * number(cudaDevAttrMemoryClockRate);
  facts.memory_bus_bits = number(cudaDevAttrGlobalMemoryBusWidth);
  facts.l2_bytes = number(cudaDevAttrL2CacheSize);
  facts.threads_per_multiprocessor = number(cudaDevAttrMaxThreadsPerMultiProcessor);
  facts.blocks_per_multiprocessor = number(cudaDevAttrMaxBlocksPerMultiprocessor);
  facts.registers_per_multiprocessor = number(cudaDevAttrMaxRegistersPerMultiprocessor);
  facts.shared_bytes_per_multiprocessor = number(cudaDevAttrMaxSharedMemoryPerMultiprocessor);
  facts.threads_per_block = number(cudaDevAttrMaxThreadsPerBlock);
  facts.registers_per_block = number(cudaDevAttrMaxRegistersPerBlock);
  facts.shared_bytes_per_block = number(cudaDevAttrMaxSharedMemoryPerBlock);
  std::size_t total = 0;
  cuda_check(cudaSetDevice(device));
  cuda_check(cudaMemGetInfo(&facts.free_bytes, &total));
  int driver = 0, runtime = 0;
  cuda_check(cudaDriverGetVersion(&driver));
  cuda_check(cudaRuntimeGetVersion(&runtime));
  facts.driver = "CUDA " + cuda_version(driver);
  facts.cuda_runtime = cuda_version(runtime);
  facts.description = facts.name + " (" + std::to_string(facts.multiprocessors) + " SM, at most " +
                      std::to_string(static_cast<int>(facts.clock_hz / 1e6)) +
                      " MHz), built with CUDA " + facts.cuda_runtime + ", driver " + facts.driver;
  return facts;
}

std::string description() {
  int device = 0;
  cuda_check(cudaGetDevice(&device));
  return facts_of(device).description;
}

}  // namespace

void demand_device() {
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess) throw InputError(complaint_about(status));
  if (count == 0) throw InputError(complaint_about(cudaErrorNoDevice));
}

std::vector<DeviceFacts> devices() {
  int count = 0;
  cuda_check(cudaGetDeviceCount(&count));
  std::vector<DeviceFacts> all;
  for (int device = 0; device < count; ++device) all.push_back(facts_of(device));
  cuda_check(cudaSetDevice(0));
  return all;
}

const Accelerator cuda_accelerator{demand_device, description, start_profile, profile_so_far};

}  // namespace nbody
