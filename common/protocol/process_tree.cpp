#include "protocol/process_tree.hpp"

#include <dirent.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>

#include "protocol/descriptor.hpp"

namespace nbody::protocol {
namespace {

// Faster forking defeats this.
constexpr int most_scans = 100;

}  // namespace

// "1234 (name, blanks and all) S parent group session ...", and the start as the 22nd word.
bool read_process(pid_t number, Process& process) {
  std::ifstream file("/proc/" + std::to_string(number) + "/stat");
  std::string line;
  std::getline(file, line);
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string::npos) return false;
  process.number = number;
  return std::sscanf(line.c_str() + name_end + 1,
                     " %*c %d %*d %d %*d %*d %*u %*u %*u %*u %*u %*u %*u"
                     " %*d %*d %*d %*d %*d %*d %llu",
                     &process.parent, &process.session, &process.start) == 3;
}

namespace {

// Names in a folder of /proc; none if it is gone.
std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> names;
  DIR* opened = ::opendir(folder.c_str());
  if (opened == nullptr) return names;
  while (const dirent* entry = ::readdir(opened)) {
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
  }
  ::closedir(opened);
  return names;
}

std::vector<Process> all_processes() {
  std::vector<Process> all;
  for (const std::string& name : names_in("/proc")) {
    const pid_t number = std::atoi(name.c_str());
    Process process{};
    if (number > 0 && read_process(number, process)) all.push_back(process);
  }
  return all;
}

std::vector<Process> found_below(pid_t root) {
  const std::vector<Process> all = all_processes();
  std::vector<Process> family = {{root, 0, 0, 0}};
  for (std::size_t k = 0; k < family.size(); ++k) {
    const pid_t parent = family[k].number;
    std::copy_if(all.begin(), all.end(), std::back_inserter(family),
                 [&](const Process& process) { return process.parent == parent; });
  }
  family.erase(family.begin());
  return family;
}

// Refers to the process as long as it is open, even if its number is given to another one. Not open
// where the kernel is older than 5.3.
Descriptor descriptor_of([[maybe_unused]] pid_t process) {
#ifdef SYS_pidfd_open
  return Descriptor(static_cast<int>(::syscall(SYS_pidfd_open, process, 0)));
#else
  return Descriptor();
#endif
}

std::string folder_of(pid_t process) { return "/proc/" + std::to_string(process); }

// As the kernel lists them, thread by thread: cheaper than looking at all processes, but one that
// starts or ends meanwhile can hide another, so signals do not rely on it.
void add_children(pid_t process, std::vector<pid_t>& family) {
  const std::string threads = folder_of(process) + "/task/";
  for (const std::string& thread : names_in(threads)) {
    std::ifstream file(threads + thread + "/children");
    for (pid_t child = 0; file >> child;) {
      // A process that changes its parent meanwhile may be seen twice.
      if (std::find(family.begin(), family.end(), child) == family.end()) family.push_back(child);
    }
  }
}

bool children_are_listed() {
  static const bool listed = ::access("/proc/thread-self/children", R_OK) == 0;
  return listed;
}

std::vector<pid_t> family_of(pid_t root) {
  std::vector<pid_t> family = {root};
  if (children_are_listed()) {
    for (std::size_t k = 0; k < family.size(); ++k) add_children(family[k], family);
  } else {
    const std::vector<pid_t> below = descendants_of(root);
    family.insert(family.end(), below.begin(), below.end());
  }
  return family;
}

double cpu_seconds_of(pid_t process) {
  clockid_t clock = 0;
  timespec time{};
  if (::clock_getcpuclockid(process, &clock) != 0) return 0;
  if (::clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

bool has_renounced_privileges(pid_t process) {
  std::ifstream file(folder_of(process) + "/status");
  std::string line;
  while (std::getline(file, line)) {
    if (line.starts_with("NoNewPrivs:")) return line.ends_with("1");
  }
  return false;
}

// Where this process renounced privileges, too, nothing tells its children apart.
bool was_adopted(const Process& process, bool (*is_running)(pid_t)) {
  if (process.parent != ::getpid() || process.session == ::getsid(0)) return false;
  if (is_running(process.number)) return false;
  const bool tells = !has_renounced_privileges(::getpid());
  return !(tells && !has_renounced_privileges(process.number));
}

ThreadTimes thread_times_of(pid_t process) {
  ThreadTimes sum;
  const std::string threads = folder_of(process) + "/task/";
  for (const std::string& thread : names_in(threads)) {
    // Nanoseconds on a core, nanoseconds in the queue for one, times it was given one.
    std::ifstream file(threads + thread + "/schedstat");
    double ran = 0, waited = 0;
    if (file >> ran >> waited) sum += {1e-9 * ran, 1e-9 * waited};
  }
  return sum;
}

std::size_t memory_of(pid_t process) {
  std::ifstream file(folder_of(process) + "/statm");
  std::size_t pages_in_all = 0, resident = 0;
  file >> pages_in_all >> resident;
  return resident * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

template <typename Number>
Number sum_over_tree(pid_t root, Number (*of)(pid_t)) {
  Number sum{};
  for (const pid_t process : family_of(root)) sum += of(process);
  return sum;
}

}  // namespace

void signal_process(const Process& found, int signal) {
  const Descriptor process = descriptor_of(found.number);
  Process now{};
  if (!read_process(found.number, now) || now.start != found.start) return;
#ifdef SYS_pidfd_send_signal
  if (process.is_open()) {
    ::syscall(SYS_pidfd_send_signal, process.number(), signal, nullptr, 0);
    return;
  }
#endif
  ::kill(found.number, signal);
}

double cpu_seconds_of_tree(pid_t root) { return sum_over_tree(root, cpu_seconds_of); }
ThreadTimes thread_times_of_tree(pid_t root) { return sum_over_tree(root, thread_times_of); }
std::size_t memory_of_tree(pid_t root) { return sum_over_tree(root, memory_of); }

std::vector<pid_t> descendants_of(pid_t root) {
  std::vector<pid_t> family;
  for (const Process& process : found_below(root)) family.push_back(process.number);
  return family;
}

void signal_tree(pid_t root, int signal) {
  std::vector<pid_t> signalled;
  bool more = true;
  for (int scan = 0; more && scan < most_scans; ++scan) {
    more = false;
    std::vector<Process> family = found_below(root);
    if (Process self{}; read_process(root, self)) family.push_back(self);
    for (const Process& process : family) {
      if (std::find(signalled.begin(), signalled.end(), process.number) != signalled.end())
        continue;
      signal_process(process, signal);
      signalled.push_back(process.number);
      more = true;
    }
  }
}

void adopt_orphans() { ::prctl(PR_SET_CHILD_SUBREAPER, 1); }

void renounce_privileges() { ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

double cpu_seconds_of_adopted(bool (*is_running)(pid_t)) {
  double sum = 0;
  std::vector<pid_t> children;
  if (children_are_listed()) add_children(::getpid(), children);
  for (const pid_t child : children) {
    Process process{};
    const bool counts = read_process(child, process) && was_adopted(process, is_running);
    if (counts) sum += cpu_seconds_of_tree(child);
  }
  return sum;
}

void signal_adopted(bool (*is_running)(pid_t), int signal) {
  bool more = true;
  for (int scan = 0; more && scan < most_scans; ++scan) {
    more = false;
    for (const Process& process : all_processes()) {
      if (!was_adopted(process, is_running)) continue;
      signal_tree(process.number, signal);
      if (signal == SIGKILL) more = ::waitpid(process.number, nullptr, 0) > 0 || more;
    }
  }
}

}  // namespace nbody::protocol
