#pragma once

namespace nbody {

// Flops of one compute_accelerations() by the student's worksheet, for the Gflop/s of a run; NaN if
// unanswered, or answered for another version. A separate object file, so that no compiler flag of
// an implementation affects it.
double live_flops_of(const char* name, double n);

}  // namespace nbody
