#pragma once

#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// Eq. 4 comes before Eq. 5, so positions move with the new velocity. A short time step hides it.
template <typename T>
class NewVelocity : public Plain<T> {
 public:
  using Plain<T>::Plain;

  void update_bodies(T dt) override {
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      bodies.vx[i] += acceleration.x[i] * dt;
      bodies.vy[i] += acceleration.y[i] * dt;
      bodies.vz[i] += acceleration.z[i] * dt;
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
