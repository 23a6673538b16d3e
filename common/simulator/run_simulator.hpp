#pragma once

namespace nbody {

// What the program of an implementation does: runs, or answers requests. Returns its exit status;
// throws InputError.
int run_simulator(int argc, char** argv);

}  // namespace nbody
