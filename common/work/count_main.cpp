#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <fmt/format.h>

#include <cstdio>
#include <new>
#include <nlohmann/json.hpp>

#include "command_line/command_line.hpp"
#include "core/input_error.hpp"
#include "core/text_file.hpp"
#include "simulator/accelerator.hpp"
#include "simulator/threads.hpp"
#include "work/arena.hpp"
#include "work/count_report.hpp"

namespace {

using namespace nbody;
using namespace nbody::work;

// What --json of this program wrote on a machine with its device.
std::string stored_text(const std::string& file) {
  try {
    const auto json = nlohmann::json::parse(read_text_file(file));
    return fmt::format("no GPU here to count on; these are the counts of {}, {}\n\n{}",
                       json.at("date").get<std::string>(), json.at("device").get<std::string>(),
                       json.at("text").get<std::string>());
  } catch (const nlohmann::json::exception&) {
    throw InputError(file + ": no counts of this program; restore it with git checkout");
  }
}

bool device_is_there() {
  try {
    counted_implementation.accelerator->demand();
    return true;
  } catch (const InputError&) {
    return false;
  }
}

// True if there is nothing left to count.
bool shown_from(const std::string& stored) {
  if (counted_implementation.accelerator == nullptr) return false;
  if (stored.empty()) counted_implementation.accelerator->demand();
  if (stored.empty() || device_is_there()) return false;
  fmt::print("{}", stored_text(stored));
  return true;
}

#ifdef __SANITIZE_ADDRESS__
constexpr rlim_t cpu_seconds = 600;  // ten times slower with sanitizers
#else
constexpr rlim_t cpu_seconds = 60;  // naive takes one or two
#endif
constexpr unsigned wall_seconds = 600;

void say_and_end(int) {
  constexpr char said[] = "counting did not end in time: an endless loop?\n";
  // Nothing else that writes may be called here.
  if (::write(STDERR_FILENO, said, sizeof said - 1) < 0) ::_exit(2);
  ::_exit(1);
}

// The counted code is a student's: it may never end. It also ends with its parent, so that it holds
// no lock. Starts before main, since a static variable of the header may be what never ends.
[[gnu::constructor(101)]] void limit_time() {
  std::signal(SIGXCPU, say_and_end);
  std::signal(SIGALRM, say_and_end);
  const rlimit limit{cpu_seconds, cpu_seconds + 5};
  ::setrlimit(RLIMIT_CPU, &limit);
  ::alarm(wall_seconds);
#ifdef __linux__
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
}

int follow(int argc, char** argv) {
  std::uint64_t n = 1000;
  std::string json, stored;
  command_line::CommandLine line(
      fmt::format(
          "Counts the flops, loads and stores of {}/{}, by running it on a counting number.",
          counted_implementation.part, counted_implementation.name),
      fmt::format("{}_count", counted_implementation.name));
  line.number("-n,--n", "N", n, "number of bodies for the second table (default 1000)", 2,
              1'000'000);
  line.text("--json", "FILE", json, "write all counts to this file");
  line.text("--stored", "FILE", stored, "without its device: show the counts of this file");
  if (!line.parse(argc, argv)) return 0;
  if (shown_from(stored)) return 0;
  open_arena();
  use_threads(1);
  const WorkCount count = count_work(counted_implementation, n);
  if (!json.empty()) write_text_file(json, count_json(counted_implementation, count));
  fmt::print("{}", count_text(counted_implementation, count));
  return 0;
}

}  // namespace

// The main function of every count program. Status 1: the code cannot be counted; 2: bad input.
int main(int argc, char** argv) {
  const auto complain = [](const char* what, int status) {
    std::fprintf(stderr, "%s_count: %s\n", counted_implementation.name, what);
    return status;
  };
  try {
    return follow(argc, argv);
  } catch (const CannotCount& refusal) {
    return complain(refusal.what(), 1);
  } catch (const std::bad_alloc&) {
    return complain("not enough memory to count in", 2);
  } catch (const std::exception& error) {
    return complain(error.what(), 2);
  }
}
