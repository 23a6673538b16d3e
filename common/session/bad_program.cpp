// A simulator program with a fault: bad_program --serve FAULT
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include "simulator/serve.hpp"
#include "simulator/test_messages.hpp"

namespace nbody {
namespace {

[[noreturn]] void wait_for_ever() {
  while (true) ::pause();
}

// --- while it computes an answer, which is right

// Its own child keeps the socket open after the crash.
void crash_with_child() {
  if (::fork() == 0) wait_for_ever();
  std::signal(SIGSEGV, SIG_DFL);  // a sanitizer would catch it
  std::raise(SIGSEGV);
}

// Once: a process without parent, which works. Prints its number.
void leave_child() {
  static bool left = false;
  if (std::exchange(left, true)) return;
  if (::fork() == 0) {
    if (::fork() != 0) ::_exit(0);
    std::fprintf(stderr, "%d\n", static_cast<int>(::getpid()));
    for (std::atomic<unsigned> turns = 0;;) ++turns;
  }
  ::wait(nullptr);
}

const std::map<std::string, std::function<void()>> while_computing = {
    {"none", [] { std::fprintf(stderr, "it computes\n"); }},
    {"leaves_child", leave_child},
    {"crashes_with_child", crash_with_child},
    {"exits", [] { ::_exit(3); }},
    {"hangs", wait_for_ever},
    {"refuses", [] { throw std::runtime_error("bodies 3 and 5\ncoincide \xff"); }},
    {"lacks_it", [] { throw Unsupported("no such integrator"); }}};

// --- after its hello

std::string right_answer(const Connection& connection) {
  const auto asked = connection.receive();
  if (!asked) ::_exit(0);
  return format_answer(test_answer(asked->request), asked->id);
}

void trickle(const Connection& connection) {
  for (const char byte : right_answer(connection)) {
    connection.send({&byte, 1});
    ::usleep(2000);
  }
}

// As soon as the request begins to come.
void answer_early(const Connection& connection) {
  char byte = 0;
  ::recv(connection.number(), &byte, 1, MSG_PEEK);
  connection.send(format_answer(test_answer(test_request()), 1));
}

void repeat_itself(const Connection& connection) {
  const std::string first = right_answer(connection);
  connection.send(first);
  right_answer(connection);
  connection.send(first);
}

void cut_answer(const Connection& connection) {
  connection.send(right_answer(connection).substr(0, 120));
  ::_exit(4);
}

void close_connection(const Connection& connection) {
  right_answer(connection);
  ::shutdown(connection.number(), SHUT_RDWR);
}

const std::map<std::string, void (*)(const Connection&)> manners = {
    {"no_hello", nullptr},
    {"old_hello", nullptr},
    {"trickles", trickle},
    {"answers_early", answer_early},
    {"repeats_itself", repeat_itself},
    {"cut_answer", cut_answer},
    {"more_than_answer", [](const Connection& to) { to.send(right_answer(to) + "x"); }},
    {"more_than_hello", [](const Connection&) {}},
    {"prints_there",
     [](const Connection& to) {
       right_answer(to);
       to.send("step 1");
     }},
    {"closes", close_connection}};

int run(const std::string& fault) {
  if (while_computing.contains(fault)) {
    return serve(test_hello(), [&](const Request& request) {
      while_computing.at(fault)();
      return test_answer(request);
    });
  }
  const Connection connection;
  if (fault == "old_hello")
    connection.send("{\"protocol\":5,\"part\":\"part1\",\"name\":\"mine\"}\n");
  if (const auto manner = manners.at(fault)) {
    connection.send(format_hello(test_hello()) + (fault == "more_than_hello" ? "x" : ""));
    manner(connection);
  }
  wait_for_ever();
}

}  // namespace
}  // namespace nbody

int main(int, char** argv) { return nbody::run(argv[2]); }
