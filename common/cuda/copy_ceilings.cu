#include <algorithm>

#include "cuda/device_array.cuh"
#include "cuda/measuring.cuh"

namespace nbody {
namespace {

constexpr std::size_t copied_bytes = std::size_t{128} << 20;

// Copies by DMA need page-locked host memory.
class PinnedMemory {
 public:
  explicit PinnedMemory(std::size_t bytes) { check(cudaMallocHost(&data_, bytes)); }
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
      check(cudaMemcpy(to, from, copied_bytes, kind));
    }
  });
}

}  // namespace

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
