#include <utility>

#include "check/case.hpp"
#include "check/error_measure.hpp"
#include "check/judge.hpp"
#include "simulator/integration.hpp"
#include "simulator/plain.hpp"

namespace nbody::check {

namespace {

// The reference as a simulator, in double and in the units of the bodies.
class ReferenceSimulator : public PlainOf<double> {
 public:
  ReferenceSimulator(const ProblemOf<double>& problem, const std::vector<std::size_t>& rows)
      : PlainOf(problem), softening_(problem.softening), rows_(rows) {}

  void compute_accelerations() override {
    const Vectors<double> some = reference_accelerations(bodies, G, softening_, rows_).acceleration;
    for (const auto axis : axes) {
      for (std::size_t k = 0; k < rows_.size(); ++k)
        (acceleration.*axis)[rows_[k]] = (some.*axis)[k];
    }
  }
  double largest_time_step() override { return reference_time_step(bodies, acceleration); }
  void update_bodies(double dt) override { reference_update(bodies, acceleration, dt); }

 private:
  const double softening_;
  const std::vector<std::size_t> rows_;  // of `acceleration` only these are pulled
};

}  // namespace

Bodies<double> bodies_in(const Bodies<double>& bodies, const State& state) {
  return {bodies.mass,      bodies.radius,    state.position.x, state.position.y,
          state.position.z, state.velocity.x, state.velocity.y, state.velocity.z};
}

State state_of(const Bodies<double>& b, double time) {
  return {time, {b.qx, b.qy, b.qz}, {b.vx, b.vy, b.vz}};
}

State stepped(State state, const Vectors<double>& acceleration, double dt,
              const std::vector<std::size_t>& rows) {
  state.time += dt;
  for (const auto axis : axes) {
    auto &q = state.position.*axis, &v = state.velocity.*axis;
    for (std::size_t i = 0; i < q.size(); ++i) q[i] += v[i] * dt;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const double a = (acceleration.*axis)[k];
      q[rows[k]] += a * dt * dt / 2;
      v[rows[k]] += a * dt;
    }
  }
  return state;
}

Run reference_run(const Request& request, std::vector<std::size_t> some) {
  const Setting& setting = request.setting;
  Bodies<double> b = request.bodies;
  const std::vector<std::size_t> rows = some.empty() ? all_rows(b.size()) : std::move(some);
  const std::vector<double> none(rows.size(), 0);
  Run run{state_of(b), {}, rows, none, none};
  for (std::uint64_t step = 0; step < request.steps; ++step) {
    const Reference reference = reference_accelerations(b, setting.G, setting.softening, rows);
    const Vectors<double>& a = reference.acceleration;
    const double dt =
        request.adaptive ? adaptive_step(reference_time_step(b, a, rows), setting) : setting.dt;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const std::size_t i = rows[k];
      const double half = dt * dt / 2;
      run.path[k] += length(b.vx[i] * dt + a.x[k] * half, b.vy[i] * dt + a.y[k] * half,
                            b.vz[i] * dt + a.z[k] * half);
      run.pulled[k] += reference.magnitude[k] * dt;
    }
    run.end = stepped(std::move(run.end), a, dt, rows);
    b = bodies_in(request.bodies, run.end);
    run.steps.push_back(dt);
  }
  return run;
}

double miss_of(const State& got, const Run& run, double digits) {
  double largest = 0;
  // Rounding as state_error() tolerates it.
  const auto note = [&](const Vectors<double>& is, const Vectors<double>& should, std::size_t i,
                        double way) {
    const double miss = distance(is, should, i);
    const double rounding = 6 * digits * length(should, i) * static_cast<double>(run.steps.size());
    const double share = miss <= rounding ? 0 : (miss - rounding) / way;
    if (!(share <= largest)) largest = is_finite(share) ? share : infinity;
  };
  for (std::size_t k = 0; k < run.rows.size(); ++k) {
    note(got.position, run.end.position, run.rows[k], run.path[k]);
    note(got.velocity, run.end.velocity, run.rows[k], run.pulled[k]);
  }
  return largest;
}

std::unique_ptr<Simulation> reference_integration(const Request& request,
                                                  const std::vector<std::size_t>& rows) {
  const auto make = [rows](const ProblemOf<double>& problem) {
    return std::make_unique<ReferenceSimulator>(problem, rows);
  };
  return std::make_unique<Integration<double>>(make, Scene{request.bodies, request.setting});
}

}  // namespace nbody::check
