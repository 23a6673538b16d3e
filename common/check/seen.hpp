#pragma once

#include <vector>

#include "check/diagnosis.hpp"
#include "check/mistakes/mistake.hpp"
#include "core/conserved.hpp"

namespace nbody::check {

// What a wrong answer shows by itself, of the forces or of the first wrong step.
struct Seen {
  Seen(const Failure& failure, const Tolerance& tolerance);

  const Failure& failure;
  const Case& test;
  Reference reference = {};             // of all bodies, there
  std::vector<std::size_t> wrong = {};  // the bodies whose accelerations, or places, are wrong
  bool in_each_others_place = false;    // each of them has what another of them should have
  // Nearly all bodies from the first wrong one on are wrong, and only these. A heavy one among them
  // may be right by itself.
  bool is_a_tail = false;
  bool right_length = false;  // of the step
};

// a_ij: what body j does to body i.
Vector pull_of(const Bodies<double>& bodies, const Setting& setting, std::size_t i, std::size_t j);

// The numbers that the answer proposes for a row: whether one is right is decided by a run with it.
std::vector<double> numbers_of(Number number, const Seen& seen);

}  // namespace nbody::check
