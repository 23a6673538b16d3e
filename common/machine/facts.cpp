#include "machine/facts.hpp"

#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "machine/machine.hpp"

namespace nbody {
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

// Hardware threads of one core name the same siblings.
unsigned cores_of(const std::vector<int>& cpus) {
  std::set<std::string> cores;
  for (const int cpu : cpus) {
    const std::string siblings = first_line(cpu_folder(cpu) + "/topology/thread_siblings_list");
    cores.insert(siblings.empty() ? std::to_string(cpu) : siblings);
  }
  return static_cast<unsigned>(cores.size());
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

std::size_t cache_size(int cpu, const std::string& level, int question) {
  for (int index = 0; index < 8; ++index) {
    const std::string folder = cpu_folder(cpu) + "/cache/index" + std::to_string(index) + "/";
    if (first_line(folder + "level") != level || first_line(folder + "type") == "Instruction") {
      continue;
    }
    const std::size_t size = size_from(first_line(folder + "size"));
    if (size > 0) return size;
  }
  const long size = sysconf(question);
  return size > 0 ? static_cast<std::size_t>(size) : 0;
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
  facts.cores = cores_of(cpus);
  facts.processor_quota = quota();
  const int cpu = cpus.empty() ? 0 : cpus.front();
  facts.l1d = cache_size(cpu, "1", _SC_LEVEL1_DCACHE_SIZE);
  facts.l2 = cache_size(cpu, "2", _SC_LEVEL2_CACHE_SIZE);
  facts.l3 = cache_size(cpu, "3", _SC_LEVEL3_CACHE_SIZE);
  std::string missing;
  for (const char* set : {"sse2", "sse4_2", "avx", "avx2", "fma", "avx512f", "avx512dq", "avx512bw",
                          "avx512vl", "asimd", "sve"}) {
    if (machine_has(set, missing)) facts.simd.push_back(set);
  }
  facts.virtual_machine = machine_has("hypervisor", missing);
  return facts;
}

}  // namespace nbody
