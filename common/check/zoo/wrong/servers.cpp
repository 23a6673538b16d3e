// The program `servers`: it breaks the protocol. Not by serve() of protocol/server.hpp, which
// cannot.
//
//   servers --serve truncated

#include <unistd.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>

#include "check/zoo/plain.hpp"
#include "protocol/server.hpp"
#include "simulator/implementation.hpp"
#include "simulator/simulation.hpp"

namespace nbody {
namespace {

using protocol::Answer, protocol::Connection, protocol::Request;

std::unique_ptr<Simulator> make_plain(const Problem& problem) {
  return std::make_unique<Plain>(problem);
}
const Implementation plain{"wrong", "servers", "", "", "", make_plain};

Answer right_answer(const Request& request) {
  Answer answer = answer_request(plain, request);
  answer.id = request.id;
  return answer;
}

std::string right_bytes(const Request& request) {
  return protocol::format_answer(right_answer(request));
}

void answer_all(const Connection& connection,
                const std::function<std::string(const Request&)>& answer) {
  while (const auto request = connection.receive()) connection.send(answer(*request));
}

// The header states the right size, then the program ends with status 0, as if the disk or the
// memory was full and the result of write was ignored.
void truncated(const Connection& connection) {
  const auto request = connection.receive();
  if (!request) return;
  const std::string answer = right_bytes(*request);
  connection.send(std::string_view(answer).substr(0, answer.size() / 2));
}

// A program that prints to the protocol's descriptor.
void garbage(const Connection& connection) {
  answer_all(connection, [](const Request&) {
    return "step 1 of 10: everything is fine, energy is conserved\n";
  });
}

// Well-formed, as when the last block was not copied back.
void one_body_short(const Connection& connection) {
  answer_all(connection, [](const Request& request) {
    Answer answer = right_answer(request);
    const std::size_t n = request.bodies.size() - 1;
    for (protocol::State& state : answer.states) {
      state.position.resize(n);
      state.velocity.resize(n);
    }
    if (request.want_accelerations) answer.accelerations.resize(n);
    return protocol::format_answer(answer);
  });
}

// Zeros without end. Trusting the count exhausts the memory; waiting for the last byte never ends.
void endless_answer(const Connection& connection) {
  const auto request = connection.receive();
  if (!request) return;
  connection.send(
      "{\"answer\":1,\"n\":99999999,\"states\":9,\"accelerations\":true,\"jerk\":false}\n");
  const std::string zeros(1 << 16, '\0');
  while (true) connection.send(zeros);  // which throws when nobody listens
}

// Nobody takes a long request, and waiting for the answer never ends.
void deaf(const Connection&) {
  for (;;) pause();
}

// A cache without a key.
void earlier_request(const Connection& connection) {
  answer_all(connection, [first = std::string()](const Request& request) mutable {
    if (first.empty()) first = right_bytes(request);
    return first;
  });
}

// A cache keyed by the number of bodies, for requests of the same shape. It would win every
// benchmark.
void earlier_answer(const Connection& connection) {
  std::map<std::tuple<std::size_t, std::uint64_t, bool, bool>, Answer> first;
  answer_all(connection, [&](const Request& request) {
    const auto shape = std::make_tuple(request.bodies.size(), request.steps,
                                       request.want_every_state, request.want_accelerations);
    if (!first.contains(shape)) first[shape] = right_answer(request);
    first[shape].id = request.id;
    return protocol::format_answer(first[shape]);
  });
}

// Right answers of the program for double, where the one for float was started: mixed-up files.
void other_program(const Connection& connection) { answer_all(connection, right_bytes); }

// It says hello in another version.
void old_protocol(const Connection& connection) {
  connection.send("{\"protocol\":1,\"part\":\"wrong\",\"name\":\"old_protocol\"}\n");
  connection.receive();
}

const std::map<std::string_view, void (*)(const Connection&)> servers = {
    {"truncated", truncated},
    {"garbage", garbage},
    {"one_body_short", one_body_short},
    {"endless_answer", endless_answer},
    {"deaf", deaf},
    {"earlier_request", earlier_request},
    {"earlier_answer", earlier_answer},
    {"other_program", other_program},
    {"old_protocol", old_protocol}};

}  // namespace
}  // namespace nbody

int main(int argc, char** argv) {
  using nbody::protocol::Precision;
  const std::string name = argc > 2 ? argv[2] : "";
  const auto serve = nbody::servers.at(name);
  const Precision precision =
      name == "other_program" ? Precision::double_precision : Precision::single_precision;
  const nbody::protocol::Connection connection;
  if (name != "old_protocol") {
    connection.send(nbody::protocol::format_hello({precision, false, 1, "wrong", name, ""}));
  }
  serve(connection);
}
