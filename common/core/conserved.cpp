#include "core/conserved.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace nbody {
namespace {

// sum of m_j / r over the sources below one target: each pair once.
double potential_below(const Bodies<double>& bodies, std::size_t target, double softening2) {
  const double x = bodies.qx[target], y = bodies.qy[target], z = bodies.qz[target];
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (std::size_t j = 0; j < target; ++j) {
    const double dx = bodies.qx[j] - x, dy = bodies.qy[j] - y, dz = bodies.qz[j] - z;
    sum += bodies.mass[j] / std::sqrt(dx * dx + dy * dy + dz * dz + softening2);
  }
  return sum;
}

template <typename Term>
double sum_over(const Bodies<double>& bodies, const Term& term) {
  double sum = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) sum += term(i);
  return sum;
}

}  // namespace

double kinetic_energy(const Bodies<double>& b) {
  return sum_over(b, [&b](auto i) {
    return b.mass[i] * (b.vx[i] * b.vx[i] + b.vy[i] * b.vy[i] + b.vz[i] * b.vz[i]) / 2;
  });
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

double total_energy(const Bodies<double>& bodies, double G, double softening) {
  return kinetic_energy(bodies) + potential_energy(bodies, G, softening);
}

Vector momentum(const Bodies<double>& b) {
  return {sum_over(b, [&b](auto i) { return b.mass[i] * b.vx[i]; }),
          sum_over(b, [&b](auto i) { return b.mass[i] * b.vy[i]; }),
          sum_over(b, [&b](auto i) { return b.mass[i] * b.vz[i]; })};
}

Vector angular_momentum(const Bodies<double>& b) {
  return {
      sum_over(b, [&b](auto i) { return b.mass[i] * (b.qy[i] * b.vz[i] - b.qz[i] * b.vy[i]); }),
      sum_over(b, [&b](auto i) { return b.mass[i] * (b.qz[i] * b.vx[i] - b.qx[i] * b.vz[i]); }),
      sum_over(b, [&b](auto i) { return b.mass[i] * (b.qx[i] * b.vy[i] - b.qy[i] * b.vx[i]); })};
}

double nearest_distance2(const Bodies<double>& bodies, std::size_t target, std::size_t first,
                         std::size_t last) {
  const double x = bodies.qx[target], y = bodies.qy[target], z = bodies.qz[target];
  double nearest2 = std::numeric_limits<double>::infinity();
#pragma omp simd reduction(min : nearest2)
  for (std::size_t j = first; j < last; ++j) {
    const double dx = bodies.qx[j] - x, dy = bodies.qy[j] - y, dz = bodies.qz[j] - z;
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
