#include "view/interrupt.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstddef>

namespace nbody::view {
namespace {

std::atomic<const char*> file = nullptr;
std::atomic<pid_t> writer = -1;
std::atomic<bool> on_terminal = false;  // because the line already shows ^C or the progress

// Only functions that are safe in a signal handler.
void leave(int signal) {
  constexpr char said[] = "\nview: interrupted\n";
  const std::size_t begin = on_terminal ? 0 : 1;
  if (::write(STDERR_FILENO, said + begin, sizeof said - 1 - begin) < 0) {
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
  on_terminal = ::isatty(STDERR_FILENO) != 0;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, leave);
}

void half_written(const char* name, pid_t process) {
  writer = process;
  file = name;
}

}  // namespace nbody::view
