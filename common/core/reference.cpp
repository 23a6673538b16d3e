#include "core/reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/conserved.hpp"

namespace nbody {
namespace {

// What sources [first, last) do to one target, without G.
struct Pull {
  double x = 0, y = 0, z = 0, magnitude = 0;
};

// Compiled twice where the program can choose when it starts: many processors need no longer for
// four roots or divisions than for two. clang does not clone templates, and the thread sanitizer is
// not there yet when the choice is made.
#if defined(__x86_64__) && defined(__GLIBC__) && !defined(__clang__) && \
    !defined(__SANITIZE_THREAD__)
#define WIDE_LANES_TOO [[gnu::target_clones("avx2", "default")]]
#else
#define WIDE_LANES_TOO
#endif

// The pragma permits several partial sums: without it the compiler must add one by one. Unsoftened,
// both square roots are the same: 1.4 times faster with one.
template <bool softened>
WIDE_LANES_TOO void add_pull(const Bodies<double>& bodies, std::size_t target, std::size_t first,
                             std::size_t last, double softening2, Pull& pull) {
  const double x = bodies.qx[target], y = bodies.qy[target], z = bodies.qz[target];
  double ax = 0, ay = 0, az = 0, magnitude = 0;
#pragma omp simd reduction(+ : ax, ay, az, magnitude)
  for (std::size_t j = first; j < last; ++j) {
    const double dx = bodies.qx[j] - x, dy = bodies.qy[j] - y, dz = bodies.qz[j] - z;
    const double d2 = dx * dx + dy * dy + dz * dz;
    const double r2 = d2 + softening2;
    const double r = std::sqrt(r2);
    const double scale = bodies.mass[j] / (r2 * r);
    ax += scale * dx;
    ay += scale * dy;
    az += scale * dz;
    magnitude += scale * (softened ? std::sqrt(d2) : r);
  }
  pull.x += ax;
  pull.y += ay;
  pull.z += az;
  pull.magnitude += magnitude;
}

// Two ranges instead of a test for j == target in the loop.
template <bool softened>
Pull pull_on(const Bodies<double>& bodies, std::size_t target, double softening2) {
  Pull pull;
  add_pull<softened>(bodies, target, 0, target, softening2, pull);
  add_pull<softened>(bodies, target, target + 1, bodies.size(), softening2, pull);
  return pull;
}

// The positive root of a t^2/2 + v t = D/10 in the form that survives a = 0 and small a.
double time_to_travel_a_tenth(double distance, double speed, double acceleration) {
  if (distance == 0) return 0;
  const double d = 0.2 * distance;
  return d / (speed + std::sqrt(speed * speed + d * acceleration));
}

std::vector<std::size_t> all_rows(const Bodies<double>& bodies) {
  std::vector<std::size_t> rows(bodies.size());
  std::iota(rows.begin(), rows.end(), std::size_t{0});
  return rows;
}

}  // namespace

Reference reference_accelerations(const Bodies<double>& bodies, double G, double softening,
                                  const std::vector<std::size_t>& rows) {
  Reference result;
  result.acceleration.resize(rows.size());
  result.magnitude.resize(rows.size());
#pragma omp parallel for schedule(static) if (rows.size() * bodies.size() >= worth_threads)
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Pull pull = softening == 0 ? pull_on<false>(bodies, rows[k], 0)
                                     : pull_on<true>(bodies, rows[k], softening * softening);
    result.acceleration.x[k] = G * pull.x;
    result.acceleration.y[k] = G * pull.y;
    result.acceleration.z[k] = G * pull.z;
    result.magnitude[k] = G * pull.magnitude;
  }
  return result;
}

Reference reference_accelerations(const Bodies<double>& bodies, double G, double softening) {
  return reference_accelerations(bodies, G, softening, all_rows(bodies));
}

double reference_time_step(const Bodies<double>& bodies, const Vectors<double>& acceleration,
                           const std::vector<std::size_t>& rows) {
  const std::size_t n = bodies.size();
  const double infinity = std::numeric_limits<double>::infinity();
  if (n < 2) return infinity;
  // No reduction(min : ...): its threads start from the largest finite number, not from infinity.
  std::vector<double> step(rows.size());
#pragma omp parallel for schedule(static) if (rows.size() * n >= worth_threads)
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const std::size_t i = rows[k];
    const double distance = std::sqrt(
        std::min(nearest_distance2(bodies, i, 0, i), nearest_distance2(bodies, i, i + 1, n)));
    const double speed = std::hypot(bodies.vx[i], bodies.vy[i], bodies.vz[i]);
    const double pull = std::hypot(acceleration.x[k], acceleration.y[k], acceleration.z[k]);
    step[k] = time_to_travel_a_tenth(distance, speed, pull);
  }
  return *std::min_element(step.begin(), step.end());
}

double reference_time_step(const Bodies<double>& bodies, const Vectors<double>& acceleration) {
  return reference_time_step(bodies, acceleration, all_rows(bodies));
}

double adaptive_step(double largest, const Setting& setting) {
  return std::isfinite(largest) ? std::max(largest, setting.dt_floor) : setting.dt;
}

void reference_update(Bodies<double>& bodies, const Vectors<double>& acceleration, double dt) {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies.qx[i] += bodies.vx[i] * dt + acceleration.x[i] * dt * dt / 2;
    bodies.qy[i] += bodies.vy[i] * dt + acceleration.y[i] * dt * dt / 2;
    bodies.qz[i] += bodies.vz[i] * dt + acceleration.z[i] * dt * dt / 2;
    bodies.vx[i] += acceleration.x[i] * dt;
    bodies.vy[i] += acceleration.y[i] * dt;
    bodies.vz[i] += acceleration.z[i] * dt;
  }
}

}  // namespace nbody
