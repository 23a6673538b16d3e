#include "work/count.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/reference.hpp"
#include "core/scenes.hpp"
#include "core/units.hpp"

namespace nbody::work {
namespace {

// The checker's `standard` for float: far above double's rounding, so that code with roots of float
// accuracy still passes.
constexpr double largest_error = 1e-5;

struct Start {
  Bodies<double> bodies;  // working units
  double G, softening, dt;
};

Start start_with(std::size_t n) {
  const Scene scene = make_scene("random", n, 1);
  const Bodies<double> bodies = rounded_to_float(scene.bodies);
  const Units units = Units::for_bodies(bodies, scene.setting.G);
  return {units.to_working(bodies), units.to_G(scene.setting.G),
          units.to_length(scene.setting.softening), units.to_time(scene.setting.dt)};
}

ProblemOf<Counting> problem_of(const Start& start) {
  const auto converted = [](const std::vector<double>& values) {
    return std::vector<Counting>(values.begin(), values.end());
  };
  const Bodies<double>& from = start.bodies;
  return {{converted(from.mass), converted(from.radius), converted(from.qx), converted(from.qy),
           converted(from.qz), converted(from.vx), converted(from.vy), converted(from.vz)},
          start.G,
          start.softening};
}

// Infinity for NaN.
double error_of(const SimulatorOf<Counting>& simulator, const Start& start) {
  const std::size_t n = start.bodies.size();
  const Reference truth = reference_accelerations(start.bodies, start.G, start.softening);
  Vectors<Counting> got;
  got.resize(n);
  simulator.copy_accelerations(got);
  double worst = 0;
  for (std::size_t i = 0; i < n; ++i) {
    // Not hypot: libstdc++ 12 loses a NaN beside zeros.
    const double dx = as_double(got.x[i]) - truth.acceleration.x[i];
    const double dy = as_double(got.y[i]) - truth.acceleration.y[i];
    const double dz = as_double(got.z[i]) - truth.acceleration.z[i];
    const double error = std::sqrt(dx * dx + dy * dy + dz * dz) / truth.magnitude[i];
    if (!(error <= worst)) worst = error;
    if (!(worst <= std::numeric_limits<double>::max())) {
      return std::numeric_limits<double>::infinity();
    }
  }
  return worst;
}

template <typename Function>
Counts counted(Function function) {
  work_so_far = {};
  function();
  return work_so_far;
}

// Nothing if the implementation has no such function.
template <typename Function>
std::optional<Counts> counted_if_there(Function function) {
  try {
    return counted(function);
  } catch (const MissingFunction&) {
    return std::nullopt;
  }
}

// The second iteration is counted: one-time work does not belong to an iteration.
Work second_iteration(SimulatorOf<Counting>& simulator, double dt) {
  simulator.largest_time_step();
  simulator.update_bodies(dt);
  Work work;
  work.compute_accelerations = counted([&] { simulator.compute_accelerations(); });
  work.largest_time_step = counted([&] { simulator.largest_time_step(); });
  work.update_bodies = counted([&] { simulator.update_bodies(dt); });
  for (int round = 0; round < 2; ++round) {  // the second one stays
    work.kick = counted_if_there([&] { simulator.kick(dt); });
    work.drift = counted_if_there([&] { simulator.drift(dt); });
  }
  return work;
}

// On a new simulator, as the Hermite integrator does in each step.
std::optional<Counts> work_of_jerk(const CountedImplementation& implementation,
                                   const Start& start) {
  SimulatorOf<Counting>* simulator = implementation.make(problem_of(start));
  Vectors<Counting> accelerations, jerk;
  accelerations.resize(start.bodies.size());
  jerk.resize(start.bodies.size());
  const auto work =
      counted_if_there([&] { simulator->accelerations_and_jerk(accelerations, jerk); });
  simulator->~SimulatorOf();
  return work;
}

void refuse_uncounted(const CountedImplementation& implementation, const Work& work, std::size_t n,
                      double error) {
  const std::string name = fmt::format("{}/{}", implementation.part, implementation.name);
  if (!(error <= largest_error)) {
    throw CannotCount(fmt::format(
        "{} cannot be counted: with {} bodies its counted accelerations are wrong (error {:.1e}). "
        "If ./lab check {} {} passes, numbers bypass the counting: memcpy, memset, a union or "
        "reinterpret_cast",
        name, n, error, implementation.part, implementation.name));
  }
  for (const WorkPart& function : all_functions(work)) {
    if (const auto escapes = function.of(work).escapes; escapes > 0) {
      throw CannotCount(
          fmt::format("{} cannot be counted: {}() turns {} numbers into double by as_double(); "
                      "keep them real",
                      name, function.name, escapes));
    }
  }
  if (work.compute_accelerations.loads == 0) {
    throw CannotCount(
        fmt::format("{} cannot be counted: compute_accelerations() loads nothing from the heap. "
                    "Keep the bodies in std::vector or new[], not in malloc, aligned_alloc or "
                    "static arrays",
                    name));
  }
}

Work count_one(const CountedImplementation& implementation, std::size_t n, double& worst_error) {
  const Start start = start_with(n);
  SimulatorOf<Counting>* simulator = implementation.make(problem_of(start));
  simulator->compute_accelerations();
  const double error = error_of(*simulator, start);
  Work work = second_iteration(*simulator, start.dt);
  simulator->~SimulatorOf();
  work.accelerations_and_jerk = work_of_jerk(implementation, start);
  refuse_uncounted(implementation, work, n, error);
  worst_error = std::max(worst_error, error);
  return work;
}

}  // namespace

std::optional<Polynomial> WorkCount::polynomial(const WorkPart& part, const WorkClass& kind) const {
  const auto value = [&](std::size_t k) {
    return static_cast<std::int64_t>(kind.of(part.of(fitted[k])));
  };
  const Polynomial fit = Polynomial::through(size_step, value(0), value(1), value(2));
  if (!fit.passes_through(fitted_sizes[3], value(3))) return std::nullopt;
  return fit;
}

WorkCount count_work(const CountedImplementation& implementation, std::size_t n) {
  WorkCount count;
  count.n = n;
  for (std::size_t k = 0; k < fitted_sizes.size(); ++k) {
    count.fitted[k] = count_one(implementation, fitted_sizes[k], count.error);
  }
  if (n <= largest_counted) count.at_n = count_one(implementation, n, count.error);
  return count;
}

}  // namespace nbody::work
