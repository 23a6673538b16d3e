#include <fmt/format.h>

#include "bodies/body_file.hpp"
#include "bodies/input_error.hpp"
#include "simulator/simulation.hpp"
#include "simulator/threads.hpp"

namespace nbody {
namespace {

// Where an answer ends: 2^27 bodies in all its states are 6 GiB.
void refuse_endless_answer(const Request& request) {
  const std::size_t n = request.bodies.size();
  if (request.want_every_state && request.steps > max_bodies / n) {
    throw InputError(
        fmt::format("every state of {} bodies over {} steps is too large an answer: ask for at "
                    "most {} steps",
                    n, request.steps, max_bodies / n));
  }
}

State state_of(const Simulation& simulation, double time) {
  Bodies<double> bodies = simulation.bodies();
  return {time,
          {std::move(bodies.qx), std::move(bodies.qy), std::move(bodies.qz)},
          {std::move(bodies.vx), std::move(bodies.vy), std::move(bodies.vz)}};
}

}  // namespace

Answer answer_request(const Implementation& implementation, const Request& request,
                      const Tuning& tuning) {
  refuse_endless_answer(request);
  use_threads(request.threads);
  Scene scene{request.bodies, request.setting, 0};
  scene.bodies.radius.resize(scene.bodies.size());
  const auto simulation =
      start_simulation(implementation, scene, request.precision, request.adaptive, tuning);

  Answer answer;
  double time = 0;
  if (request.want_every_state && request.steps > 0) {
    for (std::uint64_t step = 0; step < request.steps; ++step) {
      time += simulation->advance(1);
      answer.states.push_back(state_of(*simulation, time));
    }
  } else {
    time = simulation->advance(request.steps);
    answer.states.push_back(state_of(*simulation, time));
  }
  if (request.want_accelerations) {
    simulation->compute_accelerations();
    answer.accelerations = simulation->accelerations();
  }
  return answer;
}

}  // namespace nbody
