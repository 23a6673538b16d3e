#pragma once

#include <string>
#include <string_view>

#include "core/reference.hpp"
#include "protocol/messages.hpp"

namespace nbody::protocol {

// Small messages for tests, and ways to change them.

inline Hello honest_hello() {
  return {Precision::double_precision, true, 1, "test", "fake", "avx2"};
}

// Two bodies; every field has a different value, so that swapped fields show.
inline Request small_request() {
  Request request;
  request.id = 7;
  request.precision = Precision::double_precision;
  request.want_accelerations = true;
  request.threads = 3;
  request.ranks = 2;
  request.steps = 2;
  request.setting = {1.5, 0.25, 0.125, 0.0625, "hermite4", 0.75};
  request.bodies.resize(2);
  double value = 1;
  Bodies<double>& bodies = request.bodies;
  for (auto* column :
       {&bodies.mass, &bodies.qx, &bodies.qy, &bodies.qz, &bodies.vx, &bodies.vy, &bodies.vz}) {
    for (double& number : *column) number = value++;
  }
  return request;
}

// n bodies on a line: cheap to make, big to send.
inline Request long_request(std::size_t n) {
  Request request;
  request.bodies.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    request.bodies.mass[i] = 1;
    request.bodies.qx[i] = static_cast<double>(i);
  }
  return request;
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

inline std::string header_of(std::string_view message) {
  return std::string(message.substr(0, message.find('\n')));
}
inline std::string_view columns_of(std::string_view message) {
  return message.substr(message.find('\n') + 1);
}

// With the first such text replaced, which must be there.
inline std::string with(std::string message, std::string_view old, std::string_view text) {
  return message.replace(message.find(old), old.size(), text);
}

inline Request parse_request_message(std::string_view message) {
  return parse_request(parse_request_header(header_of(message)), columns_of(message));
}
inline Answer parse_answer_message(std::string_view message) {
  return parse_answer(parse_answer_header(header_of(message)), columns_of(message));
}

}  // namespace nbody::protocol
