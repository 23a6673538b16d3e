#include <dlfcn.h>

#include "machine/machine.hpp"

namespace nbody::machine {
namespace {

// Two functions of the driver, declared as in its header; 0 means success.
using Init = int (*)(unsigned flags);
using DeviceCount = int (*)(int* count);

int devices_of(void* driver) {
  const auto init = reinterpret_cast<Init>(dlsym(driver, "cuInit"));
  const auto device_count = reinterpret_cast<DeviceCount>(dlsym(driver, "cuDeviceGetCount"));
  int count = 0;
  if (init == nullptr || device_count == nullptr || init(0) != 0) return 0;
  return device_count(&count) == 0 ? count : 0;
}

}  // namespace

// Asked only once: it takes a tenth of a second, and GPUs do not come and go.
bool gpu_answers() {
  static const bool answers = [] {
    void* driver = dlopen("libcuda.so.1", RTLD_NOW);
    return driver != nullptr && devices_of(driver) > 0;
  }();
  return answers;
}

}  // namespace nbody::machine
