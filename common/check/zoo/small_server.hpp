#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include "check/zoo/plain.hpp"
#include "protocol/frame.hpp"
#include "protocol/messages.hpp"

namespace nbody {

// Building blocks of the zoo's broken servers. Not protocol/server.hpp, which cannot break the
// protocol.

inline std::optional<std::string> read_bytes(std::size_t size) {
  std::string bytes(size, '\0');
  if (std::fread(bytes.data(), 1, size, stdin) != size) return std::nullopt;
  return bytes;
}

// Nothing at the end of the input. Trusts its client.
inline std::optional<protocol::Request> read_request() {
  const auto header_bytes = read_bytes(protocol::frame_header_size);
  if (!header_bytes) return std::nullopt;
  const protocol::FrameHeader header = protocol::parse_header(*header_bytes);
  const auto payload = read_bytes(header.payload_size);
  if (!payload) return std::nullopt;
  return protocol::parse_request(header, *payload);
}

inline void write_bytes(std::string_view bytes) {
  std::fwrite(bytes.data(), 1, bytes.size(), stdout);
  std::fflush(stdout);
}

// The first message of every program. For float, like the zoo's requests.
inline void say_hello(const char* name) {
  write_bytes(
      protocol::format_hello({protocol::Precision::single_precision, false, 1, "wrong", name, ""}));
}

// The right answer, computed in double and SI units.
inline protocol::Answer right_answer(const protocol::Request& request) {
  PlainOf<double> simulator({request.bodies, request.setting.G, request.setting.softening});
  const StepRule rule{request.adaptive, request.setting.dt, request.setting.dt_floor};
  Bodies<double> bodies = request.bodies;
  double time = 0;
  protocol::Answer answer;
  answer.id = request.id;
  const auto keep_state = [&] {
    simulator.copy_state(bodies);
    answer.states.push_back(
        {time, {bodies.qx, bodies.qy, bodies.qz}, {bodies.vx, bodies.vy, bodies.vz}});
  };
  for (std::uint64_t step = 0; step < request.steps; ++step) {
    time += simulator.advance(1, rule);
    if (request.want_every_state) keep_state();
  }
  if (answer.states.empty()) keep_state();
  if (request.want_accelerations) {
    simulator.compute_accelerations();
    simulator.copy_accelerations(answer.accelerations);
  }
  return answer;
}

}  // namespace nbody
