#include "simulator/run_simulator.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>

#include "core/input_error.hpp"
#include "protocol/server.hpp"
#include "simulator/accelerator.hpp"
#include "simulator/command_line.hpp"
#include "simulator/implementation.hpp"
#include "simulator/run.hpp"
#include "simulator/simulation.hpp"

namespace nbody {
namespace {

// Float and double are separate programs, side by side: NAME and NAME_double. Becomes the other
// one, with the same arguments.
[[noreturn]] void become_twin(char** argv, bool has_ranks) {
  const std::string ending = "_double";
  std::string twin = std::filesystem::read_symlink("/proc/self/exe").string();
  if (twin.ends_with(ending)) {
    twin.resize(twin.size() - ending.size());
  } else {
    twin += ending;
  }
  if (has_ranks) {  // a program of several processes cannot become another one
    throw InputError(
        "--precision needs another program, but the ranks of this one have started: start " + twin);
  }
  execv(twin.c_str(), argv);
  throw InputError(twin + ", for --precision, cannot be started: " + std::strerror(errno) +
                   "; ./lab build builds it");
}

}  // namespace

int run_simulator(int argc, char** argv) {
  const Accelerator* accelerator = implementation.accelerator;
  const bool has_ranks = accelerator != nullptr && accelerator->ranks != nullptr;
  if (has_ranks) accelerator->join_ranks();
  const auto options = parse_command_line(argc, argv, implementation);
  if (!options) return 0;
  const bool is_other =
      !options->precision.empty() && options->precision != name_of(implementation.precision());
  if (is_other) become_twin(argv, has_ranks);
  if (accelerator != nullptr) accelerator->demand();
  if (options->serve) {
    return protocol::serve(hello_of(implementation), [&](const protocol::Request& request) {
      return answer_request(implementation, request, options->tuning);
    });
  }
  return run(implementation, *options);
}

}  // namespace nbody
