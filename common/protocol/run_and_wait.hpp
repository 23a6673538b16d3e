#pragma once

#include <string>
#include <vector>

namespace nbody::protocol {

// Runs a program (the first word) to its end, with this process's output. Returns its exit status,
// or 127 if it cannot be started.
int run_and_wait(const std::vector<std::string>& words);

}  // namespace nbody::protocol
