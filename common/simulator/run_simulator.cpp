#include "simulator/run_simulator.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>

#include "core/input_error.hpp"
#include "simulator/accelerator.hpp"
#include "simulator/command_line.hpp"
#include "simulator/implementation.hpp"
#include "simulator/ranks.hpp"
#include "simulator/run.hpp"
#include "simulator/serve.hpp"
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

Answer answer_on_all_ranks(const Request& request, const Tuning& tuning) {
  return answer_request(implementation, of_rank_0(request), tuning);
}

// What another rank does while rank 0 serves. Rank 0 meets the same refusals, and sends them.
[[noreturn]] void answer_with_rank_0(const Tuning& tuning) {
  for (;;) {
    try {
      answer_on_all_ranks({}, tuning);
    } catch (const InputError&) {
    }
  }
}

int run_program(int argc, char** argv) {
  // Rank 0 reads the command line first, and the others where it has found nothing wrong.
  if (!is_rank_0()) of_rank_0(0);
  const auto options = parse_command_line(argc, argv, implementation);
  if (!options) return 0;
  const Accelerator* accelerator = implementation.accelerator;
  if (options->precision.value_or(implementation.precision()) != implementation.precision()) {
    if (all_ranks != nullptr) refuse_twin(argv[0]);
    become_twin(argv);
  }
  if (accelerator != nullptr) accelerator->demand();
  if (is_rank_0()) of_rank_0(0);

  if (!options->serve) return run(implementation, *options);
  if (!is_rank_0()) answer_with_rank_0(options->tuning);
  return serve(hello_of(implementation), [&](const Request& request) {
    return answer_on_all_ranks(request, options->tuning);
  });
}

}  // namespace

int run_simulator(int argc, char** argv) {
  const Accelerator* accelerator = implementation.accelerator;
  const bool has_ranks = accelerator != nullptr && accelerator->on_all_ranks != nullptr;
  return has_ranks ? accelerator->on_all_ranks(run_program, argc, argv) : run_program(argc, argv);
}

}  // namespace nbody
