#pragma once

#include <optional>

#include "physics/scheme.hpp"
#include "work/count.hpp"

namespace nbody::work {

// The work that a step of a scheme, with a fixed dt, asks of the implementation; named after the
// scheme. Nothing if the implementation lacks a function that the scheme needs.
std::optional<WorkPart> work_of_step(const Scheme& scheme, const Work& work);

}  // namespace nbody::work
