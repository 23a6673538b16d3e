#include <fstream>

#include "core/input_error.hpp"
#include "cuda/cuda_check.cuh"
#include "cuda/device.cuh"
#include "cuda/timed.cuh"

namespace nbody {
namespace {

std::size_t attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  cuda_check(cudaDeviceGetAttribute(&value, which, device));
  return static_cast<std::size_t>(value);
}

// "580.65.06, CUDA " if Linux tells: the version in NVIDIA's release notes.
std::string driver_version() {
  std::ifstream file("/proc/driver/nvidia/version");
  for (std::string word; file >> word;) {
    if (word.find_first_not_of("0123456789.") == word.npos && word.find('.') != word.npos) {
      return word + ", CUDA ";
    }
  }
  return "CUDA ";
}

DeviceFacts facts_of(int device) {
  DeviceFacts facts;
  cudaDeviceProp properties{};
  cuda_check(cudaGetDeviceProperties(&properties, device));
  facts.name = properties.name;
  facts.memory_bytes = properties.totalGlobalMem;
  const auto whole = [&](cudaDeviceAttr which) {
    return static_cast<unsigned>(attribute(which, device));
  };
  facts.major = whole(cudaDevAttrComputeCapabilityMajor);
  facts.minor = whole(cudaDevAttrComputeCapabilityMinor);
  facts.multiprocessors = whole(cudaDevAttrMultiProcessorCount);
  facts.threads_most = whole(cudaDevAttrMaxThreadsPerMultiProcessor);
  facts.blocks_most = whole(cudaDevAttrMaxBlocksPerMultiprocessor);
  facts.clock_hz = 1e3 * whole(cudaDevAttrClockRate);
  facts.memory_clock_hz = 1e3 * whole(cudaDevAttrMemoryClockRate);
  facts.memory_bus_bits = whole(cudaDevAttrGlobalMemoryBusWidth);
  facts.registers = whole(cudaDevAttrMaxRegistersPerMultiprocessor);
  facts.l2_bytes = attribute(cudaDevAttrL2CacheSize, device);
  facts.shared_bytes = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor, device);
  facts.block.threads = whole(cudaDevAttrMaxThreadsPerBlock);
  facts.block.registers = whole(cudaDevAttrMaxRegistersPerBlock);
  facts.block.shared_bytes = attribute(cudaDevAttrMaxSharedMemoryPerBlock, device);
  facts.block.size = {whole(cudaDevAttrMaxBlockDimX), whole(cudaDevAttrMaxBlockDimY),
                      whole(cudaDevAttrMaxBlockDimZ)};
  facts.grid = {whole(cudaDevAttrMaxGridDimX), whole(cudaDevAttrMaxGridDimY),
                whole(cudaDevAttrMaxGridDimZ)};
  facts.constant_bytes = attribute(cudaDevAttrTotalConstantMemory, device);
  std::size_t total = 0;
  cuda_check(cudaSetDevice(device));
  cuda_check(cudaMemGetInfo(&facts.free_bytes, &total));
  int driver = 0, runtime = 0;
  cuda_check(cudaDriverGetVersion(&driver));
  cuda_check(cudaRuntimeGetVersion(&runtime));
  facts.driver = driver_version() + cuda_version(driver);
  facts.runtime = cuda_version(runtime);
  return facts;
}

std::string description() {
  int device = 0;
  cuda_check(cudaGetDevice(&device));
  const DeviceFacts facts = facts_of(device);
  return facts.name + " (" + std::to_string(facts.multiprocessors) + " SM, at most " +
         std::to_string(static_cast<int>(facts.clock_hz / 1e6)) + " MHz), built with CUDA " +
         facts.runtime + ", driver " + facts.driver;
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
