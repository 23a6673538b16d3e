#include "core/nearest.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace nbody {

double nearest_distance2(const Bodies<double>& bodies, std::size_t target, std::size_t first,
                         std::size_t last) {
  const double* qx = bodies.qx.data();
  const double* qy = bodies.qy.data();
  const double* qz = bodies.qz.data();
  const double x = qx[target], y = qy[target], z = qz[target];
  double nearest2 = std::numeric_limits<double>::infinity();
#pragma omp simd reduction(min : nearest2)
  for (std::size_t j = first; j < last; ++j) {
    const double dx = qx[j] - x, dy = qy[j] - y, dz = qz[j] - z;
    const double d2 = dx * dx + dy * dy + dz * dz;
    nearest2 = d2 < nearest2 ? d2 : nearest2;
  }
  return nearest2;
}

double smallest_distance(const Bodies<double>& bodies) {
  const std::size_t n = bodies.size();
  std::vector<double> nearest2(n);
#pragma omp parallel for schedule(static, 1) if (n * n >= worth_threads)
  for (std::size_t i = 0; i < n; ++i) nearest2[i] = nearest_distance2(bodies, i, 0, i);
  return std::sqrt(*std::min_element(nearest2.begin(), nearest2.end()));
}

}  // namespace nbody
