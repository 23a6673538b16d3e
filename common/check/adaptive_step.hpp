#pragma once

#include <cstdint>
#include <string>

#include "check/row.hpp"
#include "check/subject.hpp"

namespace nbody::check {

// In float the step is right to about 1e-6; no relevant mistake is smaller than 1e-4.
constexpr double adaptive_limit = 1e-4;

// Which mistake makes the adaptive step `got` where Eq. 7 gives `expected`.
std::string diagnose_adaptive_step(double got, double expected, const Scene& scene,
                                   const Bodies<double>& bodies,
                                   const Vectors<double>& acceleration);

// Many adaptive steps in one go. One light body flies past all the others, so fast that it moves
// straight and decides every step: the step keeps changing, and no encounter makes the motion
// chaotic.
Scene make_flight(std::size_t n, std::uint64_t seed);

// Asks for all steps at once: times and places against the reference's own steps.
void judge_in_one_go(Subject& subject, const Scene& scene, std::uint64_t steps, Row& row);

// For the steps that the reference takes.
double median_step(const Scene& scene, std::uint64_t steps);

}  // namespace nbody::check
