#pragma once

#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// Computing accelerations moves all bodies so that their centre of mass is the origin. The
// accelerations are right.
template <typename T>
class InputsChanged : public Plain<T> {
 public:
  using Plain<T>::Plain;

  void compute_accelerations() override {
    Triple<T> centre;
    T total = T(0);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      centre += Triple<T>{bodies.qx[i], bodies.qy[i], bodies.qz[i]} * bodies.mass[i];
      total += bodies.mass[i];
    }
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      bodies.qx[i] -= centre.x / total;
      bodies.qy[i] -= centre.y / total;
      bodies.qz[i] -= centre.z / total;
    }
    Plain<T>::compute_accelerations();
  }

 protected:
  using Plain<T>::bodies;
};

}  // namespace nbody
