#include "simulator/memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>

#include "bodies/input_error.hpp"

namespace nbody {
namespace {

// Mass, radius, position and velocity in double, four times: the scene, its working units, the
// implementation's input and its own copy.
constexpr std::uint64_t bytes_per_body = 4 * 8 * sizeof(double);

std::uint64_t memory_bytes() {
  std::uint64_t bytes = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) *
                        static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    bytes = std::min<std::uint64_t>(bytes, limit.rlim_cur);
  }
  return bytes;
}

}  // namespace

void refuse_more_than_memory(std::size_t bodies) {
  const std::uint64_t most = memory_bytes() / bytes_per_body;
  if (bodies <= most) return;
  throw InputError(fmt::format(
      "-n {} is more than the memory of this machine holds: at most {} bodies", bodies, most));
}

}  // namespace nbody
