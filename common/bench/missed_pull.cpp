#include "bench/missed_pull.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bench/statistics.hpp"
#include "check/error_measure.hpp"
#include "physics/conserved.hpp"

namespace nbody::bench {
namespace {

using protocol::State;

Vector velocity_of(const State& state, std::size_t i) {
  return {state.velocity.x[i], state.velocity.y[i], state.velocity.z[i]};
}
Vector minus(const Vector& a, const Vector& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
double size_of(const Vector& a) { return check::length(a.x, a.y, a.z); }

}  // namespace

double missed_pull(const State& start, const State& end, const Vectors<double>& at_start,
                   const Vectors<double>& at_end, const std::vector<std::size_t>& rows,
                   std::uint64_t steps, double digits) {
  if (steps == 0 || rows.empty()) return 0;
  const double time = end.time, dt = time / static_cast<double>(steps);
  std::vector<double> missed;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const std::size_t i = rows[k];
    const Vector a0 = {at_start.x[k], at_start.y[k], at_start.z[k]};
    const Vector a1 = {at_end.x[k], at_end.y[k], at_end.z[k]};
    const Vector change = minus(velocity_of(end, i), velocity_of(start, i));
    // The sum over the steps omits the last acceleration: (dt / 2) (a1 - a0) less.
    const double w0 = (time + dt) / 2, w1 = (time - dt) / 2;
    const Vector off = {change.x - w0 * a0.x - w1 * a1.x, change.y - w0 * a0.y - w1 * a1.y,
                        change.z - w0 * a0.z - w1 * a1.z};
    const double size = w0 * size_of(a0) + w1 * size_of(a1);
    const double rounding =
        8 * digits * std::sqrt(static_cast<double>(steps)) * size_of(velocity_of(end, i));
    const double part = std::max(0.0, size_of(off) - rounding) / size;
    if (!check::is_finite(size_of(off)) || !(size >= 0))
      return std::numeric_limits<double>::infinity();
    missed.push_back(size > 0 ? part : 0);
  }
  return middle_of(std::move(missed));
}

}  // namespace nbody::bench
