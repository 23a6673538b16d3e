#pragma once

#include <string>
#include <vector>

#include "check/diagnosis.hpp"
#include "check/rerun.hpp"
#include "core/conserved.hpp"

namespace nbody::check {

// What a wrong answer shows by itself: which accelerations were computed, or moved the bodies in
// the first wrong step.
struct Seen {
  Seen(const Failure& failure, const Tolerance& tolerance);

  const Case& test;
  const Answer& answer;
  const Tolerance& tolerance;

  Bodies<double> bodies;     // before that step, or as sent
  Reference reference = {};  // of all of them, there
  Vectors<double> got = {};  // accelerations; none of steps in one go, or by a scheme
  double fit = 0;            // relative to the sum of all pulls: up to here, they are the same
  std::vector<std::size_t> wrong = {};  // the bodies whose accelerations, or places, are wrong

  State before = {}, after = {};  // of the first wrong step, or of all in one go
  std::size_t step = 0;           // its number, from 1 on; 0: none
  double expected = 0;            // its length
  double length() const { return after.time - before.time; }
  bool right_length() const;
  bool has_forces() const { return got.size() > 0; }
  // Was the first wrong step the one to this state?
  bool stepped_to(const State& state, double dt) const;
  Shown shown() const;
};

// The numbers that the answer proposes for a row: whether one is right is decided by a run with it.
std::vector<double> numbers_of(Number number, const Seen& seen);

// What can be said of the answer itself, where no row explains it.
struct Fact {
  Cause cause;
  bool says_where = false;  // to look, not what is wrong: only if nothing else fits
};
std::vector<Fact> facts_of(const Seen& seen);

// Which bodies are NaN or infinite, and what that may come from.
Cause about_not_finite(const Seen& seen);

// Eq. 7 of body i for a distance to its neighbour.
double step_of(const Bodies<double>& bodies, const Vectors<double>& acceleration, std::size_t i,
               double distance);
// a_ij: what body j does to body i.
Vector pull_of(const Bodies<double>& bodies, const Setting& setting, std::size_t i, std::size_t j);

}  // namespace nbody::check
