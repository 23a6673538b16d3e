#pragma once

#include <cstddef>
#include <vector>

#include "view/look.hpp"
#include "view/snapshot.hpp"

namespace nbody::view {

// A number from 0 to 1 for the colour of each body: by its speed, or by the logarithm of its
// acceleration. 0 and 1 are the slowest and fastest except for some outliers, and change slowly, so
// that colours do not flicker.
class Palette {
 public:
  std::vector<float> values(const Snapshot& snapshot, Look::Colour colour);

 private:
  void follow(const std::vector<double>& of_bodies, Look::Colour colour);
  double low_ = 0, high_ = 0;
  bool has_range_ = false;
  Look::Colour of_ = Look::Colour::speed;
};

}  // namespace nbody::view
