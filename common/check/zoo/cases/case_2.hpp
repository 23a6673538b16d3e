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
        const real distance = distance_between(target, source);
        const real strength = G * source.mass / std::pow(distance, real(2));
        target.ax += strength * (source.qx - target.qx) / distance;
        target.ay += strength * (source.qy - target.qy) / distance;
        target.az += strength * (source.qy - target.qy) / distance;
      }
    }
  }

 private:
  real distance_between(const Body& a, const Body& b) const {
    return std::sqrt(std::pow(b.qx - a.qx, real(2)) + std::pow(b.qy - a.qy, real(2)) +
                     std::pow(b.qz - a.qz, real(2)) + std::pow(softening, real(2)));
  }
};

}  // namespace nbody
