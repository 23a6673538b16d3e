#pragma once

namespace nbody {

// Sets the number of OpenMP threads; 0 leaves the default (OMP_NUM_THREADS or all cores).
void use_threads(unsigned threads);
// How many threads a parallel region would get now; 1 without OpenMP.
unsigned threads_in_use();
// An upper limit for the default, for processes that share the cores; call it before the others.
void share_cores(unsigned processes);

}  // namespace nbody
