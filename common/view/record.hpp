#pragma once

#include "view/cast.hpp"
#include "view/view_options.hpp"

namespace nbody::view {

// Simulates and draws in memory, picture by picture, and writes a film: the same pictures for the
// same command. Returns the exit status. Throws InputError, SessionError.
int record(const Cast& cast, const ViewOptions& options);

// Iterations until picture `frame` of `frames`: spread evenly, or one per picture by default.
std::uint64_t iterations_at(int frame, int frames, std::uint64_t iterations, bool asked);

// Draws the first state repeatedly, and prints the pictures per second.
int benchmark(const Cast& cast, const ViewOptions& options);

}  // namespace nbody::view
