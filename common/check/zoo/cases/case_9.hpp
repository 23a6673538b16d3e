#pragma once

#include <omp.h>

#include <algorithm>
#include <cmath>

#include "naive.hpp"

namespace nbody {

class Mine : public Naive {
 public:
  using Naive::Naive;

  // Eq. 1 to 3: every thread has its share of the bodies.
  void compute_accelerations() override {
    const std::size_t n = bodies.size();
#pragma omp parallel
    {
      const auto threads = static_cast<std::size_t>(omp_get_num_threads());
      const auto number = static_cast<std::size_t>(omp_get_thread_num());
      const std::size_t share = (n + threads / 2) / threads;
      const std::size_t end = std::min(n, (number + 1) * share);
      for (std::size_t i = number * share; i < end; ++i) accelerate(bodies[i]);
    }
  }

 private:
  void accelerate(Body& target) const {
    target.ax = 0;
    target.ay = 0;
    target.az = 0;
    for (const auto& source : bodies) {
      if (&source != &target) attract(target, source);
    }
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
};

}  // namespace nbody
