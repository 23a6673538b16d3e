#pragma once

#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// The mass of the source is forgotten.
template <typename T>
class NoMass : public Plain<T> {
 public:
  using Plain<T>::Plain;

 protected:
  using Plain<T>::field;

  Triple<T> pull(std::size_t i, std::size_t j) const override { return field(i, j); }
};

}  // namespace nbody
