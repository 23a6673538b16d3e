#pragma once

#include <cstddef>

#include "check/zoo/plain.hpp"

namespace nbody {

// Leaks an array with each simulator.
class Leaks : public Plain {
 public:
  explicit Leaks(const Problem& problem) : Plain(problem), own_(new real[problem.bodies.size()]) {
    for (std::size_t i = 0; i < problem.bodies.size(); ++i) own_[i] = problem.bodies.mass[i];
  }

  void compute_accelerations() override {
    for (std::size_t i = 0; i < bodies.size(); ++i) bodies.mass[i] = own_[i];
    Plain::compute_accelerations();
  }

 private:
  real* own_;
};

}  // namespace nbody
