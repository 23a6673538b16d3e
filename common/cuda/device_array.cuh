#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "cuda/cuda_check.cuh"
#include "cuda/timed.cuh"

namespace nbody {

// Memory of the GPU that belongs to one object, like a std::vector. Kernels get data(); the host
// only reads and writes it by copies, which wait for earlier kernels.
template <typename T>
class DeviceArray {
 public:
  using Place = std::source_location;

  // Uninitialised.
  explicit DeviceArray(std::size_t size, const Place& where = Place::current()) : size_(size) {
    const Stopwatch watch("cudaMalloc", Stopwatch::Clock::host);
    cuda_check(cudaMalloc(&data_, size * sizeof(T)), where);
  }
  explicit DeviceArray(const std::vector<T>& from, const Place& where = Place::current())
      : DeviceArray(from.size(), where) {
    copy_from(from, where);
  }
  ~DeviceArray() {
    if (data_ == nullptr) return;
    const Stopwatch watch("cudaFree", Stopwatch::Clock::host);
    // Not checked: after a sticky error this fails, too, and that error was already reported.
    cudaFree(data_);
  }
  DeviceArray(DeviceArray&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }

  // As many values as the array has.
  void copy_from(const std::vector<T>& from, const Place& where = Place::current()) {
    const Stopwatch watch("copy to GPU", Stopwatch::Clock::device, size_ * sizeof(T));
    cuda_check(cudaMemcpy(data_, from.data(), size_ * sizeof(T), cudaMemcpyHostToDevice), where);
  }
  void copy_to(std::vector<T>& to, const Place& where = Place::current()) const {
    to.resize(size_);
    const Stopwatch watch("copy from GPU", Stopwatch::Clock::device, size_ * sizeof(T));
    cuda_check(cudaMemcpy(to.data(), data_, size_ * sizeof(T), cudaMemcpyDeviceToHost), where);
  }

  // The first value alone.
  T front(const Place& where = Place::current()) const {
    T value;
    const Stopwatch watch("copy from GPU", Stopwatch::Clock::device, sizeof(T));
    cuda_check(cudaMemcpy(&value, data_, sizeof(T), cudaMemcpyDeviceToHost), where);
    return value;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace nbody
