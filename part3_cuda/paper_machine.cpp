#include "paper_machine.hpp"

#include "worksheet/authors.hpp"

namespace nbody {

PaperDevice paper_device_of(const std::string& authors) {
  std::uint64_t hash = hash_of_authors(authors);
  // A number from 0 to count - 1, independent of those before.
  const auto next = [&](std::uint64_t count) {
    const int drawn = static_cast<int>(hash % count);
    hash /= count;
    return drawn;
  };
  PaperDevice device;
  device.multiprocessors = 40 + next(101);
  device.float_units = 64 << next(2);
  device.clock = 1.2 + 0.05 * next(16);
  device.bandwidth = 300 + 50 * next(25);
  device.copy_start_us = 5 + next(11);
  device.bus = 8 + next(17);
  device.launch_us = 2 + 0.5 * next(9);
  device.kernels_few_us = 200 + 10 * next(31);
  device.kernels_many_ms = 15 + next(26);
  return device;
}

double peak_of(const PaperDevice& device) {
  return 2 * device.clock * device.float_units * device.multiprocessors / 1e3;
}

double copy_seconds(const PaperDevice& device, double copies, double bytes) {
  return copies * device.copy_start_us / 1e6 + bytes / (device.bus * 1e9);
}

}  // namespace nbody
