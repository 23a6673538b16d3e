#pragma once

#include <string>

namespace nbody {

// A processor on paper: one core without SIMD, made up from the authors' names, so that nobody can
// measure it and neighbours have different ones. Its numbers have two digits and are exact.
struct PaperMachine {
  double peak = 0;           // Gflop/s of separate additions and multiplications
  double peak_with_fma = 0;  // Gflop/s of fused ones
  double bandwidth = 0;      // GB/s of loads and stores as the source issues them
};

// Only letters count, and not their case. No author, no machine: throws std::invalid_argument.
PaperMachine paper_machine_of(const std::string& authors);

// The roofline: the lower of peak and intensity (flop/byte) times bandwidth, in Gflop/s.
double attainable(double intensity, double peak, double bandwidth);

}  // namespace nbody
