#include "simulator/run_simulator.hpp"

#include "protocol/server.hpp"
#include "simulator/accelerator.hpp"
#include "simulator/command_line.hpp"
#include "simulator/implementation.hpp"
#include "simulator/run.hpp"
#include "simulator/simulation.hpp"
#include "simulator/twin.hpp"

namespace nbody {

int run_simulator(int argc, char** argv) {
  const Accelerator* accelerator = implementation.accelerator;
  const bool has_ranks = accelerator != nullptr && accelerator->ranks != nullptr;
  if (has_ranks) accelerator->join_ranks();
  const auto options = parse_command_line(argc, argv, implementation);
  if (!options) return 0;
  if (options->precision.value_or(implementation.precision()) != implementation.precision()) {
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
