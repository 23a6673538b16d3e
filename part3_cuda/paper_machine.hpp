#pragma once

#include <string>

namespace nbody {

// A GPU on paper, made up from the authors' names (part 3), so that it is nobody's card.
struct PaperDevice {
  int multiprocessors = 0;
  int float_units = 0;         // of a multiprocessor; each one result a cycle
  double clock = 0;            // GHz
  double bandwidth = 0;        // GB/s of its memory
  double copy_start_us = 0;    // what every copy takes, however short
  double bus = 0;              // GB/s of a copy, beyond that
  double launch_us = 0;        // a kernel that does nothing
  double kernels_few_us = 0;   // the kernels of an iteration of naive: 1000 bodies,
  double kernels_many_ms = 0;  // 100 000 bodies
};

PaperDevice paper_device_of(const std::string& authors);

// Tflop/s, a fused multiply-add being two.
double peak_of(const PaperDevice& device);
// Seconds that copies take which move so many bytes together.
double copy_seconds(const PaperDevice& device, double copies, double bytes);

}  // namespace nbody
