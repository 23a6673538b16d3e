#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace nbody::machine {

// What the system reports about itself; no measurement. 0 or empty: not reported.
struct MachineFacts {
  std::string cpu;
  std::string system;  // "Debian GNU/Linux 12 (bookworm), Linux 6.1.0"
  std::string compiler;
  unsigned cores = 0;             // that this process may use; two threads of a core count once
  unsigned hardware_threads = 0;  // that this process may use
  double processor_quota = 0;     // a container's limit in processors; 0: none
  std::size_t l1d = 0, l2 = 0, l3 = 0;  // bytes of one
  unsigned l3_caches = 0;               // that the usable cores have together
  std::vector<std::string> simd;        // "sse2", "avx2", ...
  bool virtual_machine = false;
};

MachineFacts machine_facts();

// One hardware thread of each core that this process may use.
std::vector<int> one_cpu_of_each_core();

// Bytes that a program may take without evicting others.
std::size_t free_memory();

}  // namespace nbody::machine
