// A simulator program with a fault: bad_program --serve FAULT
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
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

#include "simulator/serve.hpp"
#include "simulator/test_messages.hpp"

namespace nbody {
namespace {

[[noreturn]] void wait_for_ever() {
  while (true) ::pause();
}

// --- faults of one that serves: at its answer ---------------------------------------------------

[[noreturn]] void crash() {
  std::signal(SIGSEGV, SIG_DFL);  // a sanitizer would catch it
  std::raise(SIGSEGV);
  std::abort();
}

void print_much() {
  const std::string line(99, '!');
  for (int k = 0; k < 100000; ++k) std::fprintf(stderr, "%s\n", line.c_str());
}

// Nothing of the socket is left, not even its name, nor of other files.
void look_around() {
  struct stat status {};
  const bool strange = ::fstat(50, &status) == 0;
  if (std::getchar() != EOF || std::getenv(socket_variable) != nullptr || strange) ::_exit(5);
}

// A process without parent, which works. Prints its number.
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

const std::map<std::string, std::function<void()>> while_serving = {
    {"none", [] {}},
    {"prints", [] { std::puts("computing\nerror: none"), std::fflush(stdout); }},
    {"prints_much", print_much},
    {"looks_around", look_around},
    {"leaves_child", leave_child},
    {"crashes", crash},
    {"crashes_with_child",
     [] { ::fork() == 0 ? wait_for_ever() : crash(); }},  // which has the socket
    {"exits", [] { ::_exit(3); }},
    {"hangs", wait_for_ever},
    {"hangs_with_child", [] { ::fork(), wait_for_ever(); }},
    {"refuses", [] { throw std::runtime_error("bodies 3 and 5\ncoincide \xff"); }},
    {"refuses_at_length", [] { throw std::runtime_error(std::string(10000, 'x')); }},
    {"throws_number", [] { throw 42; }},
    {"lacks_it", [] { throw Unsupported("no such integrator"); }}};

// --- faults of one that does not serve: what it says --------------------------------------------

class Talk {
 public:
  void say(std::string_view bytes) const { write_fully(connection_, bytes); }
  void hello() const { say(format_hello(test_hello())); }
  // What would be right.
  std::string answer() const {
    const auto asked = receive_request(connection_);
    if (!asked) ::_exit(0);
    return format_answer(test_answer(asked->request), asked->id);
  }
  int socket() const { return connection_.number(); }

 private:
  Descriptor connection_ = connect_to_asker();
};

void trickle(const Talk& to) {
  for (const char byte : to.answer()) {
    to.say({&byte, 1});
    ::usleep(2000);
  }
}

const std::map<std::string, std::function<void(const Talk&)>> instead_of_serving = {
    {"says_nothing", [](auto&) {}},
    {"cannot_start",
     [](auto&) {
       std::fputs("no device: where is it?\nmore\n", stderr);
       ::_exit(4);
     }},
    {"old_hello",
     [](auto& to) { to.say("{\"protocol\":4,\"part\":\"part1\",\"name\":\"mine\"}\n"); }},
    {"very_old_hello", [](auto& to) { to.say("NBODYLAB\3"); }},
    {"cut_hello", [](auto& to) { to.say(format_hello(test_hello()).substr(0, 50)), ::_exit(4); }},
    {"more_than_hello", [](auto& to) { to.say(format_hello(test_hello()) + "x"); }},
    {"deaf", [](auto& to) { to.hello(), ::shutdown(to.socket(), SHUT_RD); }},
    {"deaf_and_ends",
     [](auto& to) { to.hello(), ::shutdown(to.socket(), SHUT_RD), ::usleep(50000), ::_exit(4); }},
    {"closes", [](auto& to) { to.hello(), to.answer(), ::close(to.socket()); }},
    {"cut_header", [](auto& to) { to.hello(), to.say(to.answer().substr(0, 5)), ::_exit(4); }},
    {"cut_answer", [](auto& to) { to.hello(), to.say(to.answer().substr(0, 120)), ::_exit(4); }},
    {"begins", [](auto& to) { to.hello(), to.answer(), to.say("{"); }},
    {"trickles", [](auto& to) { to.hello(), trickle(to); }},
    {"prints_there", [](auto& to) { to.hello(), to.answer(), to.say("step 1"); }},
    {"long_header",
     [](auto& to) { to.hello(), to.answer(), to.say("{" + std::string(40000, ' ')); }},
    {"other_id", [](auto& to) { to.hello(), to.say(with(to.answer(), ":1}", ":99}")); }},
    {"odd_refusal",
     [](auto& to) {
       to.hello(), to.answer(), to.say("{\"request\":1,\"refused\":\"no\",\"text\":\"\"}\n");
     }},
    {"too_much", [](auto& to) { to.hello(), to.say(to.answer() + "x"); }},
    {"unasked",
     [](auto& to) { to.hello(), to.say(format_answer(test_answer(test_request()), 1)); }},
    {"ahead",
     [](auto& to) {
       to.hello();
       const std::string first = to.answer();
       to.say(first + with(first, ":1}", ":2}"));
     }},
    {"again",
     [](auto& to) {
       to.hello();
       const std::string first = to.answer();
       to.say(first), to.answer(), to.say(first);
     }},
};

int run(const std::string& fault) {
  if (const auto found = while_serving.find(fault); found != while_serving.end()) {
    return serve(test_hello(), [&](const Request& request) {
      found->second();
      return test_answer(request);
    });
  }
  const Talk talk;
  instead_of_serving.at(fault)(talk);
  wait_for_ever();
}

}  // namespace
}  // namespace nbody

int main(int argc, char** argv) { return nbody::run(argc > 2 ? argv[2] : "none"); }
