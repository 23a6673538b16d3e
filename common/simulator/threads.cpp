#include "simulator/threads.hpp"

#ifdef _OPENMP
#include <omp.h>

#include <algorithm>
#include <cstdlib>
#endif

namespace nbody {

#ifdef _OPENMP
void use_threads(unsigned threads) {
  static const int default_threads = omp_get_max_threads();
  omp_set_dynamic(0);
  omp_set_num_threads(threads > 0 ? static_cast<int>(threads) : default_threads);
}
unsigned threads_in_use() { return static_cast<unsigned>(omp_get_max_threads()); }
void share_cores(unsigned processes) {
  if (std::getenv("OMP_NUM_THREADS") != nullptr) return;
  omp_set_num_threads(std::max(1, omp_get_num_procs() / static_cast<int>(processes)));
}
#else
void use_threads(unsigned) {}
unsigned threads_in_use() { return 1; }
void share_cores(unsigned) {}
#endif

}  // namespace nbody
