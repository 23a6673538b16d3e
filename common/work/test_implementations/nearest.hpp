#pragma once

#include "small.hpp"

namespace nbody {

// The nearest neighbour of j is stored only when it is nearer.
class Nearest : public Small {
 public:
  using Small::Small;

  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    nearest.assign(n, real(1e30));
    for (std::size_t i = 0; i < n; ++i) {
      Target target{bodies.qx[i], bodies.qy[i], bodies.qz[i]};
      for (std::size_t j = 0; j < n; ++j) {
        if (j == i) continue;
        target.add(bodies.mass[j], bodies.qx[j], bodies.qy[j], bodies.qz[j]);
        const real distance = std::abs(bodies.qx[j] - target.x);
        if (distance < nearest[j]) nearest[j] = distance;
      }
      acceleration.x[i] = G * target.ax;
      acceleration.y[i] = G * target.ay;
      acceleration.z[i] = G * target.az;
    }
  }

 private:
  std::vector<real> nearest;
};

}  // namespace nbody
