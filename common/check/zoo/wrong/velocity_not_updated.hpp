#pragma once

#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// Eq. 4 is missing: positions feel the acceleration, velocities never do.
template <typename T>
class VelocityNotUpdated : public Plain<T> {
 public:
  using Plain<T>::Plain;

  void update_bodies(T dt) override {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      bodies.qx[i] += bodies.vx[i] * dt + acceleration.x[i] * dt * dt / T(2);
      bodies.qy[i] += bodies.vy[i] * dt + acceleration.y[i] * dt * dt / T(2);
      bodies.qz[i] += bodies.vz[i] * dt + acceleration.z[i] * dt * dt / T(2);
    }
  }

 protected:
  using Plain<T>::acceleration;
  using Plain<T>::bodies;
};

}  // namespace nbody
