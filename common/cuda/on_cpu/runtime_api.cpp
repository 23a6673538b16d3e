#include "cuda/on_cpu/runtime_api.hpp"

#include <new>
#include <utility>

#include "cuda/on_cpu/fenced_memory.hpp"

namespace {

using namespace nbody::on_cpu;

cudaError_t last_error = cudaSuccess;

cudaError_t kept(cudaError_t error) {
  if (error != cudaSuccess) last_error = error;
  return error;
}

// A copy in the wrong direction is an error on the GPU, too.
bool suits(cudaMemcpyKind kind, const void* to, const void* from) {
  const bool to_device = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
  const bool from_device = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
  return (!to_device || is_fenced(to)) && (!from_device || is_fenced(from));
}

}  // namespace

namespace nbody::on_cpu {

void keep_error(cudaError_t error) { last_error = error; }

cudaError_t allocate(void** data, std::size_t bytes) {
  try {
    *data = new_fenced(bytes, Owner::device);
  } catch (const std::bad_alloc&) {
    return kept(cudaErrorMemoryAllocation);
  }
  return cudaSuccess;
}

}  // namespace nbody::on_cpu

// Only what a kernel on the CPU can meet (cuda_check.cu has words for the others).
const char* cudaGetErrorString(cudaError_t error) {
  return error == cudaSuccess ? "no error" : "invalid argument";
}
const char* cudaGetErrorName(cudaError_t error) {
  return error == cudaErrorInvalidValue ? "cudaErrorInvalidValue" : "on the CPU";
}
cudaError_t cudaGetLastError() { return std::exchange(last_error, cudaSuccess); }
cudaError_t cudaSetDevice(int device) {
  return kept(device == 0 ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  if (bytes == 0) return cudaSuccess;
  if (!suits(kind, to, from)) return kept(cudaErrorInvalidValue);
  std::memmove(to, from, bytes);
  return cudaSuccess;
}
cudaError_t cudaMemset(void* to, int byte, std::size_t bytes) {
  if (!is_fenced(to)) return kept(cudaErrorInvalidValue);
  std::memset(to, byte, bytes);
  return cudaSuccess;
}
cudaError_t cudaFree(void* data) {
  return data == nullptr || delete_fenced(data) ? cudaSuccess : kept(cudaErrorInvalidValue);
}
cudaError_t cudaHostRegister(void* data, std::size_t bytes, unsigned) {
  share_host_memory(data, bytes);
  return cudaSuccess;
}
cudaError_t cudaHostUnregister(void* data) {
  return unshare_host_memory(data) ? cudaSuccess : kept(cudaErrorInvalidValue);
}
