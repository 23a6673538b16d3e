#pragma once

#include <cstdint>

namespace nbody {

// Precision of a simulator program; the value is the size of a number in bytes.
enum class Precision : std::uint32_t { single_precision = 4, double_precision = 8 };

inline const char* name_of(Precision precision) {
  return precision == Precision::single_precision ? "float" : "double";
}

}  // namespace nbody
