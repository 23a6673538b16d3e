#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bodies/scene.hpp"
#include "check/row.hpp"
#include "physics/conserved.hpp"
#include "physics/reference.hpp"

namespace nbody::check {

// Fitters: kinds of mistakes that have a number of their own, which no row of the table of mistakes
// can know (a factor, a cut-off, the index from which on bodies are lost).

// Wrong accelerations and what is known about them, of all bodies.
struct WrongForces {
  const Scene& scene;
  const Reference& reference;
  const Vectors<double>& got;
};

// The kinds of mistakes that give exactly these numbers, the likeliest first; none for a right
// answer.
Hypotheses fitted_force_mistakes(const WrongForces& wrong, double limit);

// Which bodies are NaN or infinite, and what that may come from; "" if none is.
std::string diagnose_not_finite(const WrongForces& wrong);

// Kinds of mistakes whose answer can be computed and compared; returns all that explain the answer.

// One factor for all forces; a distance beyond which they end.
Hypotheses fitted_formulas(const WrongForces& wrong, double fit);
// A constant under the root, for example against 0/0.
std::optional<Hypothesis> fitted_constant(const WrongForces& wrong, double limit);
// One axis or two: mixed up, sign, never summed; "" if none.
std::string diagnose_axes(const WrongForces& wrong, double fit);
// Only one axis is wrong, in whatever way, for half of the bodies or more; "" if more axes are, or
// if nothing is pulled along another. For answers that nothing else explains.
std::string diagnose_one_axis(const WrongForces& wrong, double limit);
// Are the last sources missing in every sum?
std::string diagnose_lost_sources(const WrongForces& wrong, double limit);
// The wrong bodies have each other's accelerations.
std::string diagnose_order(const WrongForces& wrong, const std::vector<std::size_t>& bad,
                           double limit);
// All but one or two bodies are right.
std::string diagnose_few_bodies(const WrongForces& wrong, const std::vector<std::size_t>& bad,
                                double limit);

// How often each body was counted as a source: the weights w of a_i = sum_j w_j a_ij that fit the
// answer in the least-squares sense. All ones for a right answer; a zero is a body that pulls
// no other. Empty when no weights explain the answer to within `fit` of sum_j |a_ij|, or when N is
// above 130 (the fit costs N^3).
std::optional<std::vector<double>> source_weights(const WrongForces& wrong, double fit);

// What weights that are not 1 may come from; without a sentence if all are.
Hypothesis describe_source_weights(const std::vector<double>& weights);

// True if `got` is what the prediction says, to within `fit` of the prediction's own sum |a_ij|.
bool explains(const Reference& prediction, const Vectors<double>& got, double fit);
// a_ij: what body j does to body i.
Vector pull_of(const Scene& scene, std::size_t i, std::size_t j);

}  // namespace nbody::check
