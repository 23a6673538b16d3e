// One iteration of an implementation of part 4 on a cluster that is simulated by SimGrid's SMPI:
// its messages pass through a network model, its computation is charged (mpi_simulator.hpp).
//
//   simulated N     an iteration's time, and when each rank computed, as JSON
//
// Compiled by common/lab/src/nbody_lab/measure/simulated.py with -DLAB_HEADER, -DLAB_CLASS and
// -DLAB_SIMULATED.
#include <smpi/smpi.h>

#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>
#include LAB_HEADER

namespace nbody {
namespace {

std::vector<double> spans;  // s: begin and end of each computation

// Positions in a box, by a generator that is the same everywhere (Lehmer's, with 48271).
Problem problem_of(std::size_t n) {
  Problem problem{};
  problem.G = 1;
  problem.softening = real(0.01);
  problem.bodies.resize(n);
  std::uint64_t state = 1;
  for (auto* values : {&problem.bodies.qx, &problem.bodies.qy, &problem.bodies.qz}) {
    for (real& value : *values) {
      state = state * 48271 % 2147483647;
      value = static_cast<real>(state) / 2147483647 - real(0.5);
    }
  }
  for (real& mass : problem.bodies.mass) mass = real(1) / static_cast<real>(n);
  return problem;
}

void print_list(const char* name, const std::vector<double>& values) {
  std::printf(", \"%s\": [", name);
  for (std::size_t k = 0; k < values.size(); ++k)
    std::printf("%s%.9g", k > 0 ? ", " : "", values[k]);
  std::printf("]");
}

// Rank 0 prints: the time of the iteration, and each rank's spans one after the other.
void report(std::size_t n, double begin, double end) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  double last = 0;
  MPI_Reduce(&end, &last, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  for (double& at : spans) at -= begin;
  const int count = static_cast<int>(spans.size());
  std::vector<int> counts(ranks), begins(ranks);
  MPI_Gather(&count, 1, MPI_INT, counts.data(), 1, MPI_INT, 0, MPI_COMM_WORLD);
  std::exclusive_scan(counts.begin(), counts.end(), begins.begin(), 0);
  std::vector<double> all(rank == 0 ? begins.back() + counts.back() : 0);
  MPI_Gatherv(spans.data(), count, MPI_DOUBLE, all.data(), counts.data(), begins.data(), MPI_DOUBLE,
              0, MPI_COMM_WORLD);
  if (rank != 0) return;
  std::printf("{\"ranks\": %d, \"n\": %zu, \"seconds\": %.9g", ranks, n, last - begin);
  print_list("counts", {counts.begin(), counts.end()});
  print_list("spans", all);
  std::printf("}\n");
}

void simulate(std::size_t n) {
  LAB_CLASS simulator(problem_of(n));
  const StepRule rule{false, 1e-9, 0};
  simulator.advance(1, rule);  // one-time work is done
  MPI_Barrier(MPI_COMM_WORLD);
  spans.clear();
  const double begin = MPI_Wtime();
  simulator.advance(1, rule);
  report(n, begin, MPI_Wtime());
}

}  // namespace

bool simulated_work(double interactions) {
  spans.push_back(MPI_Wtime());
  smpi_execute_flops_benched(interactions);
  spans.push_back(MPI_Wtime());
  return true;
}

}  // namespace nbody

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  nbody::simulate(std::strtoul(argv[1], nullptr, 10));
  MPI_Finalize();
}
