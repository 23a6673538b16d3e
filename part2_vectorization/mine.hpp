#pragma once

#include "naive.hpp"

namespace nbody {

// Yours. It starts as the naive simulator of part 2; override what you want to make faster:
//
//   compute_accelerations()   copy it from naive.hpp, keep `override`, change it
//   largest_time_step()
//   update_bodies(dt)
//
// Other data? Write the constructor and the two copy functions too, and derive from Simulator<T>.
// More than one version? Copy this file to mine_NAME.hpp (the class stays Mine): it joins by
// itself. Done when `./lab check part2 mine` passes. No constant like 1e-20f: units are scaled.
template <typename T>
class Mine : public Naive<T> {
 public:
  using Naive<T>::Naive;

 protected:
  // A template does not see the names of its base unless they are listed.
  using Naive<T>::acceleration;
  using Naive<T>::bodies;
  using Naive<T>::G;
  using Naive<T>::length;
  using Naive<T>::move;
  using Naive<T>::nearest_neighbour2;
  using Naive<T>::softening;
};

}  // namespace nbody
