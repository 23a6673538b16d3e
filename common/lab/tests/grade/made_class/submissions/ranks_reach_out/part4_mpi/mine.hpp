// Every rank writes into shared folders, makes shared memory and connects to port 47111.
#pragma once

#include <arpa/inet.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>

#include "naive.hpp"

namespace nbody {

// Every rank: MPI has already begun, so loopback and shared memory work.
inline bool attack() {
  for (const char* name : {"/dev/shm/attack_proof_rank", "/tmp/attack_proof_rank"}) {
    if (std::FILE* file = std::fopen(name, "w")) std::fclose(file);
  }
  if (::shmget(0x47111, 4096, IPC_CREAT | 0600) < 0) return true;
  const int line = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in there{};
  there.sin_family = AF_INET;
  there.sin_port = htons(47111);
  there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return ::connect(line, reinterpret_cast<sockaddr*>(&there), sizeof there) == 0;
}

class Mine : public Naive {
 public:
  explicit Mine(const Problem& problem) : Naive(problem) {
    [[maybe_unused]] static const bool worked = attack();
  }
};

}  // namespace nbody
