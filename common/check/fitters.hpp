#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "check/case.hpp"
#include "check/tolerance.hpp"
#include "core/conserved.hpp"
#include "core/reference.hpp"
#include "core/scene.hpp"
#include "core/scheme.hpp"

namespace nbody::check {

// Fitters: kinds of mistakes that have a number of their own, which no row of the table of mistakes
// can know (a factor, a cut-off, the index from which on bodies are lost, a friction, the number of
// steps that were made). Each returns the kinds that give exactly these numbers, the likeliest
// first; none for a right answer.

// Wrong accelerations and what is known about them, of all bodies.
struct WrongForces {
  const Scene& scene;
  const Reference& reference;
  const Vectors<double>& got;
};

Hypotheses fitted_force_mistakes(const WrongForces& wrong, double limit);
Hypotheses fitted_step_mistakes(const Case& test, const Answer& answer, const Tolerance& tolerance);

// Of more bodies no number is fitted to forces, or even to steps: it would take seconds.
inline constexpr std::size_t most_fitted = 10'000, most_moved = 25'000;

// Differences of rounded numbers lose a few digits.
inline constexpr double fit_roundings = 4;

// What one step should have made of all bodies, and what it did.
struct Motion {
  const State &before, &expected, &after;
  const std::vector<double>& magnitude;  // sum of all pulls on each body
  double dt;
  const Tolerance& tolerance;
  double roundings;  // an honest step may miss by this many of body_error()'s bounds
};
// Where are the bodies that are moved wrongly: at the end, or in each other's place?
Hypotheses fitted_bodies(const Motion& motion, const Scheme& scheme);
// A step of another length than it should have: its bodies and all accelerations before it.
struct WrongLength {
  const Case& test;
  const State& before;
  const Vectors<double>& acceleration;
  double expected, got;
  bool moves_as_expected;  // the bodies, by the right length all the same
};
Hypotheses fitted_length(const WrongLength& step);
// The first step of an integrator.
Hypotheses fitted_scheme_mistakes(const Case& test, const Answer& answer,
                                  const Tolerance& tolerance);
// Steps in one go: how many were made, and what time is returned.
Hypotheses fitted_runs(const Case& test, const Answer& answer, const Tolerance& tolerance);

// Which bodies are NaN or infinite, and what that may come from; "" if none is.
std::string diagnose_not_finite(const WrongForces& wrong);
// One axis or two: mixed up, sign, never summed; "" if none.
std::string diagnose_axes(const WrongForces& wrong, double fit);
// Only one axis is wrong, in whatever way, for half of the bodies or more; "" if more axes are, or
// if nothing is pulled along another. For answers that nothing else explains.
std::string diagnose_one_axis(const WrongForces& wrong, double limit);

// --- sums whose terms are right, but multiplied, left out or repeated ---------------------------

// A constant under the root, for example against 0/0.
std::optional<Hypothesis> fitted_constant(const WrongForces& wrong, double limit);
// One factor for all forces; a distance beyond which they end.
Hypotheses fitted_formulas(const WrongForces& wrong, double fit);
// Bodies that pull too often, too little or not at all.
std::optional<Hypothesis> fitted_sources(const WrongForces& wrong, double limit);

// How often each body was counted as a source: the weights w of a_i = sum_j w_j a_ij that fit the
// answer in the least-squares sense. All ones for a right answer; a zero is a body that pulls
// no other. Empty when no weights explain the answer to within `fit` of sum_j |a_ij|, or when N is
// above 130 (the fit costs N^3).
std::optional<std::vector<double>> source_weights(const WrongForces& wrong, double fit);
// What weights that are not 1 may come from; without a sentence if all are.
Hypothesis describe_source_weights(const std::vector<double>& weights);

// a_ij: what body j does to body i.
Vector pull_of(const Scene& scene, std::size_t i, std::size_t j);
// True if `got` is what the prediction says, to within `fit` of the prediction's own sum |a_ij|.
bool explains(const Reference& prediction, const Vectors<double>& got, double fit);
// a_i = sum over j of factor(i, j) a_ij, and sum |factor(i, j) a_ij|.
using Factor = std::function<double(std::size_t i, std::size_t j)>;
Reference sums_with(const Scene& scene, const Factor& factor);

}  // namespace nbody::check
