#pragma once

#include <memory>

#include "../beyond/exchange.cuh"
#include "for_many_bodies.cuh"
#include "09_third_law.cuh"

namespace nbody {

// Problem: no rung is the fastest for every number of bodies.
// Idea: take the one that was fastest on an H200:
//
//   up to              float                           double
//   16, 32 bodies      one warp, all steps             one warp, all steps
//   4095               exchange, all steps             split in a graph
//   4096               exchange, all steps             third_law
//   12287              split in a graph                third_law
//   32767              third_law                       third_law
//   more               matrix_mma                      third_law
//
// Changed: nothing; exchange itself chooses the rows above third_law.
// Predicted and measured in float, before matrix_mma existed: within 1 % of the fastest rung
// (data/results/part3_study_sizes.json). Around third_law's limit, in 10^9 interactions/s
// (data/results/part3_study_switch.json; exchange is the graph there):
//
//   bodies         8192   12288   16384
//   many_steps     1355    1694    1805
//   exchange       1356    1695    1806
//   third_law      1288    1685    2099
//
// Between these sizes the limit is a compromise. In double it is the first tested size at which
// third_law was faster than the graph. The limits were not tested with the adaptive step.
class Best : public Simulator {
 public:
  explicit Best(const Problem& problem) {
    const std::size_t n = problem.bodies.size();
    if (n < third_law_from) {
      chosen = std::make_unique<Exchange>(problem);
    } else if (n < many_bodies) {
      chosen = std::make_unique<ThirdLaw>(problem);
    } else {
      chosen = std::make_unique<ForManyBodies>(problem);
    }
  }

  void compute_accelerations() override { chosen->compute_accelerations(); }
  real largest_time_step() override { return chosen->largest_time_step(); }
  void update_bodies(real dt) override { chosen->update_bodies(dt); }
  void kick(real dt) override { chosen->kick(dt); }
  void drift(real dt) override { chosen->drift(dt); }
  double advance(std::uint64_t steps, const StepRule& rule) override {
    return chosen->advance(steps, rule);
  }
  void copy_state(Bodies<real>& state) const override { chosen->copy_state(state); }
  void copy_accelerations(Vectors<real>& to) const override { chosen->copy_accelerations(to); }

 private:
  // Float: the graph and third_law differ by less than 1 %. Double: third_law wins from here on.
  static constexpr std::size_t third_law_from = sizeof(real) == 4 ? 12288 : 4096;
  std::unique_ptr<Simulator> chosen;
};

}  // namespace nbody
