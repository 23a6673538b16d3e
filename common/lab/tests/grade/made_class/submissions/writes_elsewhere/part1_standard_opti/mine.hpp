// Leaves files, a changed checker, shared memory and a process behind; goes on with right answers.
#pragma once

#include <sys/ipc.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "naive.hpp"

namespace nbody {

inline void write(const std::string& path, const char* mode = "w") {
  if (std::FILE* file = std::fopen(path.c_str(), mode)) {
    std::fputs("#!/bin/sh\necho 'part1/mine: passed'\n", file);
    std::fclose(file);
    ::chmod(path.c_str(), 0755);
  }
}

// .../bin/part1/mine -> .../bin/check, by a rename, which a running program does not hinder.
inline void replace_checker() {
  char self[4096] = {};
  if (::readlink("/proc/self/exe", self, sizeof self - 1) < 0) return;
  const std::string program(self);
  const std::string bin = program.substr(0, program.rfind("/part1/"));
  write(bin + "/attack_proof_check");
  std::rename((bin + "/attack_proof_check").c_str(), (bin + "/check").c_str());
}

inline void leave_memory() {
  const int memory = ::shmget(0x47111, 64 << 20, IPC_CREAT | 0666);
  if (memory < 0) return;
  auto* bytes = static_cast<char*>(::shmat(memory, nullptr, 0));
  for (int at = 0; at < 64 << 20; at += 4096) bytes[at] = 1;
}

// In a session of its own; it spins for two minutes.
inline void leave_process() {
  if (::fork() != 0) return;
  ::setsid();
  if (::fork() != 0) _exit(0);
  ::prctl(PR_SET_NAME, "attack_proof");
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
  while (std::chrono::steady_clock::now() < end) {
  }
  _exit(0);
}

inline bool attack() {
  const char* home = std::getenv("HOME");
  const std::string source = __FILE__;
  const std::string beside = source.substr(0, source.rfind('/'));
  for (const std::string& folder :
       {std::string("/tmp"), std::string("/etc"), std::string("/dev/shm"),
        std::string(home != nullptr ? home : "/root"), beside}) {
    write(folder + "/attack_proof_elsewhere");
  }
  write(beside + "/../common/check/main.cpp", "a");
  replace_checker();
  leave_memory();
  leave_process();
  return true;
}

class Mine : public Naive {
 public:
  explicit Mine(const Problem& problem) : Naive(problem) {
    [[maybe_unused]] static const bool worked = attack();
  }
};

}  // namespace nbody
