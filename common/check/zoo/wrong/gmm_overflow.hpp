#pragma once

#include <cmath>
#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// Forces are computed with masses in the size of kilograms, so m_i m_j overflows float. In double
// it is right.
template <typename T>
class GmmOverflow : public Plain<T> {
 public:
  using Plain<T>::Plain;

 protected:
  using Plain<T>::bodies;
  using Plain<T>::field;

  Triple<T> pull(std::size_t i, std::size_t j) const override {
    const T kilograms = std::ldexp(T(1), 80);
    const T own = bodies.mass[i] * kilograms;
    const T product = own * (bodies.mass[j] * kilograms);
    return field(i, j) * (product / own / kilograms);
  }
};

}  // namespace nbody
