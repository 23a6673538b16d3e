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

// Float and double are separate programs, side by side: NAME and NAME_double.
std::string twin_of(const std::string& program) {
  const std::string ending = "_double";
  if (!program.ends_with(ending)) return program + ending;
  return program.substr(0, program.size() - ending.size());
}

// Becomes the twin of this program, with the same arguments.
[[noreturn]] void become_twin(char** argv) {
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe");
  const std::string twin = twin_of(self.filename().string());
  execv((self.parent_path() / twin).c_str(), argv);
  if (errno != ENOENT) throw InputError(twin + " cannot be started: " + std::strerror(errno));
  const std::string part = self.parent_path().filename().string();
  throw InputError(
      "--precision asks for the program " + twin + ", which is not built: run ninja -C " +
      self.parent_path().parent_path().parent_path().string() + " bin/" + part + "/" + twin);
}

// A program of several processes cannot become another one.
[[noreturn]] void refuse_twin(const std::string& program) {
  throw InputError(
      "--precision needs another program, but the ranks of this one have started: start " +
      twin_of(program));
}

}  // namespace

int run_simulator(int argc, char** argv) {
  const Accelerator* accelerator = implementation.accelerator;
  const bool has_ranks = accelerator != nullptr && accelerator->ranks != nullptr;
  if (has_ranks) accelerator->join_ranks();
  const auto options = parse_command_line(argc, argv, implementation);
  if (!options) return 0;
  const std::string own_precision = name_of(implementation.precision());
  if (!options->precision.empty() && options->precision != own_precision) {
    if (has_ranks) refuse_twin(argv[0]);
    become_twin(argv);
  }
  if (accelerator != nullptr) accelerator->demand();
  if (options->serve) {
    return protocol::serve(hello_of(implementation), [&](const protocol::Request& request) {
      return answer_request(implementation, request, options->tuning);
    });
  }
  return run(implementation, *options);
}

}  // namespace nbody
