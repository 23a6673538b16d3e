#pragma once

#include "private_blocks.hpp"

namespace nbody {

// Exhibit: who deals out the rows of the triangle, and when?
// Problem: private_cyclic deals them out by hand.
// Idea: OpenMP has schedules for this, and schedule(runtime) takes the one that OMP_SCHEDULE names:
// static (blocks), "static,1" (cyclic), "dynamic,16" (who is free takes the next 16), guided (at
// first large pieces, then smaller ones).
// Predicted: static 4/3 on two threads, as private_blocks; guided no better, since its first piece
// is half of the rows: 3/4 of the pairs; the others 2. Measured: README.md.
// The last bits change between runs: threads take their sums as they arrive, and combine() adds the
// sums in that order, so from three threads on with every schedule. With dynamic and guided also on
// two, since the time decides which rows a thread gets.
// Changed: sums belong to a thread, not to a share; all rows are one loop.
class RuntimeSchedule : public PrivateBlocks {
 public:
  using PrivateBlocks::PrivateBlocks;

  void compute_accelerations() override {
    const std::size_t n = bodies.size();
    sums.resize(threads_in_use());
    for (Sums& own : sums) clear(own);
    std::size_t next = 0;  // sums that no thread has taken
#pragma omp parallel
    {
      std::size_t own = 0;
#pragma omp atomic capture
      own = next++;
#pragma omp for schedule(runtime)
      for (std::size_t i = 0; i < n; ++i) add_row(i, sums[own]);
#pragma omp for schedule(static)
      for (std::size_t i = 0; i < n; ++i) combine(i);
    }
  }
};

}  // namespace nbody
