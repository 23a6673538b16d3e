#pragma once

#include "small.hpp"

namespace nbody {

// Keeps the masses in double.
class WayOut : public Small {
 public:
  using Small::Small;

  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    for (std::size_t i = 0; i < n; ++i) {
      Target target{bodies.qx[i], bodies.qy[i], bodies.qz[i]};
      for (std::size_t j = 0; j < n; ++j) {
        const double mass = as_double(bodies.mass[j]);
        if (j != i) target.add(real(mass), bodies.qx[j], bodies.qy[j], bodies.qz[j]);
      }
      acceleration.x[i] = G * target.ax;
      acceleration.y[i] = G * target.ay;
      acceleration.z[i] = G * target.az;
    }
  }
};

}  // namespace nbody
