#pragma once

#include "simulator/command_line.hpp"
#include "simulator/implementation.hpp"

namespace nbody {

// Simulates what the options ask for, showing and writing on the way. Returns the exit status:
// 0, 1 when the bodies stopped being finite numbers, 130 after Ctrl-C (the summary so far is shown
// and written all the same). Throws InputError.
int run(const Implementation& implementation, const Options& options);

}  // namespace nbody
