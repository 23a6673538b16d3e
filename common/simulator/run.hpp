#pragma once

#include "simulator/command_line.hpp"
#include "simulator/implementation.hpp"

namespace nbody {

// Simulates what the options ask for; prints and writes as it goes. Returns the exit status: 0; 1
// when the bodies are no longer finite; 130 after Ctrl-C (the summary so far is still shown and
// written). Throws InputError.
int run(const Implementation& implementation, const Options& options);

}  // namespace nbody
