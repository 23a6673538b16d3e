#pragma once

#include <cstddef>
#include <cstring>
#include <string>

// The subset of CUDA's run-time library that part 3 uses. Calls are synchronous, so streams and
// events have nothing to wait for; no time is measured. Enumerations have CUDA's values.

enum cudaError_t {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorInsufficientDriver = 35,
  cudaErrorNoDevice = 100,
  cudaErrorNoKernelImageForDevice = 209,
  cudaErrorUnsupportedPtxVersion = 222,
  cudaErrorIllegalAddress = 700,
  cudaErrorLaunchOutOfResources = 701,
  cudaErrorMisalignedAddress = 716,
  cudaErrorLaunchFailure = 719,
};
enum cudaMemcpyKind {
  cudaMemcpyHostToHost,
  cudaMemcpyHostToDevice,
  cudaMemcpyDeviceToHost,
  cudaMemcpyDeviceToDevice,
  cudaMemcpyDefault
};
enum cudaDeviceAttr { cudaDevAttrMultiProcessorCount = 16 };
constexpr unsigned cudaHostRegisterDefault = 0;

using cudaStream_t = struct OneStream*;
using cudaEvent_t = struct OneEvent*;

cudaError_t cudaGetLastError();
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind);
cudaError_t cudaMemset(void* to, int byte, std::size_t bytes);
cudaError_t cudaFree(void* data);

namespace nbody::on_cpu {

enum class Owner { device, shared };

// Memory that ends at a protected page, where an index beyond the end stops the program at once. Up
// to 15 bytes lie between, so that it begins aligned. Unwritten it is NaN as a float and as a
// double. Under a sanitizer it is the sanitizer's own memory. Null: not so much is left.
void* new_fenced(std::size_t bytes, Owner owner);
// Do this many bytes from the address on lie in such memory? With 0, its end counts as inside.
bool is_fenced(const void* address, std::size_t bytes = 0);
// A byte between such memory and its page that a kernel has written, told once; null: none.
const void* written_beyond();
// Every byte 0xff. Not seen by the thread sanitizer: the first thread of a block does it for all.
void fill_unwritten(void* data, std::size_t bytes);
// "byte 4000 of an array of 4000 bytes in shared memory".
std::string name_of_place(const void* address);

cudaError_t kept(cudaError_t error);  // for cudaGetLastError()
template <typename T>
cudaError_t answer(T* to, T value) {
  *to = value;
  return cudaSuccess;
}

}  // namespace nbody::on_cpu

// Only what a kernel on the CPU can meet (cuda_check.cpp has words for the others).
inline const char* cudaGetErrorString(cudaError_t) { return "invalid argument"; }
inline const char* cudaGetErrorName(cudaError_t) { return "cudaErrorInvalidValue"; }
inline cudaError_t cudaGetDeviceCount(int* count) { return nbody::on_cpu::answer(count, 1); }
inline cudaError_t cudaGetDevice(int* device) { return nbody::on_cpu::answer(device, 0); }
inline cudaError_t cudaSetDevice(int) { return cudaSuccess; }
// Of a small, fictitious GPU.
inline cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr, int) {
  return nbody::on_cpu::answer(value, 4);
}
inline cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return nbody::on_cpu::answer(stream, cudaStream_t{});
}
inline cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaStreamSynchronize(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaEventCreate(cudaEvent_t* event) {  // not null
  return nbody::on_cpu::answer(event, reinterpret_cast<cudaEvent_t>(event));
}
inline cudaError_t cudaEventDestroy(cudaEvent_t) { return cudaSuccess; }
inline cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = nullptr) { return cudaSuccess; }
inline cudaError_t cudaEventSynchronize(cudaEvent_t) { return cudaSuccess; }
inline cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t, cudaEvent_t) {
  return nbody::on_cpu::answer(milliseconds, 0.0f);
}
inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
inline cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes,
                                   cudaMemcpyKind kind, cudaStream_t = nullptr) {
  return cudaMemcpy(to, from, bytes, kind);
}
inline cudaError_t cudaMemsetAsync(void* to, int byte, std::size_t bytes, cudaStream_t = nullptr) {
  return cudaMemset(to, byte, bytes);
}
inline cudaError_t cudaHostRegister(void*, std::size_t, unsigned) { return cudaSuccess; }
inline cudaError_t cudaHostUnregister(void*) { return cudaSuccess; }
inline cudaError_t cudaFreeHost(void* data) { return cudaFree(data); }
template <typename T>
cudaError_t cudaMalloc(T** data, std::size_t bytes) {
  *data = static_cast<T*>(nbody::on_cpu::new_fenced(bytes, nbody::on_cpu::Owner::device));
  return nbody::on_cpu::kept(*data == nullptr ? cudaErrorMemoryAllocation : cudaSuccess);
}
template <typename T>
cudaError_t cudaMallocHost(T** data, std::size_t bytes) {
  return cudaMalloc(data, bytes);
}
// Copies of `__device__` and `__constant__` variables.
template <typename T>
cudaError_t cudaMemcpyToSymbol(T& symbol, const void* from, std::size_t bytes) {
  std::memcpy(static_cast<void*>(&symbol), from, bytes);
  return cudaSuccess;
}
template <typename Kernel>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, Kernel, int, std::size_t) {
  return nbody::on_cpu::answer(blocks, 2);
}
