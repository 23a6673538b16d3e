#include "core/conserved.hpp"

#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

namespace nbody {
namespace {

// sum of m_j / r over the sources below one target: each pair once.
double potential_below(const Bodies<double>& bodies, std::size_t target, double softening2) {
  const double* mass = bodies.mass.data();
  const double* qx = bodies.qx.data();
  const double* qy = bodies.qy.data();
  const double* qz = bodies.qz.data();
  const double x = qx[target], y = qy[target], z = qz[target];
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t j = 0; j < target; ++j) {
    const double dx = qx[j] - x, dy = qy[j] - y, dz = qz[j] - z;
    sum += mass[j] / std::sqrt(dx * dx + dy * dy + dz * dz + softening2);
  }
  return sum;
}

}  // namespace

double kinetic_energy(const Bodies<double>& bodies) {
  double energy = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const double vx = bodies.vx[i], vy = bodies.vy[i], vz = bodies.vz[i];
    energy += bodies.mass[i] * (vx * vx + vy * vy + vz * vz) / 2;
  }
  return energy;
}

double potential_energy(const Bodies<double>& bodies, double G, double softening) {
  const std::size_t n = bodies.size();
  std::vector<double> row(n);
  // Rows grow with i: a cyclic schedule keeps the threads equally busy.
#pragma omp parallel for schedule(static, 8) if (n >= 128)
  for (std::size_t i = 0; i < n; ++i) {
    row[i] = bodies.mass[i] * potential_below(bodies, i, softening * softening);
  }
  // Summed in order, so that the result does not depend on the number of threads.
  return -G * std::accumulate(row.begin(), row.end(), 0.0);
}

Vector momentum(const Bodies<double>& bodies) {
  Vector sum;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    sum.x += bodies.mass[i] * bodies.vx[i];
    sum.y += bodies.mass[i] * bodies.vy[i];
    sum.z += bodies.mass[i] * bodies.vz[i];
  }
  return sum;
}

Vector angular_momentum(const Bodies<double>& bodies) {
  Vector sum;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const double m = bodies.mass[i];
    sum.x += m * (bodies.qy[i] * bodies.vz[i] - bodies.qz[i] * bodies.vy[i]);
    sum.y += m * (bodies.qz[i] * bodies.vx[i] - bodies.qx[i] * bodies.vz[i]);
    sum.z += m * (bodies.qx[i] * bodies.vy[i] - bodies.qy[i] * bodies.vx[i]);
  }
  return sum;
}

Conserved conserved(const Bodies<double>& bodies, double G, double softening) {
  return {kinetic_energy(bodies) + potential_energy(bodies, G, softening), momentum(bodies),
          angular_momentum(bodies)};
}

double momentum_scale(const Bodies<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    sum += b.mass[i] * std::hypot(b.vx[i], b.vy[i], b.vz[i]);
  }
  return sum;
}

double angular_momentum_scale(const Bodies<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    sum +=
        b.mass[i] * std::hypot(b.vx[i], b.vy[i], b.vz[i]) * std::hypot(b.qx[i], b.qy[i], b.qz[i]);
  }
  return sum;
}

double change(const Vector& a, const Vector& b, double scale) {
  return scale > 0 ? std::hypot(a.x - b.x, a.y - b.y, a.z - b.z) / scale : 0;
}

}  // namespace nbody
