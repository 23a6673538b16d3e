#pragma once

#include <cstddef>
#include <functional>
#include <type_traits>

#include "cuda/on_cpu/block.hpp"
#include "cuda/on_cpu/runtime_api.hpp"

// What common/cuda/on_cpu/as_cpp.py writes instead of kernel<<<grid, block, shared,
// stream>>>(arguments).
namespace nbody::on_cpu {

struct Shape {
  dim3 grid, block;
  std::size_t shared;
};

inline Shape shape(const dim3& grid, const dim3& block, std::size_t shared = 0,
                   cudaStream_t = nullptr) {
  return {grid, block, shared};
}

// Runs all blocks of the grid, one after another. As on the GPU, an invalid launch leaves an error
// behind. `launches`: how many of this kernel there were.
void launch_blocks(const char* kernel, const Shape& shape, unsigned launches,
                   const std::function<void()>& thread);

// Throws DeviceError for a pointer into the memory of the host.
void demand_device_pointer(const char* kernel, const void* pointer);

// Each thread gets its own copy of the arguments.
template <typename Body, typename... Arguments>
void launch(const Body& body, const char* kernel, const Shape& shape,
            const Arguments&... arguments) {
  [[maybe_unused]] const auto demand = [&](const auto& argument) {
    if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(argument)>>) {
      demand_device_pointer(kernel, argument);
    }
  };
  (demand(arguments), ...);
  static unsigned launches = 0;
  launch_blocks(kernel, shape, launches++, [&] { body(arguments...); });
}

// `extern __shared__ T name[]`: the array whose size the launch says.
void* shared_of_launch();

// `__shared__ T name[size]`. Each place in the source has a `Site` of its own, a lambda's type.
template <typename T, typename Site>
T& shared(Site) {
  static const char name = 0;
  return *static_cast<T*>(this_block().shared(&name, sizeof(T)));
}

}  // namespace nbody::on_cpu
