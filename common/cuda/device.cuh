#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "simulator/accelerator.hpp"

namespace nbody {

// What a GPU reports about itself, under the names of bin/devices.
struct DeviceFacts {
  std::string description;  // one line: what programs run on, and its software
  std::string name;
  std::string compute_capability;  // "9.0"
  unsigned multiprocessors = 0;
  double clock_hz = 0;  // the highest
  double memory_clock_hz = 0;
  unsigned memory_bus_bits = 0;
  std::size_t memory_bytes = 0, free_bytes = 0, l2_bytes = 0;
  unsigned threads_per_multiprocessor = 0, blocks_per_multiprocessor = 0;
  unsigned registers_per_multiprocessor = 0;  // of 32 bits
  std::size_t shared_bytes_per_multiprocessor = 0;
  unsigned threads_per_block = 0, registers_per_block = 0;
  std::size_t shared_bytes_per_block = 0;  // unless the kernel asks for more
  std::string driver;                      // "CUDA 13.0", the newest that it knows
  std::string cuda_runtime;                // that this was built with: "13.0"
};

// Throws InputError, in one line, if no GPU answers or this program cannot use it.
void demand_device();

// All that this process may use.
std::vector<DeviceFacts> devices();

// Extra abilities of every program of part 3.
extern const Accelerator cuda_accelerator;

}  // namespace nbody
