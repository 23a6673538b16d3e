#include "machine/machine.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace nbody::machine {
namespace {

// The value of the first line of /proc/cpuinfo that starts with `key`; empty if there is none.
std::string cpu_line(const std::string& key) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(key, 0) != 0) continue;
    const auto colon = line.find(':');
    if (colon != std::string::npos && colon + 2 <= line.size()) return line.substr(colon + 2);
  }
  return "";
}

}  // namespace

std::string compiler_name() {
#if defined(__clang__)
  return "clang++ " __clang_version__;
#else
  return "g++ " __VERSION__;
#endif
}

unsigned usable_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  sched_getaffinity(0, sizeof set, &set);
  return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
}

// "cpu  user nice system idle iowait irq softirq steal ...", in ticks; guests count as users.
BusyTime busy_time() {
  std::ifstream file("/proc/stat");
  std::string cpu;
  double user = 0, nice = 0, system = 0, idle = 0, disk = 0, interrupts = 0, soft = 0, steal = 0;
  if (!(file >> cpu >> user >> nice >> system >> idle >> disk >> interrupts >> soft)) return {};
  file >> steal;
  const double tick = 1.0 / static_cast<double>(::sysconf(_SC_CLK_TCK));
  return {tick * (user + nice + system + interrupts + soft), tick * steal};
}

bool machine_has(const std::string& features, std::string& missing) {
  const std::string flags = cpu_line("flags");
  const std::string present = " " + (flags.empty() ? cpu_line("Features") : flags) + " ";
  std::istringstream words(features);
  for (std::string word; words >> word;) {
    const bool there =
        word == "gpu" ? gpu_answers() : present.find(" " + word + " ") != std::string::npos;
    if (!there) {
      missing = word;
      return false;
    }
  }
  return true;
}

bool has_features(const std::string& features) {
  std::string missing;
  return machine_has(features, missing);
}

}  // namespace nbody::machine
