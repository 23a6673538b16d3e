#pragma once

#include "physics/reference.hpp"
#include "simulator/contract.hpp"

namespace nbody::check {

// The reference as a simulator, so that a scheme can move it: double, in the units of the bodies.
// Its kick and drift may do a multiple of what they should.
class ReferenceSimulator : public SimulatorOf<double> {
 public:
  ReferenceSimulator(const ProblemOf<double>& problem, double kick, double drift)
      : problem_(problem), kick_(kick), drift_(drift) {}

  void compute_accelerations() override {
    acceleration_ = reference_accelerations(bodies(), problem_.G, problem_.softening).acceleration;
  }
  double largest_time_step() override { return reference_time_step(bodies(), acceleration_); }
  void update_bodies(double dt) override { reference_update(bodies(), acceleration_, dt); }

  void kick(double dt) override {
    add(acceleration_.x, kick_ * dt, bodies().vx);
    add(acceleration_.y, kick_ * dt, bodies().vy);
    add(acceleration_.z, kick_ * dt, bodies().vz);
  }
  void drift(double dt) override {
    add(bodies().vx, drift_ * dt, bodies().qx);
    add(bodies().vy, drift_ * dt, bodies().qy);
    add(bodies().vz, drift_ * dt, bodies().qz);
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
  double kick_, drift_;
  Vectors<double> acceleration_;
};

}  // namespace nbody::check
