#pragma once

#include <optional>
#include <vector>

#include "check/force_diagnosis.hpp"

namespace nbody::check {

// How often each body was counted as a source: the weights w of a_i = sum_j w_j a_ij that fit the
// answer in the least-squares sense. All ones for a right answer; a zero is a body that pulls
// no other. Empty when no weights explain the answer to within `fit` of sum_j |a_ij|, or when N is
// above 130 (the fit costs N^3).
std::optional<std::vector<double>> source_weights(const WrongForces& wrong, double fit);

// What weights that are not 1 may come from; without a sentence if all are.
Hypothesis describe_source_weights(const std::vector<double>& weights);

}  // namespace nbody::check
