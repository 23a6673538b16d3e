#pragma once

#include "small.hpp"

namespace nbody {

// The first call multiplies G into the masses; no later one does.
class Prepared : public Small {
 public:
  using Small::Small;

  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    if (weight.empty()) {
      for (std::size_t j = 0; j < n; ++j) weight.push_back(G * bodies.mass[j]);
    }
    for (std::size_t i = 0; i < n; ++i) {
      Target target{bodies.qx[i], bodies.qy[i], bodies.qz[i]};
      for (std::size_t j = 0; j < n; ++j) {
        if (j != i) target.add(weight[j], bodies.qx[j], bodies.qy[j], bodies.qz[j]);
      }
      acceleration.x[i] = target.ax;
      acceleration.y[i] = target.ay;
      acceleration.z[i] = target.az;
    }
  }

 private:
  std::vector<real> weight;
};

}  // namespace nbody
