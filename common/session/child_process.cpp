#include "session/child_process.hpp"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

namespace nbody {
namespace {

constexpr std::size_t max_printed = 65536;
constexpr rlim_t largest_file = rlim_t{1} << 30;  // a serving program has no reason to write

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
  ::open("/dev/null", O_RDONLY);                 // gets the smallest number that is free
  ::close_range(STDERR_FILENO + 1, ~0U, 0);      // an older kernel refuses
  ::setenv(socket_variable, socket.c_str(), 1);  // perhaps in place of one that was meant for us
  ::execv(arguments[0], arguments);
}

std::string ending_of(int status) {
  if (WIFEXITED(status)) return fmt::format("exited with status {}", WEXITSTATUS(status));
  const int signal = WTERMSIG(status);
  return fmt::format("killed by signal {} ({})", signal, ::strsignal(signal));
}

// --- all that a program has started

// Names in a folder of /proc that are numbers; none if it is gone.
std::vector<pid_t> numbers_in(const std::string& folder) {
  std::vector<pid_t> numbers;
  std::error_code gone;
  std::filesystem::directory_iterator entry(folder, gone);
  for (; !gone && entry != end(entry); entry.increment(gone)) {
    const pid_t number = std::atoi(entry->path().filename().c_str());
    if (number > 0) numbers.push_back(number);
  }
  return numbers;
}

// By session and parent, which stand in "1234 (name, blanks and all) S parent group session ...".
std::set<pid_t> processes_of(pid_t leader) {
  struct Process {
    pid_t number, parent = 0, session = 0;
  };
  std::vector<Process> all;
  for (const pid_t number : numbers_in("/proc")) {
    std::ifstream file(fmt::format("/proc/{}/stat", number));
    std::string line;
    std::getline(file, line);
    Process one{number};
    const char* after_name = line.c_str() + line.rfind(')') + 1;  // all of it without a name
    if (std::sscanf(after_name, " %*c %d %*d %d", &one.parent, &one.session) == 2) {
      all.push_back(one);
    }
  }
  std::set<pid_t> family = {leader};
  for (std::size_t before = 0; before < family.size();) {
    before = family.size();
    for (const Process& one : all) {
      if (one.session == leader || family.contains(one.parent)) family.insert(one.number);
    }
  }
  return family;
}

}  // namespace

void signal_all(pid_t leader, int signal) {
  std::set<pid_t> signalled;
  // Some may have started others before they were reached. Faster forking defeats this.
  for (int scan = 0; scan < 3; ++scan) {
    for (const pid_t process : processes_of(leader)) {
      if (signalled.insert(process).second) ::kill(process, signal);
    }
  }
}

ProcessNumbers numbers_of(pid_t leader) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  ProcessNumbers sum;
  for (const pid_t process : processes_of(leader)) {
    clockid_t clock = 0;
    timespec time{};
    if (::clock_getcpuclockid(process, &clock) == 0 && ::clock_gettime(clock, &time) == 0) {
      sum.cpu_seconds +=
          static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    }
    const std::string folder = fmt::format("/proc/{}/", process);
    for (const pid_t thread : numbers_in(folder + "task")) {
      // Nanoseconds on a core, nanoseconds in the queue for one, times it was given one.
      std::ifstream file(fmt::format("{}task/{}/schedstat", folder, thread));
      double ran = 0, waited = 0;
      file >> ran >> waited;
      sum.threads_ran += 1e-9 * ran;
      sum.threads_waited += 1e-9 * waited;
    }
    std::ifstream file(folder + "statm");
    std::size_t pages_in_all = 0, resident = 0;
    file >> pages_in_all >> resident;
    sum.memory += resident * page;
  }
  return sum;
}

ChildProcess::ChildProcess(std::vector<std::string> words, const std::string& socket)
    : output_(std::tmpfile(), std::fclose) {
  if (!output_) throw_system_error("cannot make a file for its output");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t parent = ::getpid();
  process_ = ::fork();
  if (process_ < 0) throw_system_error("cannot start another process");
  if (process_ > 0) return;
  exec_child(arguments.data(), socket, ::fileno(output_.get()), parent);
  ::dprintf(STDERR_FILENO, "cannot start %s: %s\n", arguments[0], ::strerror(errno));
  ::_exit(127);
}

std::string ChildProcess::printed() const {
  std::string bytes(max_printed, '\0');
  const ssize_t count = ::pread(::fileno(output_.get()), bytes.data(), bytes.size(), 0);
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
