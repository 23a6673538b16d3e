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

void wait_forever() {
  while (true) ::pause();
}

const std::string hello = format_hello(honest_hello());

// The honest answer's bytes, to be spoiled.
std::string answer_bytes() { return format_answer(honest_answer(read_request())); }

Answer next_answer() { return honest_answer(read_request()); }

using Fault = std::function<void()>;

// The honest answer with some of its bytes changed.
Fault spoiled(std::string (*spoil)(std::string)) {
  return [=] { write_out(spoil(answer_bytes())); };
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
    Answer answer = next_answer();
    change(answer);
    write_out(format_answer(answer));
  };
}

const std::map<std::string, Fault> faults = {
    {"prints", [] { write_out("hello\n" + answer_bytes()); }},
    {"stops_mid_answer",
     [] {
       write_out(answer_bytes().substr(0, 120));
       ::_exit(3);
     }},
    {"stops_mid_header", spoiled([](std::string bytes) { return bytes.substr(0, 12); })},
    {"trickles",
     [] {
       for (const char byte : answer_bytes()) {
         write_out({&byte, 1});
         std::this_thread::sleep_for(std::chrono::milliseconds(2));
       }
     }},
    {"repeats_first_answer",
     [] {
       const std::string first = answer_bytes();
       write_out(first);
       read_request();
       write_out(first);
     }},
    {"answers_future_id",
     [] {
       Answer answer = next_answer();
       write_out(format_answer(answer));
       ++answer.id;
       write_out(format_answer(answer));
       wait_forever();
     }},
    {"answers_before_reading",
     [] {
       Answer answer = small_answer();
       answer.id = 1;
       write_out(format_answer(answer));
       wait_forever();
     }},
    {"starts_early",
     [] {
       write_out("NBODYLAB");
       wait_forever();
     }},
    {"other_id", spoiled([](std::string bytes) { return with_u64(bytes, 16, 99); })},
    {"other_version", spoiled([](std::string bytes) { return with_u32(bytes, 8, 7); })},
    {"other_kind", spoiled([](std::string bytes) { return with_u32(bytes, 12, 1); })},
    {"other_size",
     spoiled([](std::string bytes) { return with_u64(bytes, 24, std::uint64_t{1} << 33); })},
    {"tiny_answer", spoiled([](std::string bytes) { return with_u64(bytes, 24, 8); })},
    {"long_refusal", spoiled([](std::string bytes) {
       return with_u64(with_u32(bytes, 12, 3), 24, max_refusal_size + 1);
     })},
    {"extra_bytes", spoiled([](std::string bytes) { return bytes + "x"; })},
    {"more_bodies", spoiled([](std::string bytes) { return with_u64(bytes, 40, 1000); })},
    {"fewer_bodies",
     answers_to([](Request& request) { request.bodies.resize(request.bodies.size() - 1); })},
    {"more_states",
     answers_with([](Answer& answer) { answer.states.push_back(answer.states.back()); })},
    {"no_accelerations", answers_with([](Answer& answer) { answer.accelerations = {}; })},
    {"uncalled_accelerations",
     answers_to([](Request& request) { request.want_accelerations = true; })},
    {"uncalled_jerks", answers_to([](Request& request) { request.want_jerk = true; })},
    {"hello_again",
     [] {
       read_request();
       write_out(hello);
     }},
    // The answer to the second of two requests comes first.
    {"swaps_answers",
     [] {
       const std::string first = answer_bytes();
       write_out(answer_bytes() + first);
     }},
    {"dies_after_an_answer",
     [] {
       write_out(answer_bytes());
       ::_exit(5);
     }},
    {"closes_input",
     [] {
       ::close(STDIN_FILENO);
       wait_forever();
     }},
    {"closes_input_and_exits",
     [] {
       ::close(STDIN_FILENO);
       std::this_thread::sleep_for(std::chrono::milliseconds(50));
       ::_exit(4);
     }},
    {"closes_output",
     [] {
       read_request();
       ::close(STDOUT_FILENO);
       wait_forever();
     }},
    {"breaks_a_pipe",
     [] {
       read_request();
       std::raise(SIGPIPE);
       wait_forever();
     }},
    {"ignores_end",
     [] {
       write_out(answer_bytes());
       wait_forever();
     }},
};

// What comes instead of a hello.
const std::map<std::string, Fault> first_faults = {
    {"prints_first", [] { write_out("hello\n" + hello); }},
    {"answers_first", [] { write_out(answer_bytes()); }},
    {"says_nothing", wait_forever},
    {"ends_unable",
     [] {
       std::fprintf(stderr, "no device: where is it?\nmore\n");
       ::_exit(2);
     }},
    {"echoes",
     [] {
       const Descriptor input(::dup(STDIN_FILENO));
       while (true) write_out(read_up_to(input, 50));
     }},
    {"hello_of_version_1", [] { write_out(with_u32(hello, 8, 1)); }},
    {"hello_of_other_size", [] { write_out(with_u64(hello, 24, 40)); }},
    {"hello_cut", [] { write_out(hello.substr(0, 50)); }},
    {"hello_with_odd_name", [] { write_out(std::string(hello).replace(32 + 16, 1, "\n")); }},
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
  if (first_fault != first_faults.end()) {
    first_fault->second();
    return 0;
  }
  write_out(hello);
  fault->second();
  return 0;
}
