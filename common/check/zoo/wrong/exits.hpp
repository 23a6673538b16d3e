#pragma once

#include <cstdlib>

#include "check/zoo/plain.hpp"

namespace nbody {

// The program leaves with status 0, which says success, and has answered nothing.
template <typename T>
class Exits : public Plain<T> {
 public:
  using Plain<T>::Plain;

  void compute_accelerations() override { std::exit(0); }
};

}  // namespace nbody
