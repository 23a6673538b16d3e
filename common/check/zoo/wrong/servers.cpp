// The program `servers`: it breaks the protocol, which serve() cannot.
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
#include "simulator/implementation.hpp"
#include "simulator/serve.hpp"
#include "simulator/simulation.hpp"

namespace nbody {
namespace {

std::unique_ptr<Simulator> make_plain(const Problem& problem) {
  return std::make_unique<Plain>(problem);
}
const Implementation plain{"wrong", "servers", "", "", "", make_plain};

std::string right_bytes(const NumberedRequest& asked) {
  return format_answer(answer_request(plain, asked.request), asked.id);
}

void answer_all(const Descriptor& connection,
                const std::function<std::string(const NumberedRequest&)>& answer) {
  while (const auto asked = receive_request(connection)) write_fully(connection, answer(*asked));
}

// The program ends with status 0 amid its answer, as if the disk or the memory was full and the
// result of write was ignored.
void truncated(const Descriptor& connection) {
  const auto asked = receive_request(connection);
  if (!asked) return;
  const std::string answer = right_bytes(*asked);
  write_fully(connection, std::string_view(answer).substr(0, answer.size() / 2));
}

// A program that prints to the protocol's descriptor.
void garbage(const Descriptor& connection) {
  answer_all(connection, [](const NumberedRequest&) {
    return "step 1 of 10: everything is fine, energy is conserved\n";
  });
}

// As when the last block is copied back twice.
void one_body_more(const Descriptor& connection) {
  answer_all(connection, [](NumberedRequest asked) {
    for (auto* column : asked.request.bodies.columns()) column->push_back(column->back() + 1);
    return right_bytes(asked);
  });
}

// Zeros without end: waiting for the last byte never ends.
void endless_answer(const Descriptor& connection) {
  const auto asked = receive_request(connection);
  if (!asked) return;
  write_fully(connection, right_bytes(*asked));
  const std::string zeros(1 << 16, '\0');
  while (true) write_fully(connection, zeros);  // which throws when nobody listens
}

// Nobody takes a long request, and waiting for the answer never ends.
void deaf(const Descriptor&) {
  for (;;) pause();
}

// A cache without a key.
void earlier_request(const Descriptor& connection) {
  answer_all(connection, [first = std::string()](const NumberedRequest& asked) mutable {
    if (first.empty()) first = right_bytes(asked);
    return first;
  });
}

// A cache keyed by the number of bodies, for requests of the same shape. It would win every
// benchmark.
void earlier_answer(const Descriptor& connection) {
  std::map<std::tuple<std::size_t, std::uint64_t, bool, bool>, Answer> first;
  answer_all(connection, [&](const NumberedRequest& asked) {
    const Request& request = asked.request;
    const auto shape = std::make_tuple(request.bodies.size(), request.steps, request.every_state,
                                       request.accelerations);
    if (!first.contains(shape)) first[shape] = answer_request(plain, request);
    return format_answer(first[shape], asked.id);
  });
}

// Right answers of the program for double, where the one for float was started: mixed-up files.
void other_program(const Descriptor& connection) { answer_all(connection, right_bytes); }

// It says hello in another version.
void old_protocol(const Descriptor& connection) {
  write_fully(connection, "{\"protocol\":1,\"part\":\"wrong\",\"name\":\"old_protocol\"}\n");
  receive_request(connection);
}

const std::map<std::string_view, void (*)(const Descriptor&)> servers = {
    {"truncated", truncated},
    {"garbage", garbage},
    {"one_body_more", one_body_more},
    {"endless_answer", endless_answer},
    {"deaf", deaf},
    {"earlier_request", earlier_request},
    {"earlier_answer", earlier_answer},
    {"other_program", other_program},
    {"old_protocol", old_protocol}};

}  // namespace
}  // namespace nbody

int main(int argc, char** argv) {
  using nbody::Precision;
  const std::string name = argc > 2 ? argv[2] : "";
  const auto serve = nbody::servers.at(name);
  const Precision precision =
      name == "other_program" ? Precision::double_precision : Precision::single_precision;
  const nbody::Descriptor connection = nbody::connect_to_asker();
  if (name != "old_protocol") {
    nbody::write_fully(connection, nbody::format_hello({precision, false, 1, "wrong", name, ""}));
  }
  serve(connection);
}
