#include "cuda/cuda_check.cuh"

#include <string_view>

namespace nbody {
std::string short_place(const std::source_location& where) {
  const std::string_view file = where.file_name();
  const auto name = file.rfind('/');
  const auto folder = name == file.npos || name == 0 ? file.npos : file.rfind('/', name - 1);
  const auto start = folder == file.npos ? 0 : folder + 1;
  return std::string(file.substr(start)) + ":" + std::to_string(where.line());
}

std::string complaint_about(cudaError_t status) {
  switch (status) {
    case cudaErrorIllegalAddress:
    case cudaErrorMisalignedAddress:
    case cudaErrorLaunchFailure:
      return std::string("a kernel before this call failed: ") + cudaGetErrorString(status) +
             "; run the program under compute-sanitizer: it names kernel and line";
    case cudaErrorMemoryAllocation:
      return "not enough GPU memory: use fewer bodies (-n)";
    case cudaErrorNoDevice:
    case cudaErrorInsufficientDriver:  // where there is none, too
      return "no NVIDIA GPU answers here, or its driver is older than CUDA: update it (./lab "
             "doctor); parts 1 and 2 run without one, and part 3 builds";
    case cudaErrorNoKernelImageForDevice:
    case cudaErrorUnsupportedPtxVersion:
      return "this was built for other GPUs: configure again with -D LAB_CUDA_ARCHITECTURES=native";
    case cudaErrorInvalidConfiguration:
      return "the GPU cannot launch blocks or grids of this size (at most 1024 threads in a "
             "block): choose another --block, or other numbers between <<< and >>>; or an earlier "
             "call failed, and its status was not checked";
    case cudaErrorLaunchOutOfResources:
      return "too many registers or too much shared memory for a block of this size: choose a "
             "smaller --block";
    default:
      return std::string(cudaGetErrorString(status)) + " (" + cudaGetErrorName(status) + ")";
  }
}

void cuda_check(cudaError_t status, const std::source_location& where) {
  if (status == cudaSuccess) return;
  const std::string complaint = complaint_about(status);
  // Clears the error if possible, so that the next check reports its own call.
  cudaGetLastError();
  throw DeviceError(short_place(where) + ": " + complaint);
}

// Some sizes are an invalid configuration, others an invalid value.
void check_launch(const std::source_location& where) {
  const cudaError_t status = cudaGetLastError();
  cuda_check(status == cudaErrorInvalidValue ? cudaErrorInvalidConfiguration : status, where);
}

}  // namespace nbody
