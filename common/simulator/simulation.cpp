#include "simulator/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <tuple>

#include "core/input_error.hpp"
#include "core/units.hpp"
#include "simulator/accelerator.hpp"
#include "simulator/integration.hpp"
#include "simulator/ranks.hpp"
#include "simulator/threads.hpp"

namespace nbody {
namespace {

// Speeds and the softening get squared: T must hold that.
template <typename T>
void refuse_out_of_range(const Bodies<double>& working, T softening) {
  const double limit = std::sqrt(static_cast<double>(std::numeric_limits<T>::max()) / 4);
  for (std::size_t i = 0; i < working.size(); ++i) {
    const double speed = std::hypot(working.vx[i], working.vy[i], working.vz[i]);
    const T mass = static_cast<T>(working.mass[i]);
    if (speed < limit && mass > 0) continue;
    throw InputError(
        fmt::format("body {} (counted from 0) is too fast, or too light beside the heaviest, for "
                    "this precision: try --precision double, or check its units",
                    i));
  }
  // All forces would vanish.
  if (!(softening < limit)) {
    throw InputError("the softening (--soft) is too large for this precision: make it smaller");
  }
}

// Two bodies at one place pull each other infinitely: report them here instead of NaN everywhere
// later. Softened, their factor is 1/eps^3, which T may hold.
template <typename T>
void refuse_coincident_bodies(const Bodies<T>& bodies, T softening) {
  if (softening * softening * softening >= std::numeric_limits<T>::min()) return;
  const auto place = [&](std::size_t i) {
    return std::make_tuple(bodies.qx[i], bodies.qy[i], bodies.qz[i]);
  };
  std::vector<std::size_t> order(bodies.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, place);
  const auto pair = std::ranges::adjacent_find(order, {}, place);
  if (pair == order.end()) return;
  throw InputError(
      fmt::format("bodies {} and {} (counted from 0) are at the same place in this precision: "
                  "move one, or soften more with --soft EPS",
                  pair[0], pair[1]));
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
class Scaled : public Simulation {
 public:
  Scaled(Maker<T> make, const Scene& scene, bool adaptive, const Tuning& tuning)
      : units_(Units::for_bodies(scene.bodies, scene.setting.G)), given_(scene.bodies) {
    const Bodies<double> working = units_.to_working(scene.bodies);
    ProblemOf<T> problem{in_precision<T>(working), static_cast<T>(units_.to_G(scene.setting.G)),
                         static_cast<T>(units_.to_length(scene.setting.softening)), tuning};
    refuse_out_of_range(working, problem.softening);
    refuse_coincident_bodies(problem.bodies, problem.softening);
    // A single body has no neighbour and so no largest step.
    rule_ = {adaptive && given_.size() > 1, units_.to_time(scene.setting.dt),
             units_.to_time(scene.setting.dt_floor)};
    // A scheme's stages come from copy_state(), which fills only rank 0's.
    const auto make_shared = [make](ProblemOf<T>& at) {
      for (std::vector<T>* column : at.bodies.columns()) share(*column);
      return make(at);
    };
    integration_ = asked([&] {
      return std::make_unique<Integration<T>>(scheme_named(scene.setting.integrator),
                                              scene.setting.damping, make_shared,
                                              std::move(problem));
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
    const auto own = asked([&] { return integration_->state(); });
    Bodies<double> moved = units_.to_si(in_precision<double>(own));
    moved.mass = given_.mass;
    moved.radius = given_.radius;
    return moved;
  }
  Vectors<double> accelerations() const override {
    const auto own = asked([&] { return integration_->accelerations(); });
    return units_.acceleration_to_si(in_precision<double>(own));
  }

 private:
  Units units_;
  Bodies<double> given_;
  StepRule rule_;
  std::unique_ptr<Integration<T>> integration_;
};

}  // namespace

std::unique_ptr<Simulation> start_simulation(const Implementation& implementation,
                                             const Scene& scene, bool adaptive,
                                             const Tuning& asked) {
  const Tuning tuning = implementation.choices.chosen(asked);
  return std::visit(
      [&]<typename T>(Maker<T> make) -> std::unique_ptr<Simulation> {
        return std::make_unique<Scaled<T>>(make, scene, adaptive, tuning);
      },
      implementation.make);
}

Answer answer_request(const Implementation& implementation, const Request& request,
                      const Tuning& tuning) {
  use_threads(request.threads);
  Scene scene{request.bodies, request.setting, 0};
  scene.bodies.radius.resize(scene.bodies.size());
  const auto simulation = start_simulation(implementation, scene, request.adaptive, tuning);

  Answer answer;
  double time = 0;
  for (std::uint64_t state = 0; state < request.states(); ++state) {
    time += simulation->advance(request.steps / request.states());
    Bodies<double> b = simulation->bodies();
    answer.states.push_back({time,
                             {std::move(b.qx), std::move(b.qy), std::move(b.qz)},
                             {std::move(b.vx), std::move(b.vy), std::move(b.vz)}});
  }
  if (request.accelerations) {
    simulation->compute_accelerations();
    answer.accelerations = simulation->accelerations();
    // Copied twice, as a scheme may do. Other ranks hold nothing that is read; NaN is like itself.
    const auto [x, y, z] = simulation->accelerations();
    const auto differ = [](const std::vector<double>& one, const std::vector<double>& other) {
      return std::memcmp(one.data(), other.data(), one.size() * sizeof(double)) != 0;
    };
    const Vectors<double>& first = answer.accelerations;
    if (is_rank_0() && (differ(x, first.x) || differ(y, first.y) || differ(z, first.z))) {
      throw std::runtime_error(
          "copy_accelerations() gave other numbers the second time: it must not change what it "
          "copies");
    }
  }
  return answer;
}

}  // namespace nbody
