// A program that breaks the protocol in one way: broken_server --serve FAULT
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <map>
#include <string>
#include <thread>

#include "protocol/descriptor.hpp"
#include "protocol/test_messages.hpp"
#include "protocol/test_servers/honest_answer.hpp"

namespace nbody {
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

// The honest answer's bytes, to be spoiled.
std::string answer_bytes() { return format_answer(honest_answer(read_request())); }

void says_hello() {
  write_out("hello\n");
  write_out(answer_bytes());
}
void stops_mid_answer() {
  write_out(answer_bytes().substr(0, 120));
  ::_exit(3);
}
void stops_mid_header() {
  write_out(answer_bytes().substr(0, 12));
  ::_exit(0);
}
void trickles() {
  for (const char byte : answer_bytes()) {
    write_out({&byte, 1});
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}
void repeats_first_answer() {
  const std::string first = answer_bytes();
  write_out(first);
  read_request();
  write_out(first);
}
void answers_future_id() {
  const Answer answer = honest_answer(read_request());
  write_out(format_answer(answer));
  Answer next = answer;
  ++next.id;
  write_out(format_answer(next));
  wait_forever();
}
void answers_before_reading() {
  Answer answer = small_answer();
  answer.id = 1;
  write_out(format_answer(answer));
  wait_forever();
}
void starts_early() {
  write_out("NBODYLAB");
  wait_forever();
}
void other_id() { write_out(with_u64(answer_bytes(), 16, 99)); }
void other_version() { write_out(with_u32(answer_bytes(), 8, 7)); }
void other_kind() { write_out(with_u32(answer_bytes(), 12, 1)); }
void other_size() { write_out(with_u64(answer_bytes(), 24, std::uint64_t{1} << 33)); }
void tiny_answer() { write_out(with_u64(answer_bytes(), 24, 8)); }
void long_refusal() {
  write_out(with_u64(with_u32(answer_bytes(), 12, 3), 24, max_refusal_size + 1));
}
void extra_bytes() { write_out(answer_bytes() + "x"); }

void fewer_bodies() {
  Request request = read_request();
  Bodies<double>& bodies = request.bodies;
  bodies.resize(bodies.size() - 1);
  write_out(format_answer(honest_answer(request)));
}
void more_bodies() { write_out(with_u64(answer_bytes(), 40, 1000)); }
void more_states() {
  Answer answer = honest_answer(read_request());
  answer.states.push_back(answer.states.back());
  write_out(format_answer(answer));
}
void no_accelerations() {
  Answer answer = honest_answer(read_request());
  answer.accelerations = {};
  write_out(format_answer(answer));
}
void uncalled_accelerations() {
  Request request = read_request();
  request.want_accelerations = true;
  write_out(format_answer(honest_answer(request)));
}
void closes_input() {
  ::close(STDIN_FILENO);
  wait_forever();
}
void closes_input_and_exits() {
  ::close(STDIN_FILENO);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  ::_exit(4);
}
void closes_output() {
  read_request();
  ::close(STDOUT_FILENO);
  wait_forever();
}
void breaks_a_pipe() {
  read_request();
  std::raise(SIGPIPE);
  wait_forever();
}
void ignores_end() {
  write_out(answer_bytes());
  wait_forever();
}

const std::map<std::string, void (*)()> faults = {
    {"says_hello", says_hello},
    {"stops_mid_answer", stops_mid_answer},
    {"stops_mid_header", stops_mid_header},
    {"trickles", trickles},
    {"repeats_first_answer", repeats_first_answer},
    {"answers_future_id", answers_future_id},
    {"answers_before_reading", answers_before_reading},
    {"starts_early", starts_early},
    {"other_id", other_id},
    {"other_version", other_version},
    {"other_kind", other_kind},
    {"other_size", other_size},
    {"tiny_answer", tiny_answer},
    {"long_refusal", long_refusal},
    {"extra_bytes", extra_bytes},
    {"fewer_bodies", fewer_bodies},
    {"more_bodies", more_bodies},
    {"more_states", more_states},
    {"no_accelerations", no_accelerations},
    {"uncalled_accelerations", uncalled_accelerations},
    {"closes_input", closes_input},
    {"closes_input_and_exits", closes_input_and_exits},
    {"closes_output", closes_output},
    {"breaks_a_pipe", breaks_a_pipe},
    {"ignores_end", ignores_end},
};

}  // namespace
}  // namespace nbody

int main(int argc, char** argv) {
  const auto fault = nbody::faults.find(argc > 2 ? argv[2] : "");
  if (fault == nbody::faults.end()) {
    std::fprintf(stderr, "usage: %s --serve FAULT\n", argv[0]);
    return 2;
  }
  fault->second();
  return 0;
}
