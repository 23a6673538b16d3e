#include "view/reference_frame.hpp"

#include <algorithm>
#include <cmath>

namespace nbody::view {

Point ReferenceFrame::point(const Vectors<double>& at, std::size_t i) const {
  return {static_cast<float>((at.x[i] - x) / size), static_cast<float>((at.y[i] - y) / size),
          static_cast<float>((at.z[i] - z) / size)};
}

double quantile(std::vector<double> values, double q) {
  const auto last = static_cast<double>(values.size() - 1);
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(std::ceil(q * last));
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

ReferenceFrame frame_of(const Bodies<double>& bodies) {
  ReferenceFrame frame;
  double mass = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    mass += bodies.mass[i];
    const double share = bodies.mass[i] / mass;  // running mean: no sum that overflows
    frame.x += share * (bodies.qx[i] - frame.x);
    frame.y += share * (bodies.qy[i] - frame.y);
    frame.z += share * (bodies.qz[i] - frame.z);
  }
  std::vector<double> distances(bodies.size());
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    distances[i] =
        std::hypot(bodies.qx[i] - frame.x, bodies.qy[i] - frame.y, bodies.qz[i] - frame.z);
  }
  const double size = quantile(std::move(distances), 0.95);
  frame.size = size > 0 ? size : 1;
  return frame;
}

}  // namespace nbody::view
