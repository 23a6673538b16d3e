#include "view/simulated.hpp"

#include <algorithm>
#include <cmath>

#include "physics/conserved.hpp"
#include "simulator/run_report.hpp"

namespace nbody::view {
namespace {

// In every snapshot only up to this N.
constexpr std::size_t largest_n_for_it_always = 4096;
constexpr double patience_s = 1e8;  // a step of many bodies may take minutes

bool all_finite(const Vectors<double>& vectors) {
  for (const auto* column : {&vectors.x, &vectors.y, &vectors.z}) {
    for (const double value : *column) {
      if (!std::isfinite(value)) return false;
    }
  }
  return true;
}

}  // namespace

Simulated::Simulated(const check::ProgramEntry& program, const Scene& scene, const Options& options,
                     Energy energy)
    : session_(program.file, program.arguments,
               {.expected = program.hello, .launcher = program.launcher}),
      iterations_(options.iterations),
      when_(energy) {
  request_.precision = program.precision;
  request_.setting = scene.setting;
  request_.bodies = scene.bodies;
  request_.adaptive = options.adaptive;
  request_.threads = options.threads;
}

bool Simulated::sums_energy() const {
  return request_.bodies.size() <=
         (when_ == Energy::always ? largest_n_for_it_always : largest_n_for_energy);
}

double Simulated::energy() const {
  return kinetic_energy(request_.bodies) +
         potential_energy(request_.bodies, request_.setting.G, request_.setting.softening);
}

// Zero steps: the program tells whether it can do what is asked.
Shown Simulated::begin(bool want_accelerations) {
  if (sums_energy()) energy_at_start_ = energy();
  return advance(0, want_accelerations);
}

Shown Simulated::advance(std::uint64_t steps, bool want_accelerations) {
  steps = std::min(steps, iterations_ - now_.iteration);
  request_.steps = steps;
  request_.want_accelerations = want_accelerations;
  protocol::Answer answer = session_.ask(request_, patience_s);
  take(answer.states.back());
  now_.iteration += steps;
  now_.acceleration = std::move(answer.accelerations);
  const auto n = request_.bodies.size();
  if (steps > 0) {
    now_.interactions_per_second = interactions_per_second(n, steps, session_.answer_seconds());
  }
  now_.finished = now_.iteration == iterations_;
  now_.finite = all_finite(now_.position) && all_finite(now_.velocity);
  if (now_.finite && sums_energy()) sum_energy(session_.answer_seconds());
  return std::make_shared<const Snapshot>(now_);
}

void Simulated::take(const protocol::State& state) {
  now_.time += state.time;
  now_.position = state.position;
  now_.velocity = state.velocity;
  Bodies<double>& bodies = request_.bodies;
  bodies.qx = state.position.x, bodies.qy = state.position.y, bodies.qz = state.position.z;
  bodies.vx = state.velocity.x, bodies.vy = state.velocity.y, bodies.vz = state.velocity.z;
}

// If cheap: as long as it costs at most a tenth of the whole, and at the end.
void Simulated::sum_energy(double spent_s) {
  energy_budget_.earn(spent_s);
  const bool wanted = when_ == Energy::always || now_.finished;
  if (!wanted && !energy_budget_.suffices()) return;
  energy_budget_.spend([&] {
    const double scale = energy_at_start_ != 0 ? std::abs(energy_at_start_) : 1;
    now_.energy_error = (energy() - energy_at_start_) / scale;
  });
}

}  // namespace nbody::view
