#include "session/child_process.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "session/processes.hpp"

namespace nbody {
namespace {

constexpr std::size_t max_printed = 65536;
constexpr rlim_t largest_file = rlim_t{1} << 30;  // a serving program has no reason to write

// Its number is above 2, so that a duplicate onto a standard descriptor is another one: this
// process may run with 0, 1 or 2 closed.
Descriptor file_without_name() {
  std::FILE* const file = std::tmpfile();
  if (file == nullptr) throw_system_error("cannot make a file for its output");
  Descriptor descriptor(::fcntl(::fileno(file), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  std::fclose(file);
  if (!descriptor.is_open()) throw_system_error("cannot make a file for its output");
  return descriptor;
}

// After fork(): becomes the program. Returns if it cannot be run; errno says why.
void exec_child(char* const* arguments, const std::string& socket, int output, pid_t parent) {
  ::setsid();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  const rlimit no_core = {0, 0}, small_files = {largest_file, largest_file};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::setrlimit(RLIMIT_FSIZE, &small_files);
  if (::getppid() != parent) ::_exit(127);  // it died before the line above
  ::dup2(output, STDOUT_FILENO);
  ::dup2(output, STDERR_FILENO);
  ::close(STDIN_FILENO);
  ::open("/dev/null", O_RDONLY);  // gets the smallest number that is free
#ifdef SYS_close_range
  ::syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, 0);  // an older kernel refuses
#endif
  ::setenv(socket_variable, socket.c_str(), 1);  // perhaps in place of one that was meant for us
  ::execv(arguments[0], arguments);
}

std::string ending_of(int status) {
  if (WIFEXITED(status)) return fmt::format("exited with status {}", WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  return fmt::format("killed by signal {} ({})", signal, ::strsignal(signal));
}

}  // namespace

ChildProcess::ChildProcess(std::vector<std::string> words, const std::string& socket)
    : output_(file_without_name()) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t parent = ::getpid();
  process_ = ::fork();
  if (process_ < 0) throw_system_error("cannot start another process");
  if (process_ > 0) return;
  exec_child(arguments.data(), socket, output_.number(), parent);
  ::dprintf(STDERR_FILENO, "cannot start %s: %s\n", arguments[0], ::strerror(errno));
  ::_exit(127);
}

std::string ChildProcess::printed() const {
  std::string bytes(max_printed, '\0');
  const ssize_t count = ::pread(output_.number(), bytes.data(), bytes.size(), 0);
  bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(count, 0)));
  return bytes;
}

bool ChildProcess::has_ended() const {
  siginfo_t info{};
  if (process_ < 0) return true;
  // WNOWAIT leaves the process number taken, so that stop() can still kill the rest of its session.
  return ::waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == process_;
}

std::string ChildProcess::stop(Clock::time_point deadline) {
  if (process_ < 0) return ending_;
  while (!has_ended() && Clock::now() < deadline) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const bool ended = has_ended();
  signal_all(process_, SIGKILL);
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  ending_ = ended ? ending_of(status) : "was stopped";
  signal_ = ended && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return ending_;
}

}  // namespace nbody
