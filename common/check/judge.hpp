#pragma once

#include "check/case.hpp"
#include "check/tolerance.hpp"
#include "simulator/simulation.hpp"

namespace nbody::check {

// In float the step is right to about 1e-6; no relevant mistake is smaller than 1e-4.
inline constexpr double adaptive_limit = 1e-4;
// A step of an integrator evaluates forces several times, some of them over more than a whole step.
inline constexpr double integrator_roundings = 5;
// Of a path: a lost step of hundreds is larger, what rounding does to a short run is far smaller.
inline constexpr double path_limit = 1e-3;

// Judges everything in an answer against the reference and fills the row with what is worst, beside
// its limit:
//   accelerations  |a - a_ref| / sum |a_ij|, where the bodies are in the end
//   single steps   each from the program's own state before it, by Eq. 4 and 5, or from the start
//                  by the integrator that was asked for, in units of state_error()'s bounds;
//                  adaptive ones must also be as long as Eq. 7 says
//   steps in one go  where they end, relative to each body's path, and at what time
//   no step        every bit as sent
void judge(const Case& test, const Answer& answer, const Tolerance& tolerance, Row& row);

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

// --- the reference, moved (reference_run.cpp). `rows`: only these bodies are pulled, the others
// fly on, which is enough in a short time; none: all are

// Eq. 4 and 5 from a state; the accelerations are those of `rows`.
State stepped(State state, const Vectors<double>& acceleration, double dt,
              const std::vector<std::size_t>& rows);

Bodies<double> bodies_in(const Bodies<double>& bodies, const State& state);
State state_of(const Bodies<double>& bodies, double time = 0);

// The steps that are asked for.
Run reference_run(const Request& request, std::vector<std::size_t> rows = {});

// The distance between a body's two places relative to its path, or between its velocities relative
// to what pulled it, worst of all bodies; rounding is tolerated. Infinity for what is not finite.
double miss_of(const State& got, const Run& run, double digits);

// By the integrator that is asked for. The integrators themselves are the host's, so a mistake of
// theirs would be in both answers; integration_test judges them by their order.
std::unique_ptr<Simulation> reference_integration(const Request& request,
                                                  const std::vector<std::size_t>& rows);

}  // namespace nbody::check
