#include <limits>
#include <utility>

#include "check/case_list.hpp"
#include "check/error_measure.hpp"
#include "check/judge.hpp"
#include "check/step_bounds.hpp"

namespace nbody::check {

namespace {

// In a step, as in step_bounds.hpp.
constexpr double roundings = 6;

// The reference as a simulator, in double and in the units of the bodies.
class ReferenceSimulator : public SimulatorOf<double> {
 public:
  ReferenceSimulator(const ProblemOf<double>& problem, const std::vector<std::size_t>& rows)
      : problem_(problem), rows_(rows) {
    acceleration_.resize(bodies().size());
  }

  void compute_accelerations() override {
    const Vectors<double> some =
        reference_accelerations(bodies(), problem_.G, problem_.softening, rows_).acceleration;
    for (const auto axis : axes) {
      for (std::size_t k = 0; k < rows_.size(); ++k)
        (acceleration_.*axis)[rows_[k]] = (some.*axis)[k];
    }
  }
  double largest_time_step() override { return reference_time_step(bodies(), acceleration_); }
  void update_bodies(double dt) override { reference_update(bodies(), acceleration_, dt); }

  void kick(double dt) override {
    add(acceleration_.x, dt, bodies().vx);
    add(acceleration_.y, dt, bodies().vy);
    add(acceleration_.z, dt, bodies().vz);
  }
  void drift(double dt) override {
    add(bodies().vx, dt, bodies().qx);
    add(bodies().vy, dt, bodies().qy);
    add(bodies().vz, dt, bodies().qz);
  }
  void accelerations_and_jerk(Vectors<double>& a, Vectors<double>& jerk) override {
    compute_accelerations();
    a = acceleration_;
    jerk = reference_jerk(bodies(), problem_.G, problem_.softening);
  }

  void copy_state(Bodies<double>& state) const override { state = problem_.bodies; }
  void copy_accelerations(Vectors<double>& a) const override { a = acceleration_; }

 private:
  Bodies<double>& bodies() { return problem_.bodies; }
  static void add(const std::vector<double>& rate, double dt, std::vector<double>& to) {
    for (std::size_t i = 0; i < to.size(); ++i) to[i] += rate[i] * dt;
  }

  ProblemOf<double> problem_;
  const std::vector<std::size_t> rows_;
  Vectors<double> acceleration_;  // of all; only those of rows_ are pulled
};

}  // namespace

Run reference_run(const Request& request, const std::vector<std::size_t>& rows,
                  const std::function<void(const Run&)>& on_step) {
  const Setting& setting = request.setting;
  Bodies<double> b = request.bodies;
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
    if (on_step) on_step(run);
  }
  return run;
}

Run reference_run(const Request& request, const std::function<void(const Run&)>& on_step) {
  return reference_run(request, all_rows(request.bodies.size()), on_step);
}

Integration<double> reference_integration(const Request& request) {
  return reference_integration(request, all_rows(request.bodies.size()));
}

Integration<double> reference_integration(const Request& request,
                                          const std::vector<std::size_t>& rows) {
  const Setting& setting = request.setting;
  const auto make = [setting,
                     rows](const Bodies<double>& bodies) -> std::unique_ptr<SimulatorOf<double>> {
    return std::make_unique<ReferenceSimulator>(
        ProblemOf<double>{bodies, setting.G, setting.softening}, rows);
  };
  return {scheme_named(setting.integrator), setting.damping, make, request.bodies};
}

double miss_of(const State& got, const Run& run, double digits) {
  double largest = 0;
  const auto note = [&](const Vectors<double>& is, const Vectors<double>& should, std::size_t i,
                        double way) {
    const double miss = distance(is, should, i);
    const double rounding =
        roundings * digits * length(should, i) * static_cast<double>(run.steps.size());
    const double share = miss <= rounding ? 0 : (miss - rounding) / way;
    if (!(share <= largest))
      largest = is_finite(share) ? share : std::numeric_limits<double>::infinity();
  };
  for (std::size_t k = 0; k < run.rows.size(); ++k) {
    note(got.position, run.end.position, run.rows[k], run.path[k]);
    note(got.velocity, run.end.velocity, run.rows[k], run.pulled[k]);
  }
  return largest;
}

}  // namespace nbody::check
