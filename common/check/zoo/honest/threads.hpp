#pragma once

#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// Targets are shared out to threads; nobody writes to another's body.
template <typename T>
class Threads : public Plain<T> {
 public:
  using Plain<T>::Plain;

  void compute_accelerations() override {
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < bodies.size(); ++i) set_acceleration(i, acceleration_of(i));
  }

 protected:
  using Plain<T>::acceleration_of;
  using Plain<T>::bodies;
  using Plain<T>::set_acceleration;
};

}  // namespace nbody
