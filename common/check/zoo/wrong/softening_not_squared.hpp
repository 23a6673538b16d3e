#pragma once

#include "check/zoo/plain.hpp"

namespace nbody {

// The softening is added to the squared distance without being squared. Without softening nothing
// shows.
template <typename T>
class SofteningNotSquared : public Plain<T> {
 public:
  explicit SofteningNotSquared(const Problem<T>& problem) : Plain<T>(problem) {
    softening2 = problem.softening;
  }

 protected:
  using Plain<T>::softening2;
};

}  // namespace nbody
