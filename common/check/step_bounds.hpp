#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "bodies/scene.hpp"
#include "check/tolerance.hpp"
#include "physics/reference.hpp"
#include "protocol/messages.hpp"

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

StepError step_error(const protocol::State& before, const protocol::State& after,
                     const Reference& reference, double dt, const Tolerance& tolerance);

// The bodies of a scene in a given state.
Bodies<double> bodies_in(const Scene& scene, const protocol::State& state);
protocol::State state_of(const Scene& scene);

// The reference's accelerations in a given state.
Reference reference_at(const Scene& scene, const protocol::State& state);
// The reference's states after 0, 1, 2, ... steps; optionally with the accelerations of the first
// one throughout.
std::vector<protocol::State> reference_run(const Scene& scene, std::uint64_t steps,
                                           bool computed_once = false);
// The largest distance of a body between the two states; infinity for NaN.
double distance(const protocol::State& a, const protocol::State& b);

}  // namespace nbody::check
