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
    const real distance = std::sqrt(dx * dx + dy * dy + dz * dz + softening * softening);
    const real strength = G * target.mass / (distance * distance);
    target.ax += strength * (dx / distance);
    target.ay += strength * (dy / distance);
    target.az += strength * (dz / distance);
  }
};

}  // namespace nbody
