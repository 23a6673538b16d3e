#include "simulator/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "core/input_error.hpp"
#include "core/units.hpp"
#include "simulator/integration.hpp"
#include "simulator/ranks.hpp"

namespace nbody {
namespace {

template <typename T>
std::vector<T> converted(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}

template <typename T>
Bodies<T> converted(const Bodies<double>& from) {
  return {converted<T>(from.mass), converted<T>(from.radius), converted<T>(from.qx),
          converted<T>(from.qy),   converted<T>(from.qz),     converted<T>(from.vx),
          converted<T>(from.vy),   converted<T>(from.vz)};
}

std::vector<double> to_double(const std::vector<float>& values) {
  return {values.begin(), values.end()};
}
const std::vector<double>& to_double(const std::vector<double>& values) { return values; }

template <typename T>
Vectors<double> in_double(const Vectors<T>& v) {
  return {to_double(v.x), to_double(v.y), to_double(v.z)};
}

template <typename T>
double largest_to_square() {
  return std::sqrt(static_cast<double>(std::numeric_limits<T>::max()) / 4);
}

template <typename T>
bool at_one_place(const Bodies<T>& bodies, std::size_t i, std::size_t j) {
  return bodies.qx[i] == bodies.qx[j] && bodies.qy[i] == bodies.qy[j] &&
         bodies.qz[i] == bodies.qz[j];
}

// Two bodies at one place pull each other infinitely: report them here instead of NaN everywhere
// later.
template <typename T>
void refuse_coincident_bodies(const Bodies<T>& bodies) {
  std::vector<std::size_t> order(bodies.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto place = [&](std::size_t i) {
    return std::make_tuple(bodies.qx[i], bodies.qy[i], bodies.qz[i], i);
  };
  std::sort(order.begin(), order.end(),
            [&](std::size_t i, std::size_t j) { return place(i) < place(j); });
  const auto pair =
      std::adjacent_find(order.begin(), order.end(),
                         [&](std::size_t i, std::size_t j) { return at_one_place(bodies, i, j); });
  if (pair == order.end()) return;
  throw InputError(
      fmt::format("bodies {} and {} (counted from 0) are at the same place in this precision: "
                  "move one, or soften more with --soft EPS",
                  pair[0], pair[1]));
}

// 1/eps^3 is the largest factor, for two bodies at one place: false when T cannot hold it.
template <typename T>
bool keeps_apart(T softening) {
  return softening * softening * softening >= std::numeric_limits<T>::min();
}

// eps^2 is added to squared distances: if it overflows, all forces vanish.
template <typename T>
void refuse_too_large_softening(T softening) {
  if (!(softening < largest_to_square<T>())) {
    throw InputError("the softening (--soft) is too large for this precision: make it smaller");
  }
}

// Speeds get squared; a speed whose square overflows T would only give NaN.
template <typename T>
void refuse_out_of_range(const Bodies<double>& working) {
  const double limit = largest_to_square<T>();
  for (std::size_t i = 0; i < working.size(); ++i) {
    for (const double v : {working.vx[i], working.vy[i], working.vz[i]}) {
      if (!(std::abs(v) < limit)) {
        throw InputError(
            fmt::format("the velocity of body {} (counted from 0) is too large for this precision: "
                        "try --precision double, or check its units",
                        i));
      }
    }
    if (static_cast<T>(working.mass[i]) == T(0)) {
      throw InputError(
          fmt::format("the mass of body {} (counted from 0) is too small beside the heaviest in "
                      "this precision: try --precision double",
                      i));
    }
  }
}

void refuse_without_jerk(const Implementation& implementation, const Scheme& scheme) {
  if (!scheme.needs_jerk() || implementation.has_jerk) return;
  throw Unsupported(fmt::format(
      "the integrator {} needs the jerk, which {} does not compute: use yoshida4, also of fourth "
      "order",
      scheme.name, implementation.name));
}

// Calls the simulator. An exception may be thrown on one rank alone, and the others wait for it: so
// it ends them all, before the simulator's destructor waits for them.
template <typename Call>
auto asked(const Call& call) {
  try {
    return call();
  } catch (const MissingFunction& missing) {  // on all ranks
    throw Unsupported(missing.what());
  } catch (const std::exception& fault) {
    if (all_ranks != nullptr && all_ranks->number > 1) all_ranks->stop(fault.what());
    throw;
  }
}

template <typename T>
class ScaledSimulation : public Simulation {
 public:
  ScaledSimulation(Maker<T> make, const Scene& scene, bool adaptive, const Tuning& tuning)
      : units_(Units::for_bodies(scene.bodies, scene.setting.G)), given_(scene.bodies) {
    const Bodies<double> working = units_.to_working(scene.bodies);
    refuse_out_of_range<T>(working);
    const Bodies<T> start = converted<T>(working);
    ProblemOf<T> problem{{},
                         static_cast<T>(units_.to_G(scene.setting.G)),
                         static_cast<T>(units_.to_length(scene.setting.softening)),
                         tuning};
    refuse_too_large_softening(problem.softening);
    if (!keeps_apart(problem.softening)) refuse_coincident_bodies(start);
    // A single body has no neighbour and so no largest step.
    rule_ = {adaptive && given_.size() > 1, units_.to_time(scene.setting.dt),
             units_.to_time(scene.setting.dt_floor)};
    const auto make_at = [make, problem](const Bodies<T>& bodies) mutable {
      problem.bodies = bodies;
      for (std::vector<T>* of : {&problem.bodies.qx, &problem.bodies.qy, &problem.bodies.qz,
                                 &problem.bodies.vx, &problem.bodies.vy, &problem.bodies.vz}) {
        share(*of);  // a scheme's stages come from copy_state(), which fills only rank 0's
      }
      return make(problem);
    };
    integration_ = asked([&] {
      return std::make_unique<Integration<T>>(scheme_named(scene.setting.integrator),
                                              scene.setting.damping, make_at, start);
    });
  }

  double advance(std::uint64_t steps) override {
    return asked([&] { return units_.time_to_si(integration_->advance(steps, rule_)); });
  }
  void compute_accelerations() override {
    asked([&] { integration_->simulator().compute_accelerations(); });
  }
  std::uint64_t evaluations() const override { return integration_->evaluations(); }

  Bodies<double> bodies() const override {
    Bodies<T> state;
    state.resize(given_.size());
    asked([&] { integration_->simulator().copy_state(state); });
    Bodies<double> moved = units_.to_si(
        {given_.mass, given_.radius, to_double(state.qx), to_double(state.qy), to_double(state.qz),
         to_double(state.vx), to_double(state.vy), to_double(state.vz)});
    moved.mass = given_.mass;
    moved.radius = given_.radius;
    return moved;
  }

  Vectors<double> accelerations() const override {
    Vectors<T> accelerations;
    accelerations.resize(given_.size());
    asked([&] { integration_->simulator().copy_accelerations(accelerations); });
    return units_.acceleration_to_si(in_double(accelerations));
  }
  std::pair<Vectors<double>, Vectors<double>> accelerations_and_jerk() override {
    const auto [a, jerk] = asked([&] { return integration_->accelerations_and_jerk(); });
    return {units_.acceleration_to_si(in_double(a)), units_.jerk_to_si(in_double(jerk))};
  }

 private:
  Units units_;
  Bodies<double> given_;
  StepRule rule_;
  std::unique_ptr<Integration<T>> integration_;
};

}  // namespace

Tuning chosen_tuning(const Implementation& implementation, const Tuning& asked) {
  const auto chosen = [](unsigned value, const std::vector<unsigned>& values) {
    return value == 0 && !values.empty() ? values.front() : value;
  };
  return {.block = chosen(asked.block, implementation.block_sizes),
          .unroll = chosen(asked.unroll, implementation.unrolls),
          .grid = asked.grid};
}

std::unique_ptr<Simulation> start_simulation(const Implementation& implementation,
                                             const Scene& scene, bool adaptive,
                                             const Tuning& asked) {
  refuse_without_jerk(implementation, scheme_named(scene.setting.integrator));
  const Tuning tuning = chosen_tuning(implementation, asked);
  const MakeSimulator& make = implementation.make;
  if (make.in_float != nullptr) {
    return std::make_unique<ScaledSimulation<float>>(make.in_float, scene, adaptive, tuning);
  }
  return std::make_unique<ScaledSimulation<double>>(make.in_double, scene, adaptive, tuning);
}

}  // namespace nbody
