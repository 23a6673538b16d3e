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
#include <string>
#include <string_view>

#include "core/input_error.hpp"
#include "mpi/message_counts.hpp"
#include "mpi/world.hpp"
#include "simulator/threads.hpp"

namespace nbody {
namespace {

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

bool has_left = false;

void leave() {
  has_left = true;
  leave_world();
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
  join_world();
  tell_faults();
  share_cores(static_cast<unsigned>(ranks_on_this_host()));
  demand_own_launcher();
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
  return {demand,
          description,
          [] { message_counts() = {}; },
          [](double) { return table_of(gathered_message_counts()); },
          run_on_all_ranks,
          [] { return static_cast<unsigned>(number_of_ranks()); }};
}

const Accelerator mpi_ranks = with_ranks([] {}, description_of_ranks);

}  // namespace nbody
