#include "cuda/on_cpu/launch.hpp"

#include <algorithm>
#include <bit>
#include <csignal>
#include <cstdint>

#include "cuda/cuda_check.cuh"
#include "cuda/on_cpu/block.hpp"
#include "cuda/on_cpu/fenced_memory.hpp"
#include "cuda/on_cpu/sanitizers.hpp"

namespace nbody::on_cpu {
namespace {

constexpr std::size_t most_shared = 48 * 1024;  // of a launch that asked for no more
std::size_t shared_bytes = 0;

// For a signal that no kernel caused: the default action.
void on_fault(int signal, siginfo_t* info, void*) {
  if (this_block().runs()) this_block().fault(info->si_addr);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

// On its own stack, since the kernel's may have overflowed.
void catch_faults() {
  static std::byte stack[64 * 1024];
  static bool caught = false;
  if (caught || addresses_are_watched() || threads_are_watched()) return;
  caught = true;
  const stack_t own{stack, 0, sizeof stack};
  sigaltstack(&own, nullptr);
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (const int signal : {SIGSEGV, SIGBUS}) sigaction(signal, &action, nullptr);
}

std::uint64_t product(const dim3& size) { return std::uint64_t{size.x} * size.y * size.z; }

bool can_be(const Shape& shape) {
  const std::uint64_t threads = product(shape.block);
  return threads >= 1 && threads <= most_threads && shape.block.z <= 64 &&
         product(shape.grid) >= 1 && shape.grid.y <= 65535 && shape.grid.z <= 65535 &&
         shape.shared <= most_shared;
}

uint3 index_of(std::uint64_t k, const dim3& size) {
  return {static_cast<unsigned>(k % size.x), static_cast<unsigned>(k / size.x % size.y),
          static_cast<unsigned>(k / size.x / size.y)};
}

}  // namespace

void* shared_of_launch() { return this_block().shared(&shared_bytes, shared_bytes); }

void demand_device_pointer(const char* kernel, const void* pointer) {
  if (pointer == nullptr || is_fenced(pointer)) return;
  throw DeviceError(
      std::string(kernel) +
      " gets a pointer to host memory, which the GPU cannot read: pass data() of a DeviceArray");
}

void launch_blocks(const char* kernel, const Shape& shape, unsigned launches,
                   const std::function<void()>& thread) {
  if (!can_be(shape)) return keep_error(cudaErrorInvalidConfiguration);
  if (this_block().runs()) throw DeviceError(std::string(kernel) + ": a kernel launches no other");
  catch_faults();
  gridDim = shape.grid;
  blockDim = shape.block;
  shared_bytes = shape.shared;
  const std::uint64_t blocks = product(shape.grid);
  // Any two blocks differ in a bit of their numbers: in one of so many launches they run at once.
  const auto bit = launches % std::max<std::uint64_t>(1, std::bit_width(blocks - 1));
  begin_launch();
  for (std::uint64_t k = 0; k < blocks; ++k) {
    const std::uint64_t number = launches % 2 == 0 ? k : blocks - 1 - k;  // in no fixed order
    blockIdx = index_of(number, shape.grid);
    choose_block(number >> bit & 1).run(kernel, blockIdx, shape.block, thread);
  }
  end_launch();
}

}  // namespace nbody::on_cpu
