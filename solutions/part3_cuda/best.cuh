#pragma once

#include <memory>

#include "exchange.cuh"
#include "third_law.cuh"

namespace nbody {

// Problem: no rung is the fastest for every number of bodies.
// Idea: the one that was, on an H200:
//
//   up to              float                           double
//   16, 32 bodies      one warp, all steps             one warp, all steps
//   4095               exchange, all steps             split in a graph
//   4096               exchange, all steps             third_law
//   12287              split in a graph                third_law
//   more               third_law                       third_law
//
// Changed: nothing; the rows above third_law are those that exchange chooses by itself.
// Predicted and measured in float: the fastest row, within 1 %, of 1024, 4096, 16384, 65536, 131072
// and 262144 bodies. In between it is a compromise: third_law's time jumps where its units become
// more than the 396 blocks that run at once (324 with 8192 bodies, 405 with 10000). It loses 20 %
// with 10000, and would gain 7.5 % with 7000 and 4.6 % with 8192. In double it loses 18 % with 2048
// and gains 13 % with 4096. Nothing in between was measured, nor these limits with the adaptive
// step (data/results/part3_switch.json).
template <typename T>
class Best : public Simulator<T> {
 public:
  explicit Best(const Problem<T>& problem) {
    if (problem.bodies.size() < third_law_from) {
      chosen = std::make_unique<Exchange<T>>(problem);
    } else {
      chosen = std::make_unique<ThirdLaw<T>>(problem);
    }
  }

  void compute_accelerations() override { chosen->compute_accelerations(); }
  T largest_time_step() override { return chosen->largest_time_step(); }
  void update_bodies(T dt) override { chosen->update_bodies(dt); }
  double advance(std::uint64_t steps, const StepRule& rule) override {
    return chosen->advance(steps, rule);
  }
  void copy_state(Bodies<T>& state) const override { chosen->copy_state(state); }
  void copy_accelerations(Vectors<T>& to) const override { chosen->copy_accelerations(to); }

 private:
  // Between the last win of the graph and the first of third_law: 12000 and 16384; 2048 and 4096.
  static constexpr std::size_t third_law_from = sizeof(T) == 4 ? 12288 : 4096;
  std::unique_ptr<Simulator<T>> chosen;
};

}  // namespace nbody
