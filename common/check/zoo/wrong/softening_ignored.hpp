#pragma once

#include "check/zoo/plain.hpp"

namespace nbody {

// The softening is never used. Without softening nothing shows.
template <typename T>
class SofteningIgnored : public Plain<T> {
 public:
  explicit SofteningIgnored(const Problem<T>& problem) : Plain<T>(problem) { softening2 = T(0); }

 protected:
  using Plain<T>::softening2;
};

}  // namespace nbody
