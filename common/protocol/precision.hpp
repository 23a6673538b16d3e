#pragma once

#include <cstdint>

namespace nbody {

// Of the numbers that a simulator program computes with; the value is their size in bytes.
enum class Precision : std::uint32_t { single_precision = 4, double_precision = 8 };

inline const char* name_of(Precision precision) {
  return precision == Precision::single_precision ? "float" : "double";
}

}  // namespace nbody
