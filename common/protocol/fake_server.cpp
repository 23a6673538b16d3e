// A simulator program that behaves as the tests need it, in one of many ways:
//   fake_server --serve BEHAVIOUR
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <thread>

#include "protocol/server.hpp"
#include "protocol/test_messages.hpp"
#include "protocol/unix_socket.hpp"

namespace nbody::protocol {
namespace {

[[noreturn]] void wait_forever() {
  while (true) ::pause();
}

// --- those that follow the protocol, whatever they compute ---------------------------------------

Answer noisy(const Request& request) {
  std::printf("computing %zu bodies\n", request.bodies.size());
  std::fflush(stdout);
  std::cout << "still computing" << std::endl;
  if (::write(STDOUT_FILENO, "raw\n", 4) != 4) throw std::runtime_error("no standard output");
  return honest_answer(request);
}

// Input is empty, and nothing is left of the socket, not even its name.
Answer looks_around(const Request& request) {
  struct stat status {};
  ::fstat(STDIN_FILENO, &status);
  if (S_ISSOCK(status.st_mode) || std::getchar() != EOF) throw std::runtime_error("not empty");
  if (std::getenv(socket_variable) != nullptr) throw std::runtime_error("the name is there");
  return honest_answer(request);
}

Answer refuses_by_value(const Request&) {
  Answer answer;
  answer.refused = Refusal::failed;
  answer.error = "not today";
  return answer;
}

Answer crashes(const Request&) {
  std::signal(SIGSEGV, SIG_DFL);  // a sanitizer would catch it
  std::raise(SIGSEGV);
  return {};
}

// Its own child keeps the socket open after the crash.
Answer crashes_with_child(const Request& request) {
  if (::fork() == 0) wait_forever();
  return crashes(request);
}

Answer hangs_with_child(const Request&) {
  ::fork();
  wait_forever();
}

Answer floods(const Request& request) {
  const std::string line(99, '!');
  for (int k = 0; k < 100000; ++k) std::fprintf(stderr, "%s\n", line.c_str());
  return honest_answer(request);
}

Answer wrong_values(const Request& request) {
  Answer answer = honest_answer(request);
  answer.states[0].position.x[0] = HUGE_VAL;
  answer.accelerations.y[0] = std::nan("0x123");
  return answer;
}

// Once: starts a process with another parent and another session, which works. Prints its number.
Answer leaves_daemon(const Request& request) {
  static bool left = false;
  if (!left && ::fork() == 0) {
    ::setsid();
    if (::fork() != 0) ::_exit(0);
    std::fprintf(stderr, "%d\n", static_cast<int>(::getpid()));
    for (std::atomic<unsigned> turns = 0;;) ++turns;
  }
  if (!left) ::wait(nullptr);
  left = true;
  return honest_answer(request);
}

const std::map<std::string, Answer (*)(const Request&)> handlers = {
    {"honest", honest_answer},
    {"noisy", noisy},
    {"looks_around", looks_around},
    {"refuses",
     [](const Request&) -> Answer { throw std::runtime_error("bodies 3 and 5\ncoincide \xff"); }},
    {"refuses_at_length",
     [](const Request&) -> Answer { throw std::runtime_error(std::string(10000, '\n')); }},
    {"refuses_by_value", refuses_by_value},
    {"throws_number", [](const Request&) -> Answer { throw 42; }},
    {"lacks_it", [](const Request&) -> Answer { throw Unsupported("no kick"); }},
    {"forgets_state", [](const Request&) { return Answer{}; }},
    {"exits", [](const Request&) -> Answer { ::_exit(3); }},
    {"hangs", [](const Request&) -> Answer { wait_forever(); }},
    {"crashes", crashes},
    {"crashes_with_child", crashes_with_child},
    {"hangs_with_child", hangs_with_child},
    {"floods", floods},
    {"wrong_values", wrong_values},
    {"leaves_daemon", leaves_daemon},
};

// --- those that break it ------------------------------------------------------------------------

using Behaviour = std::function<void(const Connection&)>;

std::string next_answer(const Connection& connection) {
  return format_answer(honest_answer(connection.receive().value()));
}

// The honest answer with this text instead of that.
Behaviour answers(std::string_view old, std::string_view text) {
  return [=](const Connection& to) { to.send(with(next_answer(to), old, text)); };
}

// The honest answer to another request.
Behaviour answers_to(void (*change)(Request&)) {
  return [=](const Connection& to) {
    Request request = to.receive().value();
    change(request);
    to.send(format_answer(honest_answer(request)));
  };
}

void trickle(const Connection& connection) {
  for (const char byte : next_answer(connection)) {
    connection.send({&byte, 1});
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

void repeat_first_answer(const Connection& connection) {
  const std::string first = next_answer(connection);
  connection.send(first);
  connection.receive();
  connection.send(first);
}

void answer_this_and_the_next(const Connection& connection) {
  const std::string first = next_answer(connection);
  connection.send(first + with(first, "\"answer\":1", "\"answer\":2"));
}

void close_connection(const Connection& connection) { ::close(connection.number()); }
void listen_no_more(const Connection& connection) { ::shutdown(connection.number(), SHUT_RD); }
Behaviour sends(std::string bytes) {
  return [=](const Connection& connection) { connection.send(bytes); };
}
void receive_one(const Connection& connection) { connection.receive(); }
void wait_for_ever(const Connection&) { wait_forever(); }
void pause_50_ms(const Connection&) { std::this_thread::sleep_for(std::chrono::milliseconds(50)); }
void exit_with_4(const Connection&) { ::_exit(4); }

// One after the other, after a good hello.
using Behaviours = std::vector<Behaviour>;
const std::map<std::string, Behaviours> faults = {
    {"prints", {answers("{", "hello\n{")}},
    {"long_header", {receive_one, sends("{" + std::string(1 << 20, ' ')), wait_for_ever}},
    {"stops_mid_header",
     {[](const Connection& to) { to.send(next_answer(to).substr(0, 12)); }, exit_with_4}},
    {"stops_mid_answer",
     {[](const Connection& to) { to.send(next_answer(to).substr(0, 120)); }, exit_with_4}},
    {"trickles", {trickle}},
    {"repeats_first_answer", {repeat_first_answer}},
    {"answers_future_id", {answer_this_and_the_next, wait_for_ever}},
    {"answers_unasked",
     {sends(with(format_answer(honest_answer(small_request())), ":7,", ":1,")), wait_for_ever}},
    {"starts_early", {receive_one, sends("{"), wait_for_ever}},
    {"other_id", {answers("\"answer\":1,", "\"answer\":99,")}},
    {"missing_member", {answers(",\"states\":1", "")}},
    {"extra_bytes", {answers("\n", "\nx")}},
    {"more_bodies", {answers("\"n\":2", "\"n\":1000")}},
    {"fewer_bodies", {answers_to([](Request& request) { request.bodies.resize(1); })}},
    {"more_states", {answers_to([](Request& request) { request.want_every_state = true; })}},
    {"no_accelerations",
     {answers_to([](Request& request) { request.want_accelerations = false; })}},
    {"uncalled_jerks", {answers_to([](Request& request) { request.want_jerk = true; })}},
    {"hello_again", {receive_one, sends(format_hello(honest_hello()))}},
    {"dies_after_an_answer", {answers("{", "{"), exit_with_4}},
    {"listens_no_more", {listen_no_more, wait_for_ever}},
    {"listens_no_more_and_exits", {listen_no_more, pause_50_ms, exit_with_4}},
    {"closes_connection", {receive_one, close_connection, wait_for_ever}},
    {"ignores_end", {answers("{", "{"), wait_for_ever}},
};

// What comes instead of a hello.
const std::map<std::string, Behaviours> first_faults = {
    {"prints_first", {sends("hello\n" + format_hello(honest_hello()))}},
    {"answers_first", {sends(format_answer(honest_answer(small_request())))}},
    {"says_nothing", {wait_for_ever}},
    {"ends_unable",
     {[](const Connection&) { std::fprintf(stderr, "no device: where is it?\nmore\n"); },
      exit_with_4}},
    {"hello_of_version_3", {sends(std::string("NBODYLAB\3\0\0\0\4\0\0\0", 16)), wait_for_ever}},
    {"hello_cut", {sends(format_hello(honest_hello()).substr(0, 50)), exit_with_4}},
    {"hello_with_odd_name", {sends(with(format_hello(honest_hello()), "test", "te\\nst"))}},
    {"hello_with_more", {sends(format_hello(honest_hello()) + "x"), wait_for_ever}},
};

int run(const std::string& name) {
  const auto handler = handlers.find(name);
  if (handler != handlers.end()) return serve(honest_hello(), handler->second);
  const auto fault = faults.find(name), first_fault = first_faults.find(name);
  if (fault == faults.end() && first_fault == first_faults.end()) {
    std::fprintf(stderr, "usage: fake_server --serve BEHAVIOUR\n");
    return 2;
  }
  const Connection connection;
  const bool greets = fault != faults.end();
  if (greets) connection.send(format_hello(honest_hello()));
  for (const Behaviour& step : greets ? fault->second : first_fault->second) step(connection);
  return 0;
}

}  // namespace
}  // namespace nbody::protocol

int main(int argc, char** argv) { return nbody::protocol::run(argc > 2 ? argv[2] : "honest"); }
