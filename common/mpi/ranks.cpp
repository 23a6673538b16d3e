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
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>

#include "mpi/command.hpp"
#include "mpi/message_counts.hpp"
#include "simulator/implementation.hpp"
#include "simulator/threads.hpp"

namespace nbody {
namespace {

constexpr int fault_status = 128;  // plus the signal's number, as in a shell
bool dismissed = false;            // rank 0 needs this rank no more
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

// "MPICH 4.0.2" of "MPICH Version:\t4.0.2\nMPICH Release date: ...", "Open MPI v4.1.4" of a longer
// line.
std::string library_name() {
  std::array<char, MPI_MAX_LIBRARY_VERSION_STRING> version{};
  int length = 0;
  PMPI_Get_library_version(version.data(), &length);
  std::string name = version.data();
  name.resize(std::min(name.size(), name.find_first_of(",\n")));
  const std::string_view noise = " Version:";  // and tabs or blanks after it
  if (const std::size_t at = name.find(noise); at != std::string::npos) {
    name = name.substr(0, at + 1) + name.substr(name.find_first_not_of(" \t", at + noise.size()));
  }
  return name;
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
    stop_all_ranks(fault);
  }
  dismissed = true;
  leave_world();
  std::exit(0);
}

// exit() was called on a rank that others wait for.
void tell_early_end() {
  if (dismissed) return;
  stop_all_ranks(std::runtime_error("it called exit() before the end"));
}

// Ranks started by another library's mpiexec do not see each other: each would do all the work.
void demand_own_launcher() {
  if (number_of_ranks() > 1) return;
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    const char* ranks = std::getenv(name);
    if (ranks == nullptr || std::atoi(ranks) <= 1) continue;
    fmt::print(
        stderr,
        "another library's mpiexec started {} separate programs; this one needs {}: start it "
        "with ./lab run\n",
        ranks, library_name());
    std::_Exit(2);
  }
}

void dismiss_others() {
  if (others_wait) tell_early_end();
  send_to_others({.call = Command::Call::end});
  leave_world();
}

void join() {
  join_world();
  tell_faults();
  share_cores(static_cast<unsigned>(ranks_on_this_host()));
  demand_own_launcher();
  if (own_rank() != 0) {
    std::atexit(tell_early_end);
    follow_rank_0();
  }
  std::atexit(dismiss_others);
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
