#pragma once

#include <vector>

#include "bodies/bodies.hpp"
#include "view/camera.hpp"
#include "view/snapshot.hpp"

// Where bodies stand in the picture, and in which colour.
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
