#include "mpi/world.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace nbody {
namespace {

MPI_Comm world = MPI_COMM_NULL;
constexpr int tag = 1;
constexpr std::uint64_t the_end = ~std::uint64_t{0};  // instead of a number of bytes
constexpr int turns_awake = 2000;                     // about a tenth of a millisecond
constexpr std::chrono::microseconds longest_sleep{500};

// How many bytes rank 0 is about to share, or the end. A message to each rank, since in MPI_Bcast a
// rank may wait for another one that sleeps.
void announce(std::uint64_t bytes) {
  for (int rank = 1; rank < number_of_ranks(); ++rank) {
    PMPI_Send(&bytes, 1, MPI_UINT64_T, rank, tag, world);
  }
}

// Sleeps while it waits: it may take long, and rank 0, the checker and the clock need the
// processor.
std::uint64_t announced() {
  std::uint64_t bytes = 0;
  MPI_Request request;
  PMPI_Irecv(&bytes, 1, MPI_UINT64_T, 0, tag, world, &request);
  std::chrono::microseconds sleep{10};
  int there = 0;
  for (int turn = 0; there == 0; ++turn) {
    PMPI_Test(&request, &there, MPI_STATUS_IGNORE);
    if (there != 0 || turn < turns_awake) continue;
    std::this_thread::sleep_for(sleep);
    if (sleep < longest_sleep) sleep *= 2;
  }
  return bytes;
}

// mpiexec forwards what ranks print through a pipe. When a rank aborts, it drops what it has not
// read or passed on yet, and with it the line that says why.
void wait_until_read(int descriptor) {
  struct stat file {};
  if (::fstat(descriptor, &file) != 0 || !S_ISFIFO(file.st_mode)) return;
  int unread = 0;
  for (int turn = 0; turn < 200; ++turn) {  // two seconds at most
    if (::ioctl(descriptor, FIONREAD, &unread) != 0 || unread == 0) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(200));  // to pass it on, on a busy machine
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

void share_with_others(void* data, std::size_t bytes) {
  if (own_rank() == 0) {
    announce(bytes);
  } else if (const std::uint64_t there = announced(); there == the_end) {
    throw RankZeroEnded();
  } else if (there != bytes) {
    stop_all_ranks("it does not do the same as rank 0");
  }
  constexpr std::size_t most = 1 << 30;  // a count is an int
  for (auto* at = static_cast<char*>(data); bytes > 0;) {
    const std::size_t now = std::min(bytes, most);
    PMPI_Bcast(at, static_cast<int>(now), MPI_BYTE, 0, world);
    at += now;
    bytes -= now;
  }
}

void end_others() {
  static bool ended = false;
  if (!ended) announce(the_end);
  ended = true;
}

void wait_for_end(const char* why_it_stops) {
  if (announced() != the_end) stop_all_ranks(why_it_stops);
}

void stop_all_ranks(const char* why) {
  fmt::print(stderr, "rank {} of {} stopped: {}\n", own_rank(), number_of_ranks(), why);
  wait_until_read(STDERR_FILENO);
  PMPI_Abort(MPI_COMM_WORLD, 2);
  std::_Exit(2);
}

}  // namespace nbody
