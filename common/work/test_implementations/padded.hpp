#pragma once

#include "small.hpp"

namespace nbody {

// Sources in groups of 16; the last group is padded with distant bodies of zero mass.
class Padded : public Small {
 public:
  using Small::Small;

  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    for (std::size_t i = 0; i < n; ++i) {
      Target target{bodies.qx[i], bodies.qy[i], bodies.qz[i]};
      for (std::size_t j = 0; j < (n + 15) / 16 * 16; ++j) {
        if (j == i) continue;
        if (j < n) {
          target.add(bodies.mass[j], bodies.qx[j], bodies.qy[j], bodies.qz[j]);
        } else {
          target.add(real(0), real(9), real(9), real(9));
        }
      }
      acceleration.x[i] = G * target.ax;
      acceleration.y[i] = G * target.ay;
      acceleration.z[i] = G * target.az;
    }
  }
};

}  // namespace nbody
