#include "check/describe.hpp"

#include <fmt/format.h>

namespace nbody::check {

std::string describe(const Vector& v) {
  return fmt::format("({:.7g}, {:.7g}, {:.7g})", v.x, v.y, v.z);
}

std::string describe_force_error(const ForceError& error) {
  return fmt::format("worst body {}: expected a = {}, got {}; median error {:.1e}, L2 {:.1e}",
                     error.worst, describe(error.expected), describe(error.got), error.median,
                     error.l2);
}

}  // namespace nbody::check
