#pragma once

namespace nbody {

// Flops of one iteration by the student's worksheet, for the Gflop/s of a run; NaN if unanswered.
// In an object of their own, so that no compiler flag of an implementation reaches them.
double live_flops_of_naive(double n);
double live_flops_of_mine(double n);

}  // namespace nbody
