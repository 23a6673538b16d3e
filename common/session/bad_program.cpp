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

// What it does while it computes an answer, which is right.
const std::map<std::string, std::function<void()>> while_computing = {
    {"none", [] { std::fprintf(stderr, "it computes\n"); }},
    {"leaves_child",  // once: a process without parent, which works; prints its number
     [] {
       static bool left = false;
       if (std::exchange(left, true)) return;
       if (::fork() == 0) {
         if (::fork() != 0) ::_exit(0);
         std::fprintf(stderr, "%d\n", static_cast<int>(::getpid()));
         for (std::atomic<unsigned> turns = 0;;) ++turns;
       }
       ::wait(nullptr);
     }},
    {"crashes_with_child",  // which keeps the socket open
     [] {
       if (::fork() == 0) wait_for_ever();
       std::signal(SIGSEGV, SIG_DFL);  // a sanitizer would catch it
       std::raise(SIGSEGV);
     }},
    {"hangs", wait_for_ever},
    {"refuses", [] { throw std::runtime_error("bodies 3 and 5\ncoincide \xff"); }},
    {"lacks_it", [] { throw Unsupported("no such integrator"); }}};

std::string right_answer(const Connection& connection) {
  const auto asked = connection.receive();
  if (!asked) ::_exit(0);
  return format_answer(test_answer(asked->request), asked->id);
}

// What it does after its hello; null: it says none.
const std::map<std::string, void (*)(const Connection&)> manners = {
    {"no_hello", nullptr},
    {"old_hello", nullptr},
    {"more_than_hello", [](const Connection&) {}},
    {"trickles",
     [](const Connection& to) {
       for (const char byte : right_answer(to)) {
         to.send({&byte, 1});
         ::usleep(2000);
       }
     }},
    {"answers_early",  // as soon as the request begins to come
     [](const Connection& to) {
       char byte = 0;
       ::recv(to.number(), &byte, 1, MSG_PEEK);
       to.send(format_answer(test_answer(test_request()), 1));
     }},
    {"repeats_itself",
     [](const Connection& to) {
       const std::string first = right_answer(to);
       to.send(first);
       right_answer(to);
       to.send(first);
     }},
    {"cut_answer",
     [](const Connection& to) {
       to.send(right_answer(to).substr(0, 120));
       ::_exit(4);
     }},
    {"more_than_answer", [](const Connection& to) { to.send(right_answer(to) + "x"); }},
    {"prints_there",
     [](const Connection& to) {
       right_answer(to);
       to.send("step 1");
     }},
    {"closes", [](const Connection& to) {
       right_answer(to);
       ::shutdown(to.number(), SHUT_RDWR);
     }}};

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
