#pragma once

#include "check/zoo/plain.hpp"

namespace nbody {

// G is taken to be 1, as textbook codes do. Working units bring G near 1, so the error is a factor
// below 4, not 10 orders.
template <typename T>
class WrongG : public Plain<T> {
 public:
  explicit WrongG(const Problem<T>& problem) : Plain<T>(problem) { G = T(1); }

 protected:
  using Plain<T>::G;
};

}  // namespace nbody
