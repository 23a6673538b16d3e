#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace nbody {

struct DeviceFacts;

// One measured limit of a GPU. docs/file_formats.md says what each field may be.
struct CeilingRow {
  std::string kind;       // flops, unit, bandwidth
  std::string name;       // what a person reads
  std::string operation;  // fma; div, sqrt, rsqrt; load, copy, triad
  std::string precision;  // float, double; empty for a bandwidth
  std::string level;      // of a bandwidth: where the bytes lie
  std::string unit;       // flop/s, operation/s, byte/s
  std::size_t array_bytes = 0;
  double best = 0, median = 0;
  double spread = 0;  // middle half / median
  bool is_ceiling = true;
  std::string why_not = "";  // a sentence, where it is none
};

// Fills in best, median and spread. At least one rate.
void set_rates(CeilingRow& row, const std::vector<double>& rates);

// Says which are no ceilings: repeats that differ by more than a tenth, an array that caches hold,
// a memory that seems slower than the one behind it. Best rates are compared, and a tenth between
// them is no difference.
void judge_ceilings(std::vector<CeilingRow>& rows, const DeviceFacts& device);

// A table beside the peaks by the clock, and why rows of it are no ceilings.
std::string ceilings_text(const std::vector<CeilingRow>& rows, const DeviceFacts& device);

}  // namespace nbody
