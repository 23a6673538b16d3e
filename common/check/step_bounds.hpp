#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "check/tolerance.hpp"
#include "core/reference.hpp"
#include "core/scene.hpp"
#include "simulator/messages.hpp"

namespace nbody::check {

// One step judged from the state it started from: Eq. 4 and 5 with the reference's accelerations. A
// float program may err by the error of its forces and a few roundings,
//   |dv| <= force A dt + 5 digits |v|,   |dq| <= force A dt^2 + 6 digits (|q| + |v| dt),
// with A = sum_j |a_ij|. Honest programs stay below half of it, including one that computes in
// double and rounds the state before and after the step; at the check's time step the smallest
// mistake in Eq. 4 and 5 exceeds it a thousandfold.
struct StepError {
  double max = 0;  // in units of the bound: above 1 is wrong; infinity for NaN
  std::size_t worst = 0;
  bool in_position = false;  // else in velocity
};

// `expected` is the state after the step. Only the bodies `rows` are compared; row k has
// magnitude[k] = A. All bounds are multiplied by `roundings`.
StepError state_error(const State& expected, const State& got, const std::vector<double>& magnitude,
                      double dt, const Tolerance& tolerance, const std::vector<std::size_t>& rows,
                      double roundings = 1);

// The same of one body: is body i of `got` where body j of `expected` is?
StepError body_error(const State& expected, std::size_t j, const State& got, std::size_t i,
                     double magnitude, double dt, const Tolerance& tolerance, double roundings = 1);

// Eq. 4 and 5 from a state; accelerations are those of `rows`, the others fly on.
State stepped(State state, const Vectors<double>& acceleration, double dt,
              const std::vector<std::size_t>& rows);

// The bodies of a scene in a given state.
Bodies<double> bodies_in(const Scene& scene, const State& state);
Bodies<double> bodies_in(const Bodies<double>& bodies, const State& state);
State state_of(const Scene& scene);
State state_of(const Bodies<double>& bodies, double time = 0);

}  // namespace nbody::check
