#include "mpi/ranks.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <map>
#include <string>
#include <thread>

#include "core/input_error.hpp"
#include "mpi/message_counts.hpp"
#include "simulator/ranks.hpp"
#include "simulator/threads.hpp"

namespace nbody {
namespace {

// --- the lab's own messages among the ranks

// Of the lab alone, as MPI's PMPI_ names below: no implementation receives these messages, and they
// are not counted (counted_calls.cpp).
MPI_Comm world = MPI_COMM_NULL;
constexpr int tag = 1;
constexpr std::uint64_t the_end = ~std::uint64_t{0};  // instead of a number of bytes
constexpr int turns_awake = 2000;                     // about a tenth of a millisecond
constexpr std::chrono::microseconds longest_sleep{500};

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

[[noreturn]] void stop_all_ranks(const char* why) {
  fmt::print(stderr, "rank {} of {} stopped: {}\n", own_rank(), number_of_ranks(), why);
  wait_until_read(STDERR_FILENO);
  PMPI_Abort(MPI_COMM_WORLD, 2);
  std::_Exit(2);
}

// The functions of Ranks (simulator/ranks.hpp).
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

// On another rank with nothing left to do. Stops all ranks if rank 0 shares more.
void wait_for_end(const char* why_it_stops) {
  if (announced() != the_end) stop_all_ranks(why_it_stops);
}

// --- the program

constexpr int fault_status = 128;  // plus the signal's number, as in a shell
std::map<int, std::string> line_of_fault;

// One line instead of the library's pages. It is prepared in advance: memory may be what failed.
void tell_fault(int number) {
  const std::string& line = line_of_fault.find(number)->second;
  if (::write(STDERR_FILENO, line.data(), line.size()) < 0) ::_exit(fault_status);
  ::_exit(fault_status + number);
}

void tell_faults() {
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
    line_of_fault[number] = fmt::format("rank {} of {} died: {} (signal {})\n", own_rank(),
                                        number_of_ranks(), strsignal(number), number);
    std::signal(number, tell_fault);
  }
}

std::string library_name() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> version{};
  int length = 0;
  PMPI_Get_library_version(version.data(), &length);
  const std::string pages = version.data();
  std::string name = pages.substr(0, pages.find_first_of(",\n"));
  if (const auto at = name.find(" Version:"); at != name.npos) {  // of MPICH, before a tab
    name.replace(at, name.find_first_not_of(" \t", at + 9) - at, " ");
  }
  return name;
}

unsigned ranks_on_this_host() {
  MPI_Comm host;
  PMPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
  int ranks = 1;
  PMPI_Comm_size(host, &ranks);
  PMPI_Comm_free(&host);
  return static_cast<unsigned>(ranks);
}

bool has_left = false;

void leave() {
  has_left = true;
  PMPI_Comm_free(&world);
  MPI_Finalize();
}

int run_rank_0(int (*program)(int, char**), int argc, char** argv) {
  // At the end, or after an exception of the host, the others wait for it.
  struct Leaving {
    ~Leaving() {
      end_others();
      leave();
    }
  } const leaving;
  return program(argc, argv);
}

int run_other_rank(int (*program)(int, char**), int argc, char** argv) {
  try {
    program(argc, argv);
    wait_for_end("it has ended, but rank 0 has not");
  } catch (const RankZeroEnded&) {
  } catch (const InputError& refusal) {  // rank 0 meets the same, and tells it
    wait_for_end(refusal.what());
  } catch (const std::exception& fault) {
    stop_all_ranks(fault.what());
  }
  leave();
  return 0;
}

int run_on_all_ranks(int (*program)(int, char**), int argc, char** argv) {
  int given = 0;
  MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &given);
  PMPI_Comm_dup(MPI_COMM_WORLD, &world);
  tell_faults();
  if (own_rank() != 0) std::signal(SIGINT, SIG_IGN);  // rank 0 tells them; a second one kills
  share_cores(ranks_on_this_host());
  std::atexit([] {
    if (!has_left) stop_all_ranks("it called exit() before the end");
  });
  static const Ranks ranks{static_cast<unsigned>(own_rank()),
                           static_cast<unsigned>(number_of_ranks()), share_with_others, end_others,
                           stop_all_ranks};
  all_ranks = &ranks;
  return (own_rank() == 0 ? run_rank_0 : run_other_rank)(program, argc, argv);
}

}  // namespace

std::string description_of_ranks() {
  const int ranks = number_of_ranks();
  return fmt::format("{} rank{}, {}", ranks, ranks == 1 ? "" : "s", library_name());
}

Accelerator with_ranks(void (*demand)(), std::string (*description)()) {
  return {demand, description, [] { message_counts() = {}; },
          [](double) { return table_of(gathered_message_counts()); }, run_on_all_ranks};
}

const Accelerator mpi_ranks = with_ranks([] {}, description_of_ranks);

}  // namespace nbody
