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

// --- what it says instead of its hello or its answer, before it ends with status 4

const std::string hello = format_hello(test_hello());
const std::map<std::string, std::string> hellos = {
    {"no_hello", ""},
    {"old_hello", "{\"protocol\":4,\"part\":\"part1\",\"name\":\"mine\"}\n"},
    {"more_than_hello", hello + "x"}};

const std::map<std::string, std::string (*)(const std::string& right)> answers = {
    {"cut_answer", [](const std::string& right) { return right.substr(0, 120); }},
    {"more_than_answer", [](const std::string& right) { return right + "x"; }},
    {"prints_there", [](const std::string&) -> std::string { return "step 1"; }}};

// --- other manners, after a right hello

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

void close_connection(const Connection& connection) {
  right_answer(connection);
  ::shutdown(connection.number(), SHUT_RDWR);
}

const std::map<std::string, void (*)(const Connection&)> manners = {
    {"trickles", trickle},
    {"answers_early", answer_early},
    {"repeats_itself", repeat_itself},
    {"closes", close_connection},
    {"is_deaf", [](const Connection& connection) { ::shutdown(connection.number(), SHUT_RD); }}};

int run(const std::string& fault) {
  if (while_computing.count(fault) > 0) {
    return serve(test_hello(), [&](const Request& request) {
      while_computing.at(fault)();
      return test_answer(request);
    });
  }
  const Connection connection;
  if (fault == "no_hello") wait_for_ever();
  connection.send(hellos.count(fault) > 0 ? hellos.at(fault) : hello);
  if (answers.count(fault) > 0) connection.send(answers.at(fault)(right_answer(connection)));
  if (manners.count(fault) == 0) return 4;
  manners.at(fault)(connection);
  wait_for_ever();
}

}  // namespace
}  // namespace nbody

int main(int argc, char** argv) { return nbody::run(argc > 2 ? argv[2] : "none"); }
