#include <fmt/format.h>

#include <tuple>

#include "core/body_file.hpp"
#include "core/input_error.hpp"
#include "simulator/accelerator.hpp"
#include "simulator/simulation.hpp"
#include "simulator/threads.hpp"

namespace nbody {
namespace {

// Largest answer: 2^27 bodies in all its states together, 6 GiB.
void refuse_endless_answer(const protocol::Request& request) {
  const std::size_t n = request.bodies.size();
  if (request.want_every_state && request.steps > max_bodies / n) {
    throw InputError(
        fmt::format("every state of {} bodies over {} steps does not fit into one answer: ask for "
                    "at most {} steps",
                    n, request.steps, max_bodies / n));
  }
}

// Float and double are separate programs.
void refuse_other_precision(const Implementation& implementation, protocol::Precision precision) {
  if (precision == implementation.precision()) return;
  throw InputError(
      fmt::format("{} is a program for {}, but the request is in {}: start the other program",
                  implementation.name, protocol::name_of(implementation.precision()),
                  protocol::name_of(precision)));
}

void refuse_jerk(const Implementation& implementation, bool wanted) {
  if (!wanted || implementation.has_jerk) return;
  throw protocol::Unsupported(
      fmt::format("{} computes no jerk: ask for accelerations only", implementation.name));
}

unsigned ranks_of(const Implementation& implementation) {
  const Accelerator* accelerator = implementation.accelerator;
  return accelerator == nullptr || accelerator->ranks == nullptr ? 1 : accelerator->ranks();
}

void refuse_other_ranks(const Implementation& implementation, std::uint32_t ranks) {
  const unsigned there = ranks_of(implementation);
  if (ranks == 0 || ranks == there) return;
  if (there == 1) {
    throw InputError(
        fmt::format("{} runs as one process, but the request asks for {} ranks: ask for 0 or 1",
                    implementation.name, ranks));
  }
  throw InputError(
      fmt::format("{0} runs as {1} ranks, but the request asks for {2}: ask for 0 or {1}",
                  implementation.name, there, ranks));
}

protocol::State state_of(const Simulation& simulation, double time) {
  Bodies<double> bodies = simulation.bodies();
  return {time,
          {std::move(bodies.qx), std::move(bodies.qy), std::move(bodies.qz)},
          {std::move(bodies.vx), std::move(bodies.vy), std::move(bodies.vz)}};
}

protocol::Answer answer_of(const Implementation& implementation, const protocol::Request& request,
                           const Tuning& tuning) {
  refuse_other_precision(implementation, request.precision);
  refuse_jerk(implementation, request.want_jerk);
  refuse_other_ranks(implementation, request.ranks);
  refuse_endless_answer(request);
  use_threads(request.threads);
  Scene scene{request.bodies, request.setting, 0};
  scene.bodies.radius.resize(scene.bodies.size());
  const auto simulation = start_simulation(implementation, scene, request.adaptive, tuning);

  protocol::Answer answer;
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
  if (request.want_jerk) {
    std::tie(answer.accelerations, answer.jerk) = simulation->accelerations_and_jerk();
    if (!request.want_accelerations) answer.accelerations = {};
  } else if (request.want_accelerations) {
    simulation->compute_accelerations();
    answer.accelerations = simulation->accelerations();
  }
  return answer;
}

}  // namespace

protocol::Hello hello_of(const Implementation& implementation) {
  protocol::Hello hello;
  hello.precision = implementation.precision();
  hello.has_jerk = implementation.has_jerk;
  hello.ranks = ranks_of(implementation);
  hello.part = implementation.part;
  hello.name = implementation.name;
  hello.instruction_set = implementation.instruction_set;
  return hello;
}

protocol::Answer answer_request(const Implementation& implementation,
                                const protocol::Request& request, const Tuning& tuning) {
  try {
    return answer_of(implementation, request, tuning);
  } catch (const NotOffered& missing) {
    throw protocol::Unsupported(missing.what());
  }
}

}  // namespace nbody
