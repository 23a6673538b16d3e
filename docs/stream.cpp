// q += v dt in both layouts, with the lab's classes: measure_stream.py builds and runs it.
//
//     stream LAYOUT N     bodies per second with one thread, then with all (OMP_NUM_THREADS)
//
// One thread fills the arrays, and so touches every page first: on a machine with several memories
// (NUMA) all pages would lie near its core.
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "simulator/array_of_bodies.hpp"
#include "simulator/structure_of_arrays.hpp"

namespace nbody {

template <typename Layout>
class Drifting : public Layout {
 public:
  using Layout::Layout;
  void compute_accelerations() override {}
  real largest_time_step() override { return 0; }
  void update_bodies(real) override {}
};

// With one thread the lab's own loop: a parallel region costs a microsecond, as long as 1000
// bodies.
class Structures : public Drifting<ArrayOfBodies> {
 public:
  using Drifting::Drifting;
  void drift(real dt) override {
    if (omp_get_max_threads() == 1) return ArrayOfBodies::drift(dt);
#pragma omp parallel for schedule(static)
    for (auto& body : bodies) {
      body.qx += body.vx * dt;
      body.qy += body.vy * dt;
      body.qz += body.vz * dt;
    }
  }
};

class Arrays : public Drifting<StructureOfArrays> {
 public:
  using Drifting::Drifting;
  void drift(real dt) override {
    if (omp_get_max_threads() == 1) return StructureOfArrays::drift(dt);
#pragma omp parallel
    {
      move(bodies.vx, dt, bodies.qx);
      move(bodies.vy, dt, bodies.qy);
      move(bodies.vz, dt, bodies.qz);
    }
  }

 private:
  static void move(const std::vector<real>& v, real dt, std::vector<real>& q) {
#pragma omp for schedule(static) nowait
    for (std::size_t i = 0; i < q.size(); ++i) q[i] += v[i] * dt;
  }
};

double bodies_per_s(Simulator& simulator, std::size_t n, int threads) {
  omp_set_num_threads(threads);
  simulator.drift(real(1e-3));                     // starts the threads, fills the caches
  const std::size_t together = 1 + 1'000'000 / n;  // steps between two looks at the clock
  const auto start = std::chrono::steady_clock::now();
  double moved = 0;
  for (std::chrono::duration<double> seconds{};;) {
    for (std::size_t step = 0; step < together; ++step) simulator.drift(real(1e-3));
    moved += double(n) * double(together);
    seconds = std::chrono::steady_clock::now() - start;
    if (seconds.count() > 0.1) return moved / seconds.count();
  }
}

template <typename Layout>
void measure(std::size_t n) {
  Problem problem{{}, 1, 0};
  problem.bodies.resize(n);
  for (auto* numbers : {&problem.bodies.vx, &problem.bodies.vy, &problem.bodies.vz}) {
    std::fill(numbers->begin(), numbers->end(), real(1));
  }
  const int threads = omp_get_max_threads();
  Layout layout(problem);
  problem.bodies = {};
  for (const int some : {1, threads}) std::printf("%.4g\n", bodies_per_s(layout, n, some));
}

}  // namespace nbody

int main(int count, char** words) {
  if (count != 3) return 2;
  const std::size_t n = std::strtoul(words[2], nullptr, 10);
  if (words[1] == std::string("structure")) {
    nbody::measure<nbody::Structures>(n);
  } else {
    nbody::measure<nbody::Arrays>(n);
  }
}
