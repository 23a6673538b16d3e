#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// Eq. 6 solved as at school: the difference cancels when a D is small beside v^2.
template <typename T>
class TextbookRoot : public Plain<T> {
 public:
  using Plain<T>::Plain;

 protected:
  using Plain<T>::acceleration;
  using Plain<T>::bodies;
  using Plain<T>::nearest_distance;

  T time_step_of(std::size_t i) const override {
    const T v = Triple<T>{bodies.vx[i], bodies.vy[i], bodies.vz[i]}.length();
    const T a = Triple<T>{acceleration.x[i], acceleration.y[i], acceleration.z[i]}.length();
    return (std::sqrt(v * v + T(0.2) * a * nearest_distance(i)) - v) / a;
  }
};

}  // namespace nbody
