#include "view/interrupt.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>

namespace nbody::view {
namespace {

std::atomic<const char*> file = nullptr;
std::atomic<pid_t> writer = -1;

// Only what may be called in a handler.
void leave(int signal) {
  constexpr char said[] = "\nview: interrupted\n";
  if (::write(STDERR_FILENO, said, sizeof said - 1) < 0) {
  }
  if (writer > 0) {
    ::kill(writer, SIGKILL);
    ::waitpid(writer, nullptr, 0);
  }
  if (file != nullptr) ::unlink(file);
  ::_exit(128 + signal);
}

}  // namespace

void end_when_interrupted() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, leave);
}

void half_written(const char* name, pid_t process) {
  writer = process;
  file = name;
}

}  // namespace nbody::view
