#include "machine/facts.hpp"

#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "machine/machine.hpp"

namespace nbody::machine {
namespace {

std::string first_line(const std::string& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  return line;
}

std::string cpu_folder(int cpu) { return "/sys/devices/system/cpu/cpu" + std::to_string(cpu); }

std::vector<int> usable_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> cpus;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) cpus.push_back(cpu);
  }
  return cpus;
}

// The first CPU of each group that lists the same siblings in `file`, such as threads of a core;
// all CPUs that list none.
std::vector<int> one_of_each(const std::vector<int>& cpus, const std::string& file) {
  std::set<std::string> seen;
  std::vector<int> firsts;
  for (const int cpu : cpus) {
    const std::string siblings = first_line(cpu_folder(cpu) + file);
    if (siblings.empty() || seen.insert(siblings).second) firsts.push_back(cpu);
  }
  return firsts;
}

// cgroup version 2: "200000 100000" is two processors, "max 100000" no limit; version 1: two files.
double quota() {
  double limit = 0, period = 0;
  std::ifstream both("/sys/fs/cgroup/cpu.max");
  if (both >> limit >> period && period > 0) return limit / period;
  std::ifstream("/sys/fs/cgroup/cpu/cpu.cfs_quota_us") >> limit;
  std::ifstream("/sys/fs/cgroup/cpu/cpu.cfs_period_us") >> period;
  return limit > 0 && period > 0 ? limit / period : 0;
}

// "48K" or "2M"
std::size_t size_from(const std::string& text) {
  std::size_t digits = text.find_first_not_of("0123456789");
  if (digits == 0 || text.empty()) return 0;
  const std::size_t number = std::stoul(text.substr(0, digits));
  if (digits == std::string::npos) return number;
  return text[digits] == 'K' ? number << 10 : text[digits] == 'M' ? number << 20 : number;
}

// The folder of this cache below that of the processor; empty if there is none.
std::string cache_folder(int cpu, const std::string& level) {
  for (int index = 0; index < 8; ++index) {
    const std::string folder = "/cache/index" + std::to_string(index) + "/";
    const std::string path = cpu_folder(cpu) + folder;
    if (first_line(path + "level") == level && first_line(path + "type") != "Instruction") {
      return folder;
    }
  }
  return "";
}

std::size_t cache_size(int cpu, const std::string& level, int question) {
  const std::string folder = cache_folder(cpu, level);
  const std::size_t size =
      folder.empty() ? 0 : size_from(first_line(cpu_folder(cpu) + folder + "size"));
  if (size > 0) return size;
  const long value = sysconf(question);
  return value > 0 ? static_cast<std::size_t>(value) : 0;
}

unsigned caches_of(const std::vector<int>& cpus, int cpu, const std::string& level) {
  const std::string folder = cache_folder(cpu, level);
  if (folder.empty()) return 1;
  return static_cast<unsigned>(one_of_each(cpus, folder + "shared_cpu_list").size());
}

// 0 if the file is empty or says "max".
std::size_t number_in(const std::string& file) {
  std::size_t number = 0;
  std::ifstream(file) >> number;
  return number;
}

std::string system_name() {
  utsname kernel{};
  uname(&kernel);
  const std::string name = std::string(kernel.sysname) + " " + kernel.release;
  std::ifstream file("/etc/os-release");
  const std::string key = "PRETTY_NAME=\"";
  for (std::string line; std::getline(file, line);) {
    if (line.rfind(key, 0) != 0 || line.size() <= key.size()) continue;
    return line.substr(key.size(), line.size() - key.size() - 1) + ", " + name;
  }
  return name;
}

}  // namespace

MachineFacts machine_facts() {
  MachineFacts facts;
  facts.cpu = cpu_name();
  facts.system = system_name();
  facts.compiler = compiler_name();
  const std::vector<int> cpus = usable_cpus();
  facts.hardware_threads = static_cast<unsigned>(cpus.size());
  facts.cores = static_cast<unsigned>(one_cpu_of_each_core().size());
  facts.processor_quota = quota();
  const int cpu = cpus.empty() ? 0 : cpus.front();
  facts.l1d = cache_size(cpu, "1", _SC_LEVEL1_DCACHE_SIZE);
  facts.l2 = cache_size(cpu, "2", _SC_LEVEL2_CACHE_SIZE);
  facts.l3 = cache_size(cpu, "3", _SC_LEVEL3_CACHE_SIZE);
  facts.l3_caches = facts.l3 > 0 ? caches_of(cpus, cpu, "3") : 0;
  for (const char* set : {"sse2", "sse4_2", "avx", "avx2", "fma", "avx512f", "avx512dq", "avx512bw",
                          "avx512vl", "asimd", "sve"}) {
    if (has_features(set)) facts.simd.push_back(set);
  }
  facts.virtual_machine = has_features("hypervisor");
  return facts;
}

std::vector<int> one_cpu_of_each_core() {
  return one_of_each(usable_cpus(), "/topology/thread_siblings_list");
}

std::size_t free_memory() {
  std::size_t free = 0;  // KiB
  std::ifstream file("/proc/meminfo");
  for (std::string word; file >> word;) {
    if (word == "MemAvailable:") file >> free;
  }
  free <<= 10;
  const std::size_t limit = number_in("/sys/fs/cgroup/memory.max");
  const std::size_t used = number_in("/sys/fs/cgroup/memory.current");
  return limit == 0 ? free : std::min(free, limit > used ? limit - used : 0);
}

}  // namespace nbody::machine
