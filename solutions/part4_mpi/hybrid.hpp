#pragma once

#include "batches.hpp"

namespace nbody {

// Problem: a rank for each core of a host copies every block once for each of them. Idea: fewer
// ranks with threads. One rank a host (or socket) talks, and OpenMP shares its rows among the
// cores; the main thread alone calls MPI (MPI_THREAD_FUNNELED).
class Hybrid : public Batches {
 public:
  using Batches::Batches;

 protected:
  void add_pulls(const Source* sources, int count) override {
    copy_block(sources, count);
    const int rows = static_cast<int>(own.size());
#pragma omp parallel for schedule(static)
    for (int i = 0; i < rows; ++i) add_pulls_of_batches(static_cast<std::size_t>(i));
  }
};

}  // namespace nbody
