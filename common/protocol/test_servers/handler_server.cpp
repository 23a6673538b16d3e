// A simulator program that serves properly, with handlers that do not all behave:
//   handler_server --serve [honest|noisy|...]
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>

#include "protocol/server.hpp"
#include "protocol/test_servers/honest_answer.hpp"
#include "protocol/unix_socket.hpp"

namespace nbody::protocol {
namespace {

using Handler = Answer (*)(const Request&);

Answer noisy(const Request& request) {
  std::printf("computing %zu bodies\n", request.bodies.size());
  std::fflush(stdout);
  std::cout << "still computing" << std::endl;
  if (::write(STDOUT_FILENO, "raw\n", 4) != 4) throw std::runtime_error("no standard output");
  return honest_answer(request);
}

Answer reads_input(const Request& request) {
  if (std::getchar() != EOF) throw std::runtime_error("standard input is not empty");
  return honest_answer(request);
}

Answer refuses(const Request&) { throw std::runtime_error("bodies 3 and 5\ncoincide"); }
Answer refuses_by_value(const Request&) {
  Answer answer;
  answer.error = "not today";
  return answer;
}
Answer throws_number(const Request&) { throw 42; }
Answer forgets_state(const Request&) { return {}; }
Answer exits(const Request&) { ::_exit(3); }

Answer crashes(const Request&) {
  std::signal(SIGSEGV, SIG_DFL);  // a sanitizer would catch it
  std::raise(SIGSEGV);
  return {};
}

Answer hangs(const Request&) {
  while (true) ::pause();
}

Answer hangs_with_child(const Request& request) {
  ::fork();
  return hangs(request);
}

Answer floods(const Request& request) {
  const std::string line(99, '!');
  for (int k = 0; k < 100000; ++k) std::fprintf(stderr, "%s\n", line.c_str());
  return honest_answer(request);
}

Answer wrong_values(const Request& request) {
  Answer answer = honest_answer(request);
  answer.states[0].position.x[0] = std::numeric_limits<double>::infinity();
  if (request.want_accelerations) answer.accelerations.y[0] = std::nan("");
  return answer;
}

// Once: starts a process with another parent and another session. Its number goes to standard
// error.
Answer leaves_daemon(const Request& request) {
  static bool left = false;
  if (!left && ::fork() == 0) {
    ::setsid();
    if (::fork() != 0) ::_exit(0);
    std::fprintf(stderr, "%d\n", static_cast<int>(::getpid()));
    while (true) ::pause();
  }
  if (!left) ::wait(nullptr);
  left = true;
  return honest_answer(request);
}

// Its own child keeps the pipes open after the crash.
Answer crashes_with_child(const Request& request) {
  if (::fork() == 0) hangs(request);
  return crashes(request);
}

// What the simulator sees of a socket: nothing, not even its name.
Answer shows_socket(const Request& request) {
  struct stat status {};
  ::fstat(STDIN_FILENO, &status);
  std::fprintf(stderr, "standard input is %s socket\n", S_ISSOCK(status.st_mode) ? "a" : "no");
  if (std::getenv(socket_variable) != nullptr) std::fprintf(stderr, "the name is still there\n");
  return honest_answer(request);
}

const std::map<std::string, Handler> handlers = {
    {"honest", honest_answer},
    {"noisy", noisy},
    {"reads_input", reads_input},
    {"refuses", refuses},
    {"refuses_by_value", refuses_by_value},
    {"throws_number", throws_number},
    {"forgets_state", forgets_state},
    {"exits", exits},
    {"crashes", crashes},
    {"hangs", hangs},
    {"hangs_with_child", hangs_with_child},
    {"floods", floods},
    {"wrong_values", wrong_values},
    {"crashes_with_child", crashes_with_child},
    {"leaves_daemon", leaves_daemon},
    {"shows_socket", shows_socket},
};

}  // namespace
}  // namespace nbody::protocol

int main(int argc, char** argv) {
  const auto handler = nbody::protocol::handlers.find(argc > 2 ? argv[2] : "honest");
  if (argc < 2 || std::string(argv[1]) != "--serve" || handler == nbody::protocol::handlers.end()) {
    std::fprintf(stderr, "usage: %s --serve [HANDLER]\n", argv[0]);
    return 2;
  }
  return nbody::protocol::serve(nbody::protocol::honest_hello(), handler->second);
}
