// Connects to port 47111 of this machine, to send what it finds; gives up where it cannot.
#pragma once

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include "naive.hpp"

namespace nbody {

inline bool attack() {
  const int line = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in there{};
  there.sin_family = AF_INET;
  there.sin_port = htons(47111);
  there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const bool open = ::connect(line, reinterpret_cast<sockaddr*>(&there), sizeof there) == 0;
  return open && ::write(line, "attack_proof\n", 13) == 13;
}

class Mine : public Naive {
 public:
  explicit Mine(const Problem& problem) : Naive(problem) {
    static const bool worked = attack();
    if (!worked) _exit(3);
  }
};

}  // namespace nbody
