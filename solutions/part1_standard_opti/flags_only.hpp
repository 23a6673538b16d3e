#pragma once

#include "../../part1_standard_opti/naive.hpp"

namespace nbody {

// Problem: none measured yet; the cheapest try comes first.
// Idea: the source stays; the compiler may use every instruction of this CPU (-march=native) and
// treat numbers as if they were exact (-ffast-math).
// @@
template <typename T>
class FlagsOnly : public Naive<T> {
 public:
  using Naive<T>::Naive;
};

}  // namespace nbody
