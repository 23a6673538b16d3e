#pragma once

#include "check/zoo/plain.hpp"

namespace nbody {

// Eq. 5 is missing: only velocities change.
template <typename T>
class PositionNotUpdated : public Plain<T> {
 public:
  using Plain<T>::Plain;

  void update_bodies(T dt) override {
    const Bodies<T> before = bodies;
    Plain<T>::update_bodies(dt);
    bodies.qx = before.qx;
    bodies.qy = before.qy;
    bodies.qz = before.qz;
  }

 protected:
  using Plain<T>::bodies;
};

}  // namespace nbody
