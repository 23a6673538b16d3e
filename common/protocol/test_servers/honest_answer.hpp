#pragma once

#include "physics/reference.hpp"
#include "protocol/messages.hpp"

namespace nbody::protocol {

// The hello of the test servers.
inline Hello honest_hello() {
  return {Precision::double_precision, true, 1, "test", "server", "avx2"};
}

// What a correct simulator answers: the reference, Eq. 1-5 and 8.
inline Answer honest_answer(const Request& request) {
  const Setting& setting = request.setting;
  Bodies<double> bodies = request.bodies;
  const auto accelerations = [&] {
    return reference_accelerations(bodies, setting.G, setting.softening).acceleration;
  };
  Answer answer;
  answer.id = request.id;
  const auto add_state = [&](std::uint64_t step) {
    answer.states.push_back({static_cast<double>(step) * setting.dt,
                             {bodies.qx, bodies.qy, bodies.qz},
                             {bodies.vx, bodies.vy, bodies.vz}});
  };
  for (std::uint64_t step = 1; step <= request.steps; ++step) {
    reference_update(bodies, accelerations(), setting.dt);
    if (request.want_every_state) add_state(step);
  }
  if (answer.states.empty()) add_state(request.steps);
  if (request.want_accelerations) answer.accelerations = accelerations();
  if (request.want_jerk) answer.jerk = reference_jerk(bodies, setting.G, setting.softening);
  return answer;
}

}  // namespace nbody::protocol
