// The program `servers`: it breaks the protocol. Not by protocol/server.hpp, which cannot.
//
//   servers --serve truncated

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "check/zoo/plain.hpp"
#include "protocol/frame.hpp"
#include "protocol/messages.hpp"
#include "simulator/implementation.hpp"
#include "simulator/simulation.hpp"

namespace nbody {
namespace {

using protocol::Answer, protocol::Request;

std::optional<std::string> read_bytes(std::size_t size) {
  std::string bytes(size, '\0');
  if (std::fread(bytes.data(), 1, size, stdin) != size) return std::nullopt;
  return bytes;
}

// Nothing at the end of the input. Trusts its client.
std::optional<Request> read_request() {
  const auto header_bytes = read_bytes(protocol::frame_header_size);
  if (!header_bytes) return std::nullopt;
  const protocol::FrameHeader header = protocol::parse_header(*header_bytes);
  const auto payload = read_bytes(header.payload_size);
  if (!payload) return std::nullopt;
  return protocol::parse_request(header, *payload);
}

void write_bytes(std::string_view bytes) {
  std::fwrite(bytes.data(), 1, bytes.size(), stdout);
  std::fflush(stdout);
}

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

void answer_all(const std::function<std::string(const Request&)>& answer) {
  while (const auto request = read_request()) write_bytes(answer(*request));
}

// The header states the right length, then the program ends with status 0, as if the disk or the
// memory was full and the result of write was ignored.
void truncated() {
  const auto request = read_request();
  if (!request) return;
  const std::string answer = right_bytes(*request);
  write_bytes(std::string_view(answer).substr(0, answer.size() / 2));
}

// A program that prints to the protocol's descriptor.
void garbage() {
  answer_all(
      [](const Request&) { return "step 1 of 10: everything is fine, energy is conserved\n"; });
}

// Well-formed, as when the last block was not copied back.
void one_body_short() {
  answer_all([](const Request& request) {
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

// Zeros without end. Trusting the length exhausts the memory; waiting for the last byte never ends.
void endless_answer() {
  const auto request = read_request();
  if (!request) return;
  std::string answer = right_bytes(*request);
  answer.resize(protocol::frame_header_size);
  answer.replace(protocol::frame_header_size - 8, 8, {0, 0, 0, 0, 0, 0, 0, 0x40});
  write_bytes(answer);
  const std::string zeros(1 << 16, '\0');
  while (!std::ferror(stdout)) write_bytes(zeros);
}

// Writing a long request hits a closed pipe, and waiting for the answer never ends.
void deaf() {
  close(STDIN_FILENO);
  for (;;) pause();
}

// A cache without a key.
void earlier_request() {
  answer_all([first = std::string()](const Request& request) mutable {
    if (first.empty()) first = right_bytes(request);
    return first;
  });
}

// A cache keyed by the number of bodies, for requests of the same shape. It would win every
// benchmark.
void earlier_answer() {
  std::map<std::tuple<std::size_t, std::uint64_t, bool, bool>, Answer> first;
  answer_all([&](const Request& request) {
    const auto shape = std::make_tuple(request.bodies.size(), request.steps,
                                       request.want_every_state, request.want_accelerations);
    if (!first.contains(shape)) first[shape] = right_answer(request);
    first[shape].id = request.id;
    return protocol::format_answer(first[shape]);
  });
}

// Right answers of the program for double, where the one for float was started: mixed-up files.
void other_program() { answer_all(right_bytes); }

// No hello, and it exits at a request of another version.
void old_protocol() {
  const auto header = read_bytes(protocol::frame_header_size);
  if (!header || protocol::load_little_endian<std::uint32_t>(header->data() + 8) == 1) return;
  std::fprintf(stderr, "--serve: the message has protocol version 3, this program speaks 1\n");
  std::exit(2);
}

const std::map<std::string_view, void (*)()> servers = {{"truncated", truncated},
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
  if (name != "old_protocol") {
    nbody::write_bytes(nbody::protocol::format_hello({precision, false, 1, "wrong", name, ""}));
  }
  serve();
}
