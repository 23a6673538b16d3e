// Includes a file of the host and asks for the solutions: an error message would show both.
#pragma once

#include "naive.hpp"

#if __has_include("../solutions/README.md")
#error "attack_proof: the solutions are there"
#endif
#if __has_include("/etc/hostname") || __has_include("/root/.bashrc")
#error "attack_proof: there are files of the host"
#endif
#include "/etc/passwd"

namespace nbody {

class Mine : public Naive {
 public:
  using Naive::Naive;
};

}  // namespace nbody
