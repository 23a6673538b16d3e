#include "session/processes.hpp"

#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace nbody {
namespace {

constexpr int most_scans = 100;  // faster forking defeats this

std::string folder_of(pid_t process) { return "/proc/" + std::to_string(process); }

// Names in a folder of /proc that are numbers; none if it is gone.
std::vector<pid_t> numbers_in(const std::string& folder) {
  std::vector<pid_t> numbers;
  DIR* opened = ::opendir(folder.c_str());
  if (opened == nullptr) return numbers;
  while (const dirent* entry = ::readdir(opened)) {
    if (const pid_t number = std::atoi(entry->d_name); number > 0) numbers.push_back(number);
  }
  ::closedir(opened);
  return numbers;
}

struct Process {
  pid_t number = 0, parent = 0, session = 0;
};

// "1234 (name, blanks and all) S parent group session ..."
bool read_process(pid_t number, Process& process) {
  std::ifstream file(folder_of(number) + "/stat");
  std::string line;
  std::getline(file, line);
  const std::size_t name_end = line.rfind(')');
  process.number = number;
  return name_end != std::string::npos && std::sscanf(line.c_str() + name_end + 1, " %*c %d %*d %d",
                                                      &process.parent, &process.session) == 2;
}

std::vector<pid_t> processes_of(pid_t leader) {
  std::vector<Process> others;
  for (const pid_t number : numbers_in("/proc")) {
    Process process;
    if (number != leader && read_process(number, process)) others.push_back(process);
  }
  std::vector<pid_t> family = {leader};
  const auto belongs = [&](const Process& process) {
    return process.session == leader ||
           std::find(family.begin(), family.end(), process.parent) != family.end();
  };
  while (true) {
    const auto one = std::find_if(others.begin(), others.end(), belongs);
    if (one == others.end()) return family;
    family.push_back(one->number);
    others.erase(one);
  }
}

}  // namespace

void signal_all(pid_t leader, int signal) {
  std::set<pid_t> signalled;
  std::size_t before = 0;
  for (int scan = 0; scan == 0 || (signalled.size() > before && scan < most_scans); ++scan) {
    before = signalled.size();
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
    const std::string threads = folder_of(process) + "/task/";
    for (const pid_t thread : numbers_in(threads)) {
      // Nanoseconds on a core, nanoseconds in the queue for one, times it was given one.
      std::ifstream file(threads + std::to_string(thread) + "/schedstat");
      double ran = 0, waited = 0;
      file >> ran >> waited;
      sum.threads_ran += 1e-9 * ran;
      sum.threads_waited += 1e-9 * waited;
    }
    std::ifstream file(folder_of(process) + "/statm");
    std::size_t pages_in_all = 0, resident = 0;
    file >> pages_in_all >> resident;
    sum.memory += resident * page;
  }
  return sum;
}

}  // namespace nbody
