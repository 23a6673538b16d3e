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
        if (&source == &target) continue;
        const real squared = squared_distance(target, source) + softening;
        const real distance = std::sqrt(squared);
        const real strength = G * source.mass / squared;
        target.ax += strength * (source.qx - target.qx) / distance;
        target.ay += strength * (source.qy - target.qy) / distance;
        target.az += strength * (source.qz - target.qz) / distance;
      }
    }
  }

 private:
  static real squared(real x) { return x * x; }

  static real squared_distance(const Body& a, const Body& b) {
    return squared(b.qx - a.qx) + squared(b.qy - a.qy) + squared(b.qz - a.qz);
  }
};

}  // namespace nbody
