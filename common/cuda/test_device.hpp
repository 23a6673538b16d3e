#pragma once

#include "cuda/device_facts.hpp"

namespace nbody {

// What an H200 tells.
inline DeviceFacts h200() {
  DeviceFacts facts;
  facts.name = "NVIDIA H200";
  facts.major = 9;
  facts.multiprocessors = 132;
  facts.threads_most = 2048;
  facts.blocks_most = 32;
  facts.clock_hz = 1.98e9;
  facts.memory_clock_hz = 3.201e9;
  facts.memory_bus_bits = 6144;
  facts.memory_bytes = std::size_t{140} << 30;
  facts.l2_bytes = std::size_t{60} << 20;
  facts.block = {1024, 65536, std::size_t{48} << 10, {1024, 1024, 64}};
  facts.grid = {2147483647, 65535, 65535};
  facts.constant_bytes = std::size_t{64} << 10;
  return facts;
}

}  // namespace nbody
