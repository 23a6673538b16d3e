#include <tuple>

#include "simulator/accelerator.hpp"
#include "simulator/simulation.hpp"
#include "simulator/threads.hpp"

namespace nbody {
namespace {

unsigned ranks_of(const Implementation& implementation) {
  const Accelerator* accelerator = implementation.accelerator;
  return accelerator == nullptr || accelerator->ranks == nullptr ? 1 : accelerator->ranks();
}

State state_of(const Simulation& simulation, double time) {
  Bodies<double> bodies = simulation.bodies();
  return {time,
          {std::move(bodies.qx), std::move(bodies.qy), std::move(bodies.qz)},
          {std::move(bodies.vx), std::move(bodies.vy), std::move(bodies.vz)}};
}

}  // namespace

Hello hello_of(const Implementation& implementation) {
  Hello hello;
  hello.precision = implementation.precision();
  hello.jerk = implementation.has_jerk;
  hello.ranks = ranks_of(implementation);
  hello.part = implementation.part;
  hello.name = implementation.name;
  hello.instruction_set = implementation.instruction_set;
  return hello;
}

Answer answer_request(const Implementation& implementation, const Request& request,
                      const Tuning& tuning) {
  if (request.jerk && !implementation.has_jerk) {
    throw Unsupported(std::string(implementation.name) + " computes no jerk");
  }
  answer_columns_size(request);  // throws where no answer may be so large
  use_threads(request.threads);
  Scene scene{request.bodies, request.setting, 0};
  scene.bodies.radius.resize(scene.bodies.size());
  const auto simulation = start_simulation(implementation, scene, request.adaptive, tuning);

  Answer answer;
  double time = 0;
  for (std::uint64_t state = 0; state < request.states(); ++state) {
    time += simulation->advance(request.steps / request.states());
    answer.states.push_back(state_of(*simulation, time));
  }
  if (request.jerk) {
    std::tie(answer.accelerations, answer.jerk) = simulation->accelerations_and_jerk();
    if (!request.accelerations) answer.accelerations = {};
  } else if (request.accelerations) {
    simulation->compute_accelerations();
    answer.accelerations = simulation->accelerations();
  }
  return answer;
}

}  // namespace nbody
