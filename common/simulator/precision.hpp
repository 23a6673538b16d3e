#pragma once

namespace nbody {

// Of a simulator program.
enum class Precision { single_precision, double_precision };

inline const char* name_of(Precision precision) {
  return precision == Precision::single_precision ? "float" : "double";
}

}  // namespace nbody
