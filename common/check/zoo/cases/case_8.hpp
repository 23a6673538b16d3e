#pragma once

#include <cmath>

#include "naive.hpp"

namespace nbody {

class Mine : public Naive {
 public:
  using Naive::Naive;

  // Eq. 1 to 3, one pair after the other.
  void compute_accelerations() override {
    for (auto& target : bodies) {
      target.ax = 0;
      target.ay = 0;
      target.az = 0;
      for (const auto& source : bodies) {
        if (&source != &target) attract(target, source);
      }
    }
  }

 private:
  void attract(Body& target, const Body& source) const {
    const real dx = source.qx - target.qx;
    const real dy = source.qy - target.qy;
    const real dz = source.qz - target.qz;
    const real squared = dx * dx + dy * dy + dz * dz + softening * softening;
    const real cubed = std::sqrt(squared * squared * squared);
    target.ax += G * source.mass * (dx / cubed);
    target.ay += G * source.mass * (dy / cubed);
    target.az += G * source.mass * (dz / cubed);
  }
};

}  // namespace nbody
