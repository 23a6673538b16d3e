#pragma once

#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// Sources beyond the last multiple of 8 are skipped: a vector loop without its remainder. Fewer
// than 8 bodies take the scalar way and are right.
template <typename T>
class SourceTailSkipped : public Plain<T> {
 public:
  using Plain<T>::Plain;

 protected:
  using Plain<T>::bodies;
  using Plain<T>::pull;

  Triple<T> acceleration_of(std::size_t i) const override {
    const std::size_t n = bodies.size();
    const std::size_t end = n < 8 ? n : n - n % 8;
    Triple<T> sum;
    for (std::size_t j = 0; j < end; ++j) {
      if (j != i) sum += pull(i, j);
    }
    return sum;
  }
};

}  // namespace nbody
