#include "protocol/child_process.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <spawn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <mutex>
#include <set>
#include <string_view>
#include <system_error>
#include <thread>

#include "protocol/process_tree.hpp"
#include "protocol/unix_socket.hpp"

namespace nbody::protocol {
namespace {

constexpr std::size_t max_diagnostics = 65536;
constexpr rlim_t largest_file = rlim_t{1} << 30;  // a serving program has no reason to write

// The running programs, to tell them from what they left behind.
std::mutex running_guard;
std::set<pid_t> running;

bool is_running(pid_t process) {
  const std::lock_guard<std::mutex> lock(running_guard);
  return running.count(process) > 0;
}

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Our environment, with the socket's name replacing one that was meant for us.
std::vector<std::string> environment_with(const std::string& socket) {
  const std::string setting = std::string(socket_variable) + "=";
  std::vector<std::string> words;
  for (char** word = environ; *word != nullptr; ++word) {
    if (!std::string_view(*word).starts_with(setting)) words.push_back(*word);
  }
  if (!socket.empty()) words.push_back(setting + socket);
  return words;
}

// Runs between fork() and exec() of a program that may have other threads: system calls only.
// Returns if the program cannot be run; errno says why.
void exec_child(char* const* arguments, char* const* environment,
                const std::array<int, 3>& standard, pid_t parent) {
  ::setsid();
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  renounce_privileges();
  const rlimit no_core = {0, 0}, small_files = {largest_file, largest_file};
  ::setrlimit(RLIMIT_CORE, &no_core);
  ::setrlimit(RLIMIT_FSIZE, &small_files);
  if (::getppid() != parent) ::_exit(127);  // it died before the line above
  for (int k = 0; k < 3; ++k) ::dup2(standard[k], k);
#ifdef SYS_close_range
  // Closes inherited descriptors, on exec(): `report` is needed until then. An older kernel
  // refuses.
  constexpr unsigned first = STDERR_FILENO + 1, on_exec = 4;
  ::syscall(SYS_close_range, first, ~0U, on_exec);
#endif
  // exec() would keep ignored signals ignored and blocked ones blocked.
  std::signal(SIGPIPE, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execve(arguments[0], arguments, environment);
}

int reap(pid_t process) {
  int status = 0;
  while (::waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  const std::lock_guard<std::mutex> lock(running_guard);
  running.erase(process);
  return status;
}

// The pipe closes by itself when exec() succeeds, else the child writes errno into it.
void throw_unless_running(const Descriptor& report, pid_t process) {
  const std::string bytes = read_up_to(report, sizeof(int));
  if (bytes.empty()) return;
  reap(process);
  int reason = 0;
  bytes.copy(reinterpret_cast<char*>(&reason), sizeof reason);
  errno = reason;
  throw_system_error("cannot start the program");
}

std::string ending_of(int status) {
  if (WIFEXITED(status)) return fmt::format("exited with status {}", WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  return fmt::format("killed by signal {} ({})", signal, ::strsignal(signal));
}

}  // namespace

ChildProcess::ChildProcess(std::vector<std::string> words, const std::string& socket) {
  std::vector<std::string> settings = environment_with(socket);
  const std::vector<char*> pointers = pointers_to(words), environment = pointers_to(settings);
  Pipe input = make_pipe(), output = make_pipe(), report = make_pipe();
  const std::array<int, 3> standard = {input.read_end.number(), output.write_end.number(),
                                       output.write_end.number()};
  const pid_t parent = ::getpid();

  adopt_orphans();
  std::unique_lock<std::mutex> lock(running_guard);
  const pid_t process = ::fork();
  if (process < 0) throw_system_error("cannot start another process");
  if (process == 0) {
    exec_child(pointers.data(), environment.data(), standard, parent);
    const int reason = errno;
    [[maybe_unused]] const auto written =
        ::write(report.write_end.number(), &reason, sizeof reason);
    ::_exit(127);
  }
  running.insert(process);
  lock.unlock();
  report.write_end.close();
  throw_unless_running(report.read_end, process);
  process_ = process;
  printed_ = std::move(output.read_end);
  ::fcntl(printed_.number(), F_SETFL, O_NONBLOCK);
}

void ChildProcess::drain() {
  std::array<char, 65536> bytes;
  if (!printed_.is_open()) return;
  const ssize_t count = ::read(printed_.number(), bytes.data(), bytes.size());
  if (count > 0) {
    const std::size_t room = max_diagnostics - diagnostics_.size();
    diagnostics_.append(bytes.data(), std::min(room, static_cast<std::size_t>(count)));
  } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
    printed_.close();
  }
}

void ChildProcess::pause() const {
  if (process_ < 0) return;
  signal_tree(process_, SIGSTOP);
  signal_adopted(is_running, SIGSTOP);
}

// Orphans are left as they are: no request needs them.
void ChildProcess::resume() const {
  if (process_ > 0) signal_tree(process_, SIGCONT);
}

double ChildProcess::cpu_seconds() const {
  return process_ < 0 ? 0 : cpu_seconds_of_tree(process_) + cpu_seconds_of_adopted(is_running);
}

ThreadTimes ChildProcess::thread_times() const {
  return process_ < 0 ? ThreadTimes{} : thread_times_of_tree(process_);
}

std::size_t ChildProcess::memory() const { return process_ < 0 ? 0 : memory_of_tree(process_); }

bool ChildProcess::has_ended() const {
  siginfo_t info{};
  if (process_ < 0) return true;
  // WNOWAIT leaves the process number taken, so that stop() can still kill the rest of its group.
  return ::waitid(P_PID, static_cast<id_t>(process_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == process_;
}

std::string ChildProcess::stop(Clock::time_point deadline) {
  if (process_ < 0) return ending_;
  while (!has_ended() && Clock::now() < deadline) {
    drain();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  const bool ended = has_ended();
  signal_tree(process_, SIGKILL);
  const int status = reap(process_);
  signal_adopted(is_running, SIGKILL);
  process_ = -1;
  ending_ = ended ? ending_of(status) : "was stopped";
  signal_ = ended && WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  // Twice: a full pipe, and what was written while it was emptied.
  drain();
  drain();
  printed_.close();
  return ending_;
}

int run_and_wait(const std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (const std::string& word : words) pointers.push_back(const_cast<char*>(word.c_str()));
  pointers.push_back(nullptr);
  pid_t process = 0;
  if (posix_spawnp(&process, pointers[0], nullptr, nullptr, pointers.data(), environ) != 0) {
    return 127;
  }
  int status = 0;
  while (waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) return 127;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace nbody::protocol
