#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "cuda/ceiling_row.hpp"

namespace nbody {

// What a GPU reports about itself, and what follows. Plain data, so it is tested without a GPU.
struct DeviceFacts {
  std::string name;
  unsigned major = 0, minor = 0;  // compute capability
  unsigned multiprocessors = 0;
  unsigned threads_most = 0, blocks_most = 0;  // resident on a multiprocessor
  double clock_hz = 0;                         // the highest
  double memory_clock_hz = 0;
  unsigned memory_bus_bits = 0;
  std::size_t memory_bytes = 0, free_bytes = 0, l2_bytes = 0;
  std::size_t shared_bytes = 0;  // of a multiprocessor
  unsigned registers = 0;        // of 32 bits, of a multiprocessor
  struct Block {                 // at most
    unsigned threads = 0, registers = 0;
    std::size_t shared_bytes = 0;  // unless the kernel asks for more
    std::array<unsigned, 3> size{};
  } block;
  std::array<unsigned, 3> grid{};  // blocks at most
  std::size_t constant_bytes = 0;
  std::string driver;   // "580.65.06, CUDA 13.0"
  std::string runtime;  // the CUDA that this was built with: "13.0"
};

// Units of a multiprocessor that do one fused multiply-add per cycle; 0: unknown.
unsigned float_units(unsigned major, unsigned minor);
unsigned double_units(unsigned major, unsigned minor);

// Flop/s, with two flops per unit and cycle at the highest clock; bytes/s, with two transfers per
// cycle.
double float_peak(const DeviceFacts& facts);
double double_peak(const DeviceFacts& facts);
double memory_peak(const DeviceFacts& facts);

constexpr unsigned shown_blocks[] = {16, 32, 64, 128, 256, 512, 1024};

std::string devices_text(const std::vector<DeviceFacts>& devices);
// `ceilings`: measured on the first one, or empty.
std::string devices_json(const std::vector<DeviceFacts>& devices,
                         const std::vector<CeilingRow>& ceilings = {});

// 13000 -> "13.0"
std::string cuda_version(int number);

}  // namespace nbody
