// One iteration of an implementation of part 4 on a cluster that is simulated by SimGrid's SMPI:
// its messages pass through a network model, its computation is charged (mpi_simulator.hpp).
//
//   simulated N          an iteration's time, and when each rank computed, as JSON
//   simulated N check    computes for real, on the simulated network, and says the worst error
//
// Compiled by common/lab/src/nbody_lab/studies/simulate.py with -DLAB_HEADER, -DLAB_CLASS and
// -DLAB_SIMULATED.
#include <smpi/smpi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>
#include LAB_HEADER

namespace nbody {
namespace {

bool only_charged = true;
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

// The worst error of the accelerations, relative to the sum of all pulls on a body.
double worst_error(const Problem& problem, const Vectors<real>& got) {
  const Bodies<real>& b = problem.bodies;
  double worst = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    double ax = 0, ay = 0, az = 0, all = 0;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const double dx = double(b.qx[j]) - b.qx[i], dy = double(b.qy[j]) - b.qy[i],
                   dz = double(b.qz[j]) - b.qz[i];
      const double r2 = dx * dx + dy * dy + dz * dz + double(problem.softening) * problem.softening;
      const double pull = b.mass[j] / (r2 * std::sqrt(r2));
      ax += pull * dx;
      ay += pull * dy;
      az += pull * dz;
      all += pull * std::sqrt(dx * dx + dy * dy + dz * dz);
    }
    worst = std::max(worst, std::hypot(got.x[i] - ax, got.y[i] - ay, got.z[i] - az) / all);
  }
  return worst;
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

void check(std::size_t n) {
  only_charged = false;
  const Problem problem = problem_of(n);
  LAB_CLASS simulator(problem);
  simulator.compute_accelerations();
  Vectors<real> got;
  got.resize(n);
  simulator.copy_accelerations(got);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) std::printf("{\"worst_error\": %.3g}\n", worst_error(problem, got));
}

}  // namespace

bool charged(double interactions) {
  if (!only_charged) return false;
  spans.push_back(MPI_Wtime());
  smpi_execute_flops_benched(interactions);
  spans.push_back(MPI_Wtime());
  return true;
}

}  // namespace nbody

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const std::size_t n = std::strtoul(argv[1], nullptr, 10);
  if (argc > 2) {
    nbody::check(n);
  } else {
    nbody::simulate(n);
  }
  MPI_Finalize();
}
