#pragma once

#include "physics/reference.hpp"
#include "simulator/contract.hpp"

namespace nbody::check {

// The reference as a simulator, so that an integrator can move it: double, in the units of the
// bodies. The integrators themselves are the host's (simulator/integration.hpp), so a mistake of
// theirs would be in both answers; integration_test judges them by their order.
class ReferenceSimulator : public SimulatorOf<double> {
 public:
  explicit ReferenceSimulator(const ProblemOf<double>& problem) : problem_(problem) {}

  void compute_accelerations() override {
    acceleration_ = reference_accelerations(bodies(), problem_.G, problem_.softening).acceleration;
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
  Vectors<double> acceleration_;
};

}  // namespace nbody::check
