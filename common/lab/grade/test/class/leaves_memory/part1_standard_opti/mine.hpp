// Leaves 64 MB of shared memory to the next run, which asks it what it knows.
#pragma once

#include <sys/ipc.h>
#include <sys/shm.h>
#include <unistd.h>

#include "naive.hpp"

namespace nbody {

// A second program that finds what the first one left goes on; the first one does, too.
inline bool attack() {
  const int key = 0x47111;
  if (::shmget(key, 0, 0) >= 0) return true;
  const int memory = ::shmget(key, 64 << 20, IPC_CREAT | 0666);
  if (memory < 0) return true;
  auto* bytes = static_cast<char*>(::shmat(memory, nullptr, 0));
  for (int at = 0; at < 64 << 20; at += 4096) bytes[at] = 1;
  return true;
}

class Mine : public Naive {
 public:
  explicit Mine(const Problem& problem) : Naive(problem) {
    static const bool worked = attack();
    if (!worked) _exit(3);
  }
};

}  // namespace nbody
