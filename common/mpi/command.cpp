#include "mpi/command.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <bit>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <type_traits>

// PMPI_ names: the lab's own messages are not counted (message_counts.cpp).
namespace nbody {

bool others_wait = false;

namespace {

MPI_Comm world = MPI_COMM_NULL;  // our own, so that no message is mistaken for an implementation's
constexpr int tag = 1;
constexpr int turns_awake = 2000;  // about a tenth of a millisecond
constexpr std::chrono::microseconds longest_sleep{500};

// A command as numbers: the bytes between the members of a struct are not initialised.
constexpr int numbers = 7;
using Packed = std::array<std::uint64_t, numbers>;

Packed pack(const Command& command) {
  return {static_cast<std::uint64_t>(command.call),
          command.simulator,
          command.number,
          command.threads,
          command.rule.adaptive ? 1u : 0u,
          std::bit_cast<std::uint64_t>(command.rule.dt),
          std::bit_cast<std::uint64_t>(command.rule.dt_floor)};
}

Command unpack(const Packed& packed) {
  return {
      .call = static_cast<Command::Call>(packed[0]),
      .simulator = static_cast<std::uint32_t>(packed[1]),
      .number = packed[2],
      .rule = {packed[4] != 0, std::bit_cast<double>(packed[5]), std::bit_cast<double>(packed[6])},
      .threads = static_cast<std::uint32_t>(packed[3])};
}

static_assert(std::has_unique_object_representations_v<Tuning>, "share() sends its bytes");

void share(void* data, std::size_t bytes) {
  constexpr std::size_t most = 1 << 30;  // a count is an int
  for (auto* at = static_cast<char*>(data); bytes > 0;) {
    const std::size_t now = bytes < most ? bytes : most;
    PMPI_Bcast(at, static_cast<int>(now), MPI_BYTE, 0, world);
    at += now;
    bytes -= now;
  }
}

// mpiexec forwards what ranks print through a pipe. When a rank aborts, it drops what it has not
// read yet, and with it the line that says why.
void wait_until_read(int descriptor) {
  struct stat file {};
  if (::fstat(descriptor, &file) != 0 || !S_ISFIFO(file.st_mode)) return;
  int unread = 0;
  for (int turn = 0; turn < 200; ++turn) {  // two seconds at most
    if (::ioctl(descriptor, FIONREAD, &unread) != 0 || unread == 0) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

}  // namespace

void join_world() {
  int given = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given);
  PMPI_Comm_dup(MPI_COMM_WORLD, &world);
}

void leave_world() {
  PMPI_Comm_free(&world);
  MPI_Finalize();
}

int own_rank() {
  int rank = 0;
  PMPI_Comm_rank(world, &rank);
  return rank;
}

int number_of_ranks() {
  int ranks = 1;
  PMPI_Comm_size(world, &ranks);
  return ranks;
}

int ranks_on_this_host() {
  MPI_Comm host;
  PMPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  int ranks = 1;
  PMPI_Comm_size(host, &ranks);
  PMPI_Comm_free(&host);
  return ranks;
}

void stop_all_ranks(const std::exception& fault) {
  fmt::print(stderr, "rank {} of {} stopped: {}\n", own_rank(), number_of_ranks(), fault.what());
  wait_until_read(STDERR_FILENO);
  PMPI_Abort(MPI_COMM_WORLD, 2);
  std::_Exit(2);
}

void send_to_others(const Command& command) {
  const Packed packed = pack(command);
  for (int rank = 1; rank < number_of_ranks(); ++rank) {
    PMPI_Send(packed.data(), numbers, MPI_UINT64_T, rank, tag, world);
  }
}

Command next_command() {
  Packed packed{};
  MPI_Request request;
  PMPI_Irecv(packed.data(), numbers, MPI_UINT64_T, 0, tag, world, &request);
  std::chrono::microseconds sleep{10};
  int there = 0;
  for (int turn = 0; there == 0; ++turn) {
    PMPI_Test(&request, &there, MPI_STATUS_IGNORE);
    if (there != 0 || turn < turns_awake) continue;
    std::this_thread::sleep_for(sleep);
    if (sleep < longest_sleep) sleep *= 2;
  }
  return unpack(packed);
}

template <typename T>
void share_problem(ProblemOf<T>& problem) {
  Bodies<T>& bodies = problem.bodies;
  for (auto* values : {&bodies.mass, &bodies.radius, &bodies.qx, &bodies.qy, &bodies.qz, &bodies.vx,
                       &bodies.vy, &bodies.vz}) {
    share(values->data(), values->size() * sizeof(T));
  }
  share(&problem.G, sizeof problem.G);
  share(&problem.softening, sizeof problem.softening);
  share(&problem.tuning, sizeof problem.tuning);
}

template void share_problem(ProblemOf<float>&);
template void share_problem(ProblemOf<double>&);

}  // namespace nbody
