#pragma once

namespace nbody {

// Number of OpenMP threads from now on; 0 leaves the default (OMP_NUM_THREADS or all cores).
void use_threads(unsigned threads);
// What was asked for; 0: nothing.
unsigned threads_asked_for();
// How many a parallel region would get now; 1 without OpenMP.
unsigned threads_in_use();
// At most so many, unless somebody asks for more; before the first of these. Where several
// processes share the cores.
void share_cores(unsigned processes);

}  // namespace nbody
