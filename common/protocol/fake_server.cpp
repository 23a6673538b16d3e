// A simulator program that behaves as the tests need it:
//   fake_server --serve HANDLER     serves, with an answer that may be wrong
//   fake_server --serve 'STEP|...'  says what the steps say: the rows of the tests, one by one
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
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

// --- handlers -----------------------------------------------------------------------------------

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

template <typename Fault, int length = 0>
Answer throws(const Request&) {
  if constexpr (length > 0) throw Fault(std::string(length, '\n'));
  throw Fault("bodies 3 and 5\ncoincide \xff");
}

const std::map<std::string, Answer (*)(const Request&)> handlers = {
    {"honest", honest_answer},
    {"noisy", noisy},
    {"looks_around", looks_around},
    {"refuses", throws<std::runtime_error>},
    {"refuses_at_length", throws<std::runtime_error, 10000>},
    {"refuses_by_value", refuses_by_value},
    {"lacks_it", throws<Unsupported>},
    {"throws_number", [](const Request&) -> Answer { throw 42; }},
    {"forgets_state", [](const Request&) { return Answer{}; }},
    {"exits", [](const Request&) -> Answer { ::_exit(3); }},
    {"hangs", [](const Request&) -> Answer { wait_forever(); }},
    {"crashes", crashes},
    {"crashes_with_child", crashes_with_child},
    {"hangs_with_child", hangs_with_child},
    {"floods", floods},
    {"leaves_daemon", leaves_daemon},
};

// --- steps of a script --------------------------------------------------------------------------

using Words = std::vector<std::string>;

Words split(const std::string& text, char separator) {
  Words parts(1);
  for (const char letter : text) {
    if (letter == separator) parts.emplace_back();
    if (letter != separator) parts.back() += letter;
  }
  return parts;
}

// STEP~OLD~NEW replaces a text of the message, STEP~12 sends its first 12 bytes.
std::string changed(const std::string& message, const Words& step) {
  if (step.size() < 2) return message;
  return step.size() == 2 ? message.substr(0, std::stoul(step[1]))
                          : with(message, step[1], step[2]);
}

std::string answered;  // the last one

void answer(const Connection& to, const Words& step) {
  answered = format_answer(honest_answer(to.receive().value()));
  to.send(changed(answered, step));
}

// With the answer to the next request, which nobody asked, in one go.
void answer_ahead(const Connection& to, const Words&) {
  const std::string first = format_answer(honest_answer(to.receive().value()));
  to.send(first + with(first, "\"answer\":1", "\"answer\":2"));
}

void trickle(const Connection& to, const Words&) {
  for (const char byte : format_answer(honest_answer(to.receive().value()))) {
    to.send({&byte, 1});
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

const std::map<std::string, void (*)(const Connection&, const Words&)> steps = {
    {"hello", [](auto& to, auto& step) { to.send(changed(format_hello(honest_hello()), step)); }},
    {"receive", [](auto& from, auto&) { from.receive(); }},
    {"answer", answer},
    {"again", [](auto& to, auto&) { to.send(answered); }},
    {"answer ahead", answer_ahead},
    {"unasked",
     [](auto& to, auto&) {
       to.send(with(format_answer(honest_answer(small_request())), ":7,", ":1,"));
     }},
    {"trickle", trickle},
    {"send", [](auto& to, auto& step) { to.send(step.at(1)); }},
    {"say", [](auto&, auto& step) { std::fprintf(stderr, "%s", step.at(1).c_str()); }},
    {"listen no more", [](auto& to, auto&) { ::shutdown(to.number(), SHUT_RD); }},
    {"close", [](auto& to, auto&) { ::close(to.number()); }},
    {"rest", [](auto&, auto&) { ::usleep(50000); }},
    {"wait", [](auto&, auto&) { wait_forever(); }},
    {"exit", [](auto&, auto&) { ::_exit(4); }},
};

int run(const std::string& behaviour) {
  const auto handler = handlers.find(behaviour);
  if (handler != handlers.end()) return serve(honest_hello(), handler->second);
  const Connection connection;
  for (const std::string& step : split(behaviour, '|')) {
    const Words words = split(step, '~');
    if (steps.count(words[0]) == 0) {
      std::fprintf(stderr, "usage: fake_server --serve BEHAVIOUR\n");
      return 2;
    }
    steps.at(words[0])(connection, words);
  }
  return 0;
}

}  // namespace
}  // namespace nbody::protocol

int main(int argc, char** argv) { return nbody::protocol::run(argc > 2 ? argv[2] : "honest"); }
