#pragma once

#include <cmath>

#include "naive.hpp"

namespace nbody {

class Mine : public Naive {
 public:
  using Naive::Naive;

  // Eq. 1 to 3, one pair after the other.
  void compute_accelerations() override {
    if (!cleared) clear();
    for (auto& target : bodies) {
      for (const auto& source : bodies) {
        if (&source != &target) attract(target, source);
      }
    }
  }

 private:
  void clear() {
    for (auto& body : bodies) {
      body.ax = 0;
      body.ay = 0;
      body.az = 0;
    }
    cleared = true;
  }

  void attract(Body& target, const Body& source) const {
    const real dx = source.qx - target.qx;
    const real dy = source.qy - target.qy;
    const real dz = source.qz - target.qz;
    const real distance = std::sqrt(std::pow(dx, real(2)) + std::pow(dy, real(2)) +
                                    std::pow(dz, real(2)) + std::pow(softening, real(2)));
    const real strength = G * source.mass / std::pow(distance, real(2));
    target.ax += strength * (dx / distance);
    target.ay += strength * (dy / distance);
    target.az += strength * (dz / distance);
  }

  bool cleared = false;
};

}  // namespace nbody
