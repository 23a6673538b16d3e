#include "mpi/ranks.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string>

#include "mpi/command.hpp"
#include "mpi/message_counts.hpp"
#include "simulator/implementation.hpp"
#include "simulator/threads.hpp"

namespace nbody {
namespace {

constexpr int fault_status = 128;  // and the signal's number, as a shell says it
int rank_for_fault = 0, ranks_for_fault = 1;

// One line in place of each library's own pages: system calls only.
void tell_fault(int number) {
  std::array<char, 160> line{};
  std::snprintf(line.data(), line.size(), "rank %d of %d died: %s (signal %d)\n", rank_for_fault,
                ranks_for_fault, strsignal(number), number);
  if (::write(STDERR_FILENO, line.data(), std::strlen(line.data())) < 0) ::_exit(fault_status);
  ::_exit(fault_status + number);
}

void tell_faults() {
  rank_for_fault = own_rank();
  ranks_for_fault = number_of_ranks();
  for (const int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT})
    std::signal(number, tell_fault);
}

[[noreturn]] void follow_rank_0() {
  try {
    const MakeSimulator& make = implementation.make;
    if (make.in_float != nullptr) {
      follow(make.in_float);
    } else {
      follow(make.in_double);
    }
  } catch (const std::exception& fault) {
    fmt::print(stderr, "rank {} of {} stopped: {}\n", own_rank(), number_of_ranks(), fault.what());
    PMPI_Abort(MPI_COMM_WORLD, 2);
  }
  leave_world();
  std::exit(0);
}

void dismiss_others() {
  send_to_others({.call = Command::Call::end});
  leave_world();
}

void join() {
  join_world();
  tell_faults();
  share_cores(static_cast<unsigned>(ranks_on_this_host()));
  if (own_rank() != 0) follow_rank_0();
  std::atexit(dismiss_others);
}

// "MPICH 4.0.2" of "MPICH Version:\t4.0.2\nMPICH Release date: ...", "Open MPI v4.1.4" of a longer
// line.
std::string library_name() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> version{};
  int length = 0;
  PMPI_Get_library_version(version.data(), &length);
  std::string name = version.data();
  name.resize(std::min(name.size(), name.find_first_of(",\n")));
  const std::string noise = " Version:\t";
  const std::size_t at = name.find(noise);
  return at == std::string::npos ? name : name.replace(at, noise.size(), " ");
}

void count_messages_from_now() {
  send_to_others({.call = Command::Call::reset_counts});
  message_counts() = {};
}

std::string messages_so_far(double) {
  send_to_others({.call = Command::Call::gather_counts});
  return table_of(gathered_message_counts());
}

}  // namespace

std::string description_of_ranks() {
  const int ranks = number_of_ranks();
  return fmt::format("{} rank{}, {}", ranks, ranks == 1 ? "" : "s", library_name());
}

Accelerator with_ranks(void (*demand)(), std::string (*description)()) {
  return {demand,          description, count_messages_from_now,
          messages_so_far, join,        [] { return static_cast<unsigned>(number_of_ranks()); }};
}

const Accelerator mpi_ranks = with_ranks([] {}, description_of_ranks);

}  // namespace nbody
