#include <unistd.h>

#include <filesystem>
#include <string>

#include "core/input_error.hpp"
#include "simulator/accelerator.hpp"
#include "simulator/command_line.hpp"
#include "simulator/implementation.hpp"
#include "simulator/ranks.hpp"
#include "simulator/serve.hpp"
#include "simulator/simulation.hpp"

namespace nbody {
namespace {

// Float and double are separate programs, side by side: NAME and NAME_double. Becomes the other
// one, with the same arguments.
[[noreturn]] void become_twin(char** argv) {
  const std::string ending = "_double";
  std::string twin = std::filesystem::read_symlink("/proc/self/exe").string();
  if (twin.ends_with(ending)) {
    twin.resize(twin.size() - ending.size());
  } else {
    twin += ending;
  }
  // The ranks of this one have started, and cannot become others.
  if (all_ranks == nullptr) execv(twin.c_str(), argv);
  throw InputError("--precision is that of another program, which must be started itself: " + twin);
}

// What another rank does while rank 0 serves. Rank 0 meets the same refusals, and sends them.
[[noreturn]] void answer_with_rank_0(const Tuning& tuning) {
  for (;;) {
    try {
      answer_request(implementation, of_rank_0(Request()), tuning);
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
  const std::string& asked = options->precision;
  if (!asked.empty() && asked != name_of(implementation.precision())) become_twin(argv);
  if (accelerator != nullptr) accelerator->demand();
  if (is_rank_0()) of_rank_0(0);

  if (!options->serve) return run(implementation, *options);
  if (!is_rank_0()) answer_with_rank_0(options->tuning);
  const Hello hello{.precision = implementation.precision(),
                    .ranks = all_ranks != nullptr ? all_ranks->number : 1,
                    .part = implementation.part,
                    .name = implementation.name,
                    .instruction_set = implementation.instruction_set};
  return serve(hello, [&](const Request& request) {
    return answer_request(implementation, of_rank_0(request), options->tuning);
  });
}

}  // namespace

int run_simulator(int argc, char** argv) {
  const Accelerator* accelerator = implementation.accelerator;
  const bool has_ranks = accelerator != nullptr && accelerator->on_all_ranks != nullptr;
  return has_ranks ? accelerator->on_all_ranks(run_program, argc, argv) : run_program(argc, argv);
}

}  // namespace nbody
