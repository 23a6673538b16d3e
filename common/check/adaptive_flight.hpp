#pragma once

#include <cstdint>

#include "check/row.hpp"
#include "check/subject.hpp"

namespace nbody::check {

// Many adaptive steps in one go. One light body flies past all the others, so fast that it moves
// straight and decides every step: the step keeps changing, and no encounter makes the motion
// chaotic.
Scene make_flight(std::size_t n, std::uint64_t seed);

// Asks for all steps at once: times and places against the reference's own steps.
Row judge_in_one_go(Subject& subject, const Scene& scene, std::uint64_t steps, Row row);

// For the steps that the reference takes.
double median_step(const Scene& scene, std::uint64_t steps);

}  // namespace nbody::check
