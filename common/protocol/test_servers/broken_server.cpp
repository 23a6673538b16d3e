// A program that breaks the protocol in one way, in its hello or after a good one:
//   broken_server --serve FAULT
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "protocol/descriptor.hpp"
#include "protocol/test_messages.hpp"
#include "protocol/test_servers/honest_answer.hpp"
#include "protocol/unix_socket.hpp"

namespace nbody::protocol {
namespace {

Request read_request() {
  const Descriptor input(::dup(STDIN_FILENO));
  const std::string head = read_up_to(input, frame_header_size);
  if (head.empty()) ::_exit(0);
  const FrameHeader header = parse_header(head);
  return parse_request(header, read_up_to(input, header.payload_size));
}

void write_out(std::string_view bytes) {
  const Descriptor output(::dup(STDOUT_FILENO));
  write_fully(output, bytes);
}

const std::string hello = format_hello(honest_hello());

using Fault = std::function<void()>;

Fault writes(std::string bytes) {
  return [=] { write_out(bytes); };
}

// The honest answer, with some of its bytes changed.
std::string as_it_is(std::string bytes) { return bytes; }
Fault answers(std::string (*spoil)(std::string) = as_it_is) {
  return [=] { write_out(spoil(format_answer(honest_answer(read_request())))); };
}

// The answer to a request that differs from the one that came.
Fault answers_to(void (*change)(Request&)) {
  return [=] {
    Request request = read_request();
    change(request);
    write_out(format_answer(honest_answer(request)));
  };
}

// The honest answer with something else in it.
Fault answers_with(void (*change)(Answer&)) {
  return [=] {
    Answer answer = honest_answer(read_request());
    change(answer);
    write_out(format_answer(answer));
  };
}

void answer_byte_by_byte() {
  for (const char byte : format_answer(honest_answer(read_request()))) {
    write_out({&byte, 1});
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

void repeat_first_answer() {
  const std::string first = format_answer(honest_answer(read_request()));
  write_out(first);
  read_request();
  write_out(first);
}

void answer_two_in_reverse() {
  const std::string first = format_answer(honest_answer(read_request()));
  write_out(format_answer(honest_answer(read_request())) + first);
}

void answer_this_and_the_next() {
  Answer answer = honest_answer(read_request());
  write_out(format_answer(answer));
  ++answer.id;
  write_out(format_answer(answer));
}

void echo() {
  const Descriptor input(::dup(STDIN_FILENO));
  while (true) write_out(read_up_to(input, 50));
}

void read_one() { read_request(); }
void close_input() { ::close(STDIN_FILENO); }
void close_output() { ::close(STDOUT_FILENO); }
void break_a_pipe() { std::raise(SIGPIPE); }
void pause_50_ms() { std::this_thread::sleep_for(std::chrono::milliseconds(50)); }
void complain() { std::fprintf(stderr, "no device: where is it?\nmore\n"); }
void wait_forever() {
  while (true) ::pause();
}
template <int status>
void exit_with() {
  ::_exit(status);
}

// One after the other.
using Faults = std::vector<Fault>;

// After a good hello.
const std::map<std::string, Faults> faults = {
    {"prints", {answers([](std::string bytes) { return "hello\n" + bytes; })}},
    {"stops_mid_answer",
     {answers([](std::string bytes) { return bytes.substr(0, 120); }), exit_with<3>}},
    {"stops_mid_header", {answers([](std::string bytes) { return bytes.substr(0, 12); })}},
    {"trickles", {answer_byte_by_byte}},
    {"repeats_first_answer", {repeat_first_answer}},
    {"swaps_answers", {answer_two_in_reverse}},
    {"answers_future_id", {answer_this_and_the_next, wait_forever}},
    {"answers_before_reading",
     {writes(with_u64(format_answer(small_answer()), 16, 1)), wait_forever}},
    {"starts_early", {writes("NBODYLAB"), wait_forever}},
    {"other_id", {answers([](std::string bytes) { return with_u64(bytes, 16, 99); })}},
    {"other_version", {answers([](std::string bytes) { return with_u32(bytes, 8, 7); })}},
    {"other_kind", {answers([](std::string bytes) { return with_u32(bytes, 12, 1); })}},
    {"other_size",
     {answers([](std::string bytes) { return with_u64(bytes, 24, std::uint64_t{1} << 33); })}},
    {"tiny_answer", {answers([](std::string bytes) { return with_u64(bytes, 24, 8); })}},
    {"long_refusal", {answers([](std::string bytes) {
       return with_u64(with_u32(bytes, 12, 3), 24, max_refusal_size + 1);
     })}},
    {"extra_bytes", {answers([](std::string bytes) { return bytes + "x"; })}},
    {"more_bodies", {answers([](std::string bytes) { return with_u64(bytes, 40, 1000); })}},
    {"fewer_bodies",
     {answers_to([](Request& request) { request.bodies.resize(request.bodies.size() - 1); })}},
    {"more_states",
     {answers_with([](Answer& answer) { answer.states.push_back(answer.states.back()); })}},
    {"no_accelerations", {answers_with([](Answer& answer) { answer.accelerations = {}; })}},
    {"uncalled_accelerations",
     {answers_to([](Request& request) { request.want_accelerations = true; })}},
    {"uncalled_jerks", {answers_to([](Request& request) { request.want_jerk = true; })}},
    {"hello_again", {read_one, writes(hello)}},
    {"dies_after_an_answer", {answers(), exit_with<5>}},
    {"closes_input", {close_input, wait_forever}},
    {"closes_input_and_exits", {close_input, pause_50_ms, exit_with<4>}},
    {"closes_output", {read_one, close_output, wait_forever}},
    {"breaks_a_pipe", {read_one, break_a_pipe, wait_forever}},
    {"ignores_end", {answers(), wait_forever}},
};

// What comes instead of a hello.
const std::map<std::string, Faults> first_faults = {
    {"prints_first", {writes("hello\n" + hello)}},
    {"answers_first", {answers()}},
    {"says_nothing", {wait_forever}},
    {"ends_unable", {complain, exit_with<2>}},
    {"echoes", {echo}},
    {"hello_of_version_1", {writes(with_u32(hello, 8, 1))}},
    {"hello_of_other_size", {writes(with_u64(hello, 24, 40))}},
    {"hello_cut", {writes(hello.substr(0, 50))}},
    {"hello_with_odd_name", {writes(std::string(hello).replace(32 + 16, 1, "\n"))}},
};

// Either transport is descriptors 0 and 1 here.
void take_transport() {
  const char* path = std::getenv(socket_variable);
  if (path == nullptr) return;
  const Descriptor connection = connect_to(path);
  ::dup2(connection.number(), STDIN_FILENO);
  ::dup2(connection.number(), STDOUT_FILENO);
}

}  // namespace
}  // namespace nbody::protocol

int main(int argc, char** argv) {
  using namespace nbody::protocol;
  const std::string name = argc > 2 ? argv[2] : "";
  const auto first_fault = first_faults.find(name), fault = faults.find(name);
  if (first_fault == first_faults.end() && fault == faults.end()) {
    std::fprintf(stderr, "usage: %s --serve FAULT\n", argv[0]);
    return 2;
  }
  take_transport();
  const bool greets = fault != faults.end();
  if (greets) write_out(hello);
  for (const Fault& step : greets ? fault->second : first_fault->second) step();
  return 0;
}
