#pragma once

#include <string>

namespace nbody::machine {

// Of the file that asks, for example "g++ 12.2.0".
inline std::string compiler_name() {
#if defined(__clang__)
  return "clang++ " __clang_version__;
#else
  return "g++ " __VERSION__;
#endif
}

}  // namespace nbody::machine
