#pragma once

#include "view/cast.hpp"
#include "view/view_options.hpp"

namespace nbody::view {

// Simulates and draws in memory, picture after picture, and leaves a film: the same pictures for
// the same command. Returns the exit status. Throws InputError, SessionError.
int record(const Cast& cast, const ViewOptions& options);

// Iterations until picture `frame` of `frames`: all of them spread evenly, or one a picture where
// none were asked for.
std::uint64_t iterations_at(int frame, int frames, std::uint64_t iterations, bool asked);

// Draws the first state again and again, and says how many pictures a second that makes.
int benchmark(const Cast& cast, const ViewOptions& options);

}  // namespace nbody::view
