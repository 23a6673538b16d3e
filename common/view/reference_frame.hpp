#pragma once

#include <vector>

#include "bodies/bodies.hpp"
#include "view/matrix.hpp"

namespace nbody::view {

// From metres to lengths of the picture: the system is centred at 0, with a size of about 1.
struct ReferenceFrame {
  double x = 0, y = 0, z = 0;  // what becomes 0, m
  double size = 1;             // what becomes 1, m

  Point point(const Vectors<double>& positions, std::size_t body) const;
};

// Around the centre of mass. The size is that of 95 % of the bodies, so that a few ejected ones do
// not shrink the others to a dot.
ReferenceFrame frame_of(const Bodies<double>& bodies);

// The q-quantile of all values, q in [0, 1].
double quantile(std::vector<double> values, double q);

}  // namespace nbody::view
