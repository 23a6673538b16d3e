#include <algorithm>
#include <memory>

#include "cuda/arithmetic_kernels.cuh"
#include "cuda/device_array.cuh"
#include "cuda/gpu_ceilings.cuh"
#include "cuda/memory_kernels.cuh"
#include "cuda/occupancy.cuh"
#include "machine/clock.hpp"

namespace nbody {
namespace {

struct Measuring {
  const Effort& effort;
  const std::function<void(const GpuRates&)>& found;

  // `amount`: flops, operations or bytes of launch(1).
  void add(GpuRates row, double amount, const std::function<void(unsigned times)>& launch) const {
    row.rates = steady_rates(
        [&](unsigned times) {
          cuda_check(cudaDeviceSynchronize());
          const double start_s = machine::seconds_now();
          launch(times);
          check_launch();
          cuda_check(cudaDeviceSynchronize());
          return machine::seconds_now() - start_s;
        },
        effort);
    for (double& rate : row.rates) rate *= amount;
    found(row);
  }

  void add_bandwidth(const char* name, const char* operation, const char* level,
                     std::size_t array_bytes, double bytes,
                     const std::function<void(unsigned times)>& launch) const {
    add({"bandwidth", name, operation, "", level, "byte/s", array_bytes}, bytes, launch);
  }
};

// Chains start from x, x + y, x + 2 y, ...
template <typename Operation, typename T>
void add_operation(const Measuring& measuring, const char* name, const char* operation, double x,
                   double y) {
  const auto kernel = repeat_operation<Operation, T>;
  const unsigned blocks = blocks_at_once(kernel, ceiling_block);
  DeviceArray<T> results(std::size_t{blocks} * ceiling_block);
  const bool is_fma = operation == std::string("fma");
  const double amount = operations_of_a_turn<Operation> * double(results.size());
  measuring.add({is_fma ? "flops" : "unit", name, operation, sizeof(T) == 4 ? "float" : "double",
                 "", is_fma ? "flop/s" : "operation/s"},
                is_fma ? 2 * amount : amount, [&](unsigned turns) {
                  kernel<<<blocks, ceiling_block>>>(turns, T(x), T(y), results.data());
                });
}

// A factor close to -1 keeps the numbers alternating, with many bits set: like real data they take
// more power than zeros.
void add_arithmetic(const Measuring& measuring) {
  using namespace operation;
  constexpr double factor = -0.9999999, step = 1.7654321;
  add_operation<Fma, float>(measuring, "FP32 FMA", "fma", factor, step);
  add_operation<Fma, double>(measuring, "FP64 FMA", "fma", factor, step);
  add_operation<RsqrtEstimate, float>(measuring, "FP32 1/sqrt, estimate (MUFU)", "rsqrt", step,
                                      step);
  add_operation<Div, float>(measuring, "FP32 division", "div", step, step);
  add_operation<Div, double>(measuring, "FP64 division", "div", step, step);
  add_operation<Sqrt, float>(measuring, "FP32 square root", "sqrt", step, step);
  add_operation<Sqrt, double>(measuring, "FP64 square root", "sqrt", step, step);
}

// Numbers from 1 to 2 with many bits set, which take more power than zeros.
__global__ void fill(float4* array, std::size_t size) {
  const std::size_t step = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < size; i += step) {
    const auto value = [&](unsigned k) {
      return __uint_as_float(0x3f800000 | ((static_cast<unsigned>(4 * i + k) * 2654435761u) >> 9));
    };
    array[i] = make_float4(value(0), value(1), value(2), value(3));
  }
}

// Whole chunks of about this many bytes; at least one.
DeviceArray<float4> filled_array(std::size_t bytes) {
  DeviceArray<float4> array(std::max<std::size_t>(1, bytes / chunk_bytes) * chunk_size);
  fill<<<4 * multiprocessors(), ceiling_block>>>(array.data(), array.size());
  check_launch();
  return array;
}

// Bytes that arrive in registers: if all lanes load the same, 32 times what is read.
template <typename Kernel>
void add_shared(const Measuring& measuring, const char* name, Kernel kernel, unsigned step,
                std::size_t load_bytes) {
  const unsigned blocks = blocks_at_once(kernel, ceiling_block);
  DeviceArray<float> results(std::size_t{blocks} * ceiling_block);
  const double bytes = double(shared_loads_of_a_turn * load_bytes) * double(results.size());
  measuring.add_bandwidth(name, "load", "shared", 0, bytes, [&](unsigned turns) {
    kernel<<<blocks, ceiling_block>>>(turns, step, results.data());
  });
}

void add_loads(const Measuring& measuring, const char* name, const char* level,
               const DeviceArray<float4>& array) {
  const unsigned blocks = blocks_at_once(load_chunks, ceiling_block);
  DeviceArray<float> results(std::size_t{blocks} * ceiling_block);
  const auto chunks = static_cast<unsigned>(array.size() / chunk_size);
  measuring.add_bandwidth(name, "load", level, array.size() * sizeof(float4),
                          double(blocks) * chunk_bytes, [&](unsigned turns) {
                            load_chunks<<<blocks, ceiling_block>>>(array.data(), chunks, turns,
                                                                   results.data());
                          });
}

void add_memories(const Measuring& measuring, const DeviceFacts& device) {
  add_shared(measuring, "shared memory, each lane its own 4 bytes", load_shared<float, 1024, lanes>,
             lanes, 4);
  add_shared(measuring, "shared memory, all lanes the same 16 bytes", load_shared<float4, 256, 1>,
             shared_loads_of_a_turn, 16);
  add_loads(measuring, "L2, load", "L2", filled_array(device.l2_bytes / 4));

  constexpr std::size_t largest_array = std::size_t{1} << 30;
  const std::size_t bytes = std::min(largest_array, device.free_bytes / 4);
  const DeviceArray<float4> from = filled_array(bytes);
  DeviceArray<float4> to = filled_array(bytes);
  add_loads(measuring, "device memory, load", "device memory", from);
  const auto chunks = static_cast<unsigned>(to.size() / chunk_size);
  const unsigned blocks = blocks_at_once(copy_chunks, ceiling_block);
  measuring.add_bandwidth(
      "device memory, copy", "copy", "device memory", 2 * to.size() * sizeof(float4),
      2.0 * blocks * chunk_bytes, [&](unsigned turns) {
        copy_chunks<<<blocks, ceiling_block>>>(from.data(), to.data(), chunks, turns);
      });
}

void add_host_copies(const Measuring& measuring) {
  constexpr std::size_t bytes = std::size_t{128} << 20;
  DeviceArray<char> on_device(bytes);
  std::vector<char> pageable(bytes, 1);
  void* pinned = nullptr;  // page-locked memory, which copies by DMA need
  cuda_check(cudaMallocHost(&pinned, bytes));
  const std::unique_ptr<void, decltype(&cudaFreeHost)> owner(pinned, cudaFreeHost);
  std::fill_n(static_cast<char*>(pinned), bytes, 1);
  const auto copy = [&](const char* name, void* to, const void* from, cudaMemcpyKind kind) {
    measuring.add_bandwidth(name, "copy", name, bytes, bytes, [&](unsigned times) {
      for (unsigned k = 0; k < times; ++k) cuda_check(cudaMemcpy(to, from, bytes, kind));
    });
  };
  char* const there = on_device.data();
  copy("host to device, pinned", there, pinned, cudaMemcpyHostToDevice);
  copy("host to device, pageable", there, pageable.data(), cudaMemcpyHostToDevice);
  copy("device to host, pinned", pinned, there, cudaMemcpyDeviceToHost);
  copy("device to host, pageable", pageable.data(), there, cudaMemcpyDeviceToHost);
}

}  // namespace

void measure_gpu_ceilings(const DeviceFacts& device, const Effort& effort,
                          const std::function<void(const GpuRates&)>& found) {
  const Measuring measuring{effort, found};
  add_arithmetic(measuring);
  add_memories(measuring, device);
  add_host_copies(measuring);
}

}  // namespace nbody
