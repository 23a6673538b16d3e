#pragma once

#include <sys/types.h>

namespace nbody::view {

// From now on Ctrl-C and SIGTERM end the process at once with one line and status 130 or 143; the
// simulators die with it. What is half written goes: see half_written().
void end_when_interrupted();

// The process that writes this file is ended with us, and the file removed; null: no longer.
void half_written(const char* file, pid_t writer);

}  // namespace nbody::view
