#pragma once

#include <cstdint>
#include <exception>

#include "core/bodies.hpp"
#include "simulator/tuning.hpp"

namespace nbody {

// The only conversion from a simulator's number type to double. Other number types (the counting
// number) bring their own overload.
inline double as_double(float value) { return static_cast<double>(value); }
inline double as_double(double value) { return value; }

// The number type of a simulator program, by which it is chosen and judged.
enum class Precision { single_precision, double_precision };

inline const char* name_of(Precision precision) {
  return precision == Precision::single_precision ? "float" : "double";
}

// What a simulator is constructed from, in working units (core/units.hpp).
template <typename T>
struct ProblemOf {
  Bodies<T> bodies;
  T G;
  T softening;  // eps; eps^2 is added to every squared distance
  Tuning tuning = {};
};

// How the time step is chosen; working units.
struct StepRule {
  bool adaptive = false;
  double dt = 0;        // the fixed step; also used if Eq. 7 has no finite answer
  double dt_floor = 0;  // smallest adaptive step
  bool operator==(const StepRule&) const = default;
};

// The implementation lacks an optional function. Not a std::logic_error, whose header would bring
// all of std::string into every implementation.
struct MissingFunction : std::exception {
  explicit MissingFunction(const char* text) : text(text) {}
  const char* what() const noexcept override { return text; }
  const char* text;
};

// The contract: what an implementation must do. The host and the count program use it with several
// number types T; an implementation uses one, `real` (simulator/simulator.hpp). Equation numbers
// are those of docs/physics.md.
template <typename T>
class SimulatorOf {
 public:
  virtual ~SimulatorOf() = default;

  // Eq. 1-3 for every body, from the current positions.
  virtual void compute_accelerations() = 0;

  // Eq. 7: the smallest dt that moves some body by 10 % of the distance to its nearest neighbour.
  // Uses the accelerations last computed.
  virtual T largest_time_step() = 0;

  // Eq. 4 and 5: q += v dt + a dt^2/2 with the old v, then v += a dt.
  virtual void update_bodies(T dt) = 0;

  // v += a dt, and q += v dt: the building blocks of other integrators.
  virtual void kick(T) { throw MissingFunction("the integrator needs a kick(), as in naive"); }
  virtual void drift(T) { throw MissingFunction("the integrator needs a drift(), as in naive"); }

  // Advances by `steps` time steps and returns the time simulated. Override it to keep many steps
  // together, for example on a GPU.
  virtual double advance(std::uint64_t steps, const StepRule& rule) {
    double time = 0;
    for (std::uint64_t step = 0; step < steps; ++step) {
      compute_accelerations();
      const double dt = step_by(rule);
      update_bodies(T(dt));
      time += dt;
    }
    return time;
  }

  // The next step, from the accelerations last computed.
  double step_by(const StepRule& rule) {
    if (!rule.adaptive) return rule.dt;
    const double largest = as_double(largest_time_step());
    // Not isfinite(): -ffast-math assumes that it is always true.
    if (!(largest < 1e300)) return rule.dt;
    return largest < rule.dt_floor ? rule.dt_floor : largest;
  }

  // Copies of positions and velocities, or of the accelerations last computed, in the order of the
  // problem's bodies. Called only when the host asks, so the state may live on a device. The arrays
  // already have the right size.
  virtual void copy_state(Bodies<T>& state) const = 0;
  virtual void copy_accelerations(Vectors<T>& accelerations) const = 0;
};

}  // namespace nbody
