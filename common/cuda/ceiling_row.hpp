#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace nbody {

struct DeviceFacts;

// One measured limit of a GPU. docs/file_formats.md says what each field may be.
struct CeilingRow {
  std::string kind;       // flops, unit, bandwidth
  std::string name;       // label for people
  std::string operation;  // fma; div, sqrt, rsqrt; load, copy, triad
  std::string precision;  // float, double; empty for a bandwidth
  std::string level;      // for a bandwidth: where the bytes are
  std::string unit;       // flop/s, operation/s, byte/s
  std::size_t array_bytes = 0;
  double best = 0, median = 0;
  double spread = 0;  // middle half / median
  bool is_ceiling = true;
  std::string why_not = "";  // a sentence, if it is not a ceiling
};

// Fills in best, median and spread. Needs at least one rate.
void set_rates(CeilingRow& row, const std::vector<double>& rates);

// Marks rows that are not ceilings: repeats that differ by more than a tenth, an array that fits
// into caches, a memory that seems slower than the next one. Compares best rates; a tenth is
// no difference.
void judge_ceilings(std::vector<CeilingRow>& rows, const DeviceFacts& device);

// A table beside the theoretical peaks, with the reasons why rows are not ceilings.
std::string ceilings_text(const std::vector<CeilingRow>& rows, const DeviceFacts& device);

}  // namespace nbody
