#pragma once

#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// Eq. 5 lacks its a dt^2/2. A short time step hides it.
template <typename T>
class NoAccelerationInPosition : public Plain<T> {
 public:
  using Plain<T>::Plain;

  void update_bodies(T dt) override {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      bodies.qx[i] += bodies.vx[i] * dt;
      bodies.qy[i] += bodies.vy[i] * dt;
      bodies.qz[i] += bodies.vz[i] * dt;
      bodies.vx[i] += acceleration.x[i] * dt;
      bodies.vy[i] += acceleration.y[i] * dt;
      bodies.vz[i] += acceleration.z[i] * dt;
    }
  }

 protected:
  using Plain<T>::acceleration;
  using Plain<T>::bodies;
};

}  // namespace nbody
