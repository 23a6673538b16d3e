#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "naive.hpp"

namespace nbody {

class Mine : public Naive {
 public:
  using Naive::Naive;

  // Eq. 7: the smallest step of all bodies.
  real largest_time_step() override {
    for (const auto& body : bodies) smallest = std::min(smallest, step_of(body));
    return smallest;
  }

 private:
  static real length(real x, real y, real z) { return std::sqrt(x * x + y * y + z * z); }

  real step_of(const Body& body) const {
    const real nearest = nearest_to(body);
    if (!(nearest > 0)) return 0;
    const real v = length(body.vx, body.vy, body.vz);
    const real a = length(body.ax, body.ay, body.az);
    return real(0.2) * nearest / (v + std::sqrt(v * v + real(0.2) * a * nearest));
  }

  real nearest_to(const Body& body) const {
    real nearest = std::numeric_limits<real>::infinity();
    for (const auto& other : bodies) {
      if (&other == &body) continue;
      nearest =
          std::min(nearest, length(other.qx - body.qx, other.qy - body.qy, other.qz - body.qz));
    }
    return nearest;
  }

  real smallest = std::numeric_limits<real>::infinity();
};

}  // namespace nbody
