#pragma once

#include <sys/types.h>

namespace nbody::view {

// From now on Ctrl-C and SIGTERM end the process at once with one line and status 130 or 143; the
// simulators die with it. A half-written file is removed: see half_written().
void end_when_interrupted();

// From now on an interrupt ends the process that writes this file, and removes the file; null: no
// longer.
void half_written(const char* file, pid_t writer);

}  // namespace nbody::view
