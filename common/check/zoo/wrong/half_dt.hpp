#pragma once

#include "check/zoo/plain.hpp"

namespace nbody {

// The time step was halved twice, as with a leapfrog's half kick. The time reported is right.
template <typename T>
class HalfDt : public Plain<T> {
 public:
  using Plain<T>::Plain;

  void update_bodies(T dt) override { Plain<T>::update_bodies(dt / T(2)); }
};

}  // namespace nbody
