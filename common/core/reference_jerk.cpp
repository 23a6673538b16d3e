#include <cmath>

#include "core/conserved.hpp"
#include "core/reference.hpp"

namespace nbody {

// Not in reference.cpp, whose wide lanes no simulator may contain: every program runs Hermite's
// scheme.
Vectors<double> reference_jerk(const Bodies<double>& b, double G, double softening) {
  Vectors<double> jerk;
  jerk.resize(b.size());
#pragma omp parallel for schedule(static) if (b.size() * b.size() >= worth_threads)
  for (std::size_t i = 0; i < b.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      if (j == i) continue;
      const double dx = b.qx[j] - b.qx[i], dy = b.qy[j] - b.qy[i], dz = b.qz[j] - b.qz[i];
      const double dvx = b.vx[j] - b.vx[i], dvy = b.vy[j] - b.vy[i], dvz = b.vz[j] - b.vz[i];
      const double r2 = dx * dx + dy * dy + dz * dz + softening * softening;
      const double pull = G * b.mass[j] / (r2 * std::sqrt(r2));
      const double approach = 3 * (dx * dvx + dy * dvy + dz * dvz) / r2;
      jerk.x[i] += pull * (dvx - approach * dx);
      jerk.y[i] += pull * (dvy - approach * dy);
      jerk.z[i] += pull * (dvz - approach * dz);
    }
  }
  return jerk;
}

}  // namespace nbody
