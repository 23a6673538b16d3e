#pragma once

#include "small.hpp"

namespace nbody {

// Reads its positions as if they were plain numbers.
class PastTheCounting : public Small {
 public:
  using Small::Small;

  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    const auto* qx = reinterpret_cast<const double*>(bodies.qx.data());
    for (std::size_t i = 0; i < n; ++i) {
      Target target{real(qx[i]), bodies.qy[i], bodies.qz[i]};
      for (std::size_t j = 0; j < n; ++j) {
        if (j != i) target.add(bodies.mass[j], real(qx[j]), bodies.qy[j], bodies.qz[j]);
      }
      acceleration.x[i] = G * target.ax;
      acceleration.y[i] = G * target.ay;
      acceleration.z[i] = G * target.az;
    }
  }
};

}  // namespace nbody
