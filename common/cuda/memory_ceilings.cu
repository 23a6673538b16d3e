#include <algorithm>

#include "cuda/device_array.cuh"
#include "cuda/measuring.cuh"
#include "cuda/memory_kernels.cuh"
#include "cuda/occupancy.cuh"

namespace nbody {
namespace {

constexpr std::size_t largest_array = std::size_t{1} << 30;

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

unsigned chunks_of(const DeviceArray<float4>& array) {
  return static_cast<unsigned>(array.size() / chunk_size);
}
std::size_t bytes_of(const DeviceArray<float4>& array) { return array.size() * sizeof(float4); }

void add_loads(Measuring& measuring, const char* name, const char* level,
               const DeviceArray<float4>& array) {
  const unsigned blocks = blocks_at_once(load_chunks, ceiling_block);
  DeviceArray<float> results(std::size_t{blocks} * ceiling_block);
  measuring.add(bandwidth_row(name, "load", level, bytes_of(array)), double(blocks) * chunk_bytes,
                [&](unsigned turns) {
                  load_chunks<<<blocks, ceiling_block>>>(array.data(), chunks_of(array), turns,
                                                         results.data());
                  check_launch();
                });
}

void add_copy(Measuring& measuring, const DeviceArray<float4>& from, DeviceArray<float4>& to) {
  const unsigned blocks = blocks_at_once(copy_chunks, ceiling_block);
  measuring.add(
      bandwidth_row("device memory, copy", "copy", "device memory", bytes_of(from) + bytes_of(to)),
      2.0 * blocks * chunk_bytes, [&](unsigned turns) {
        copy_chunks<<<blocks, ceiling_block>>>(from.data(), to.data(), chunks_of(to), turns);
        check_launch();
      });
}

void add_triad(Measuring& measuring, const DeviceArray<float4>& a, const DeviceArray<float4>& b,
               DeviceArray<float4>& to) {
  const unsigned blocks = blocks_at_once(triad_chunks, ceiling_block);
  measuring.add(bandwidth_row("device memory, triad", "triad", "device memory", 3 * bytes_of(to)),
                3.0 * blocks * chunk_bytes, [&](unsigned turns) {
                  triad_chunks<<<blocks, ceiling_block>>>(a.data(), b.data(), 1.25f, to.data(),
                                                          chunks_of(to), turns);
                  check_launch();
                });
}

// Bytes that arrive in registers: if all lanes load the same, 32 times what is read.
template <typename Kernel>
void add_shared(Measuring& measuring, const char* name, Kernel kernel, unsigned step,
                std::size_t load_bytes) {
  const unsigned blocks = blocks_at_once(kernel, ceiling_block);
  DeviceArray<float> results(std::size_t{blocks} * ceiling_block);
  const double amount = double(shared_loads_of_a_turn * load_bytes) * double(results.size());
  measuring.add(bandwidth_row(name, "load", "shared", 0), amount, [&](unsigned turns) {
    kernel<<<blocks, ceiling_block>>>(turns, step, results.data());
    check_launch();
  });
}

constexpr std::size_t copied_bytes = std::size_t{128} << 20;

// Copies by DMA need page-locked host memory.
class PinnedMemory {
 public:
  explicit PinnedMemory(std::size_t bytes) { cuda_check(cudaMallocHost(&data_, bytes)); }
  ~PinnedMemory() { cudaFreeHost(data_); }
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;
  void* data() { return data_; }

 private:
  void* data_ = nullptr;
};

void add_direction(Measuring& measuring, const char* name, void* to, const void* from,
                   cudaMemcpyKind kind) {
  measuring.add(bandwidth_row(name, "copy", name, copied_bytes), copied_bytes, [&](unsigned times) {
    for (unsigned time = 0; time < times; ++time) {
      cuda_check(cudaMemcpy(to, from, copied_bytes, kind));
    }
  });
}

}  // namespace

void add_memories(Measuring& measuring, const DeviceFacts& device) {
  add_shared(measuring, "shared memory, each lane its own 4 bytes", load_shared_words, lanes, 4);
  add_shared(measuring, "shared memory, all lanes the same 16 bytes", load_shared_broadcast,
             shared_loads_of_a_turn, 16);
  add_loads(measuring, "L2, load", "L2", filled_array(device.l2_bytes / 4));
  const std::size_t bytes = std::min(largest_array, device.free_bytes / 4);
  const DeviceArray<float4> a = filled_array(bytes), b = filled_array(bytes);
  DeviceArray<float4> to = filled_array(bytes);
  add_loads(measuring, "device memory, load", "device memory", a);
  add_copy(measuring, a, to);
  add_triad(measuring, a, b, to);
}

void add_host_copies(Measuring& measuring) {
  DeviceArray<char> on_device(copied_bytes);
  std::vector<char> pageable(copied_bytes, 1);
  PinnedMemory pinned(copied_bytes);
  std::fill_n(static_cast<char*>(pinned.data()), copied_bytes, 1);
  char* const there = on_device.data();
  const auto forth = cudaMemcpyHostToDevice, back = cudaMemcpyDeviceToHost;
  add_direction(measuring, "host to device, pinned", there, pinned.data(), forth);
  add_direction(measuring, "host to device, pageable", there, pageable.data(), forth);
  add_direction(measuring, "device to host, pinned", pinned.data(), there, back);
  add_direction(measuring, "device to host, pageable", pageable.data(), there, back);
}

}  // namespace nbody
