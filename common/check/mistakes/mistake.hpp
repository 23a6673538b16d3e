#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/bodies.hpp"

namespace nbody::check {

// What the number of a row is: that decides how a wrong answer proposes it (numbers.cpp) and how a
// sentence shows it.
enum class Number {
  none,
  width,        // of a loop, a tile or a block, in bodies
  factor,       // of all forces
  added,        // to r^2, working units
  axes,         // for x, y, z in base 7: 0, x, y, z, -x, -y, -z
  share,        // of the way to the nearest neighbour
  longest_step  // working units
};

// Of n bodies, those in whole batches; below one batch nothing is lost.
inline std::size_t whole_batches(std::size_t n, double width) {
  const auto w = static_cast<std::size_t>(width);
  return n < w ? n : n / w * w;
}

// Body j pulls body i: the input of a wrong formula. Working units, as the simulator sees them.
struct Pull {
  std::size_t i, j, n;
  double distance2;  // |r_j - r_i|^2, without softening
  double softening;  // eps
  double mass_i, mass_j;
  const double* masses;  // of all
  bool in_float;         // the program's number type
  double x;              // the row's number

  double r2() const { return distance2 + softening * softening; }
  std::size_t width() const { return static_cast<std::size_t>(x); }
  std::size_t whole() const { return whole_batches(n, x); }
};

// v' = v + kick a dt and q' = q + drift v dt + push a dt^2/2: Eq. 4 and 5 when all are 1.
struct StepFactors {
  double kick = 1, drift = 1, push = 1;
  // Additional powers of dt, in working units, beside those of Eq. 4 and 5.
  int kick_dt = 0, drift_dt = 0, push_dt = 0;
  bool operator==(const StepFactors&) const = default;

  // These factors as plain numbers, for a dt in working units.
  StepFactors at(double dt) const {
    return {kick * std::pow(dt, kick_dt), drift * std::pow(dt, drift_dt),
            push * std::pow(dt, push_dt)};
  }
};

// One thing that the wrong program does, beside wrong formulas.
enum class Fault {
  none,
  // Forces
  meets_itself,               // the sum has no test for i == j
  meets_itself_guarded,       // and adds to r^2 there what in float is 0
  padding_has_mass,           // bodies at the origin, up to whole multiples of the width
  sources_of_the_first_step,  // a body's sources are taken to be where they were
  moves_bodies,               // computing accelerations moves the bodies
  only_in_steps,              // the factor: accelerations that are asked for are right
  // Which accelerations a step moves the bodies with
  accelerations_of_the_first_step,
  accelerations_of_the_step_before,
  accelerations_summed_over_steps,
  // The dt by which a step moves the bodies; the time it returns is right
  dt_of_the_step_before,
  // What is not moved
  rest_stays,   // bodies without velocity
  bodies_stay,  // behind the last whole batch
  // The time that is returned
  reports_fixed_steps,  // is steps times the fixed dt
  adds_time_in_float,   // of fixed steps
  // Eq. 7
  never_adaptive,  // the fixed step is used
  other_share,     // of the way to the nearest neighbour
  step_of_body_0,  // not the smallest of all
  softened,        // the neighbour's distance is sqrt(r^2 + eps^2)
  counts_itself,   // a body is its own nearest neighbour
  relative_speed,  // of the body to its neighbour
  textbook_root,   // the root of Eq. 6 that cancels
  neighbours_after,
  neighbours_before,
  neighbours_but_the_last,
  neighbours_of_the_first_step,
  search_ends,         // behind the last whole batch
  longest_step,        // the row's number
  never_grows,         // never longer than the step before
  cut_at_fixed,        // never longer than the fixed step
  floor_for_fixed,     // the floor holds for fixed steps, too
  below_floor,         // the floor is ignored
  first_step_for_all,  // of an own advance()
  step_before_accelerations
};

// A step goes by other forces than are answered when they are asked for.
inline constexpr const char* other_accelerations = "other_accelerations";

// What a row says: its name, what the student's code contains, and the sentence; {}: the number.
struct Words {
  const char *name, *code, *says;
};

// What its program does; everything not set is right.
struct Effect {
  Number number = Number::none;
  double x = 8;  // the number of the program; a diagnosis puts in what the answer proposes
  // The name of the cause, where it is another one: of a kind with several rows, or of what
  // explains the answers instead of this row. Then `says` is a part of the sentence.
  const char* cause = nullptr;
  bool only_a_program = false;  // no diagnosis: others explain it

  double (*factor)(const Pull& pull) = nullptr;  // a_i = sum over j of factor a_ij
  void (*answer)(Vectors<double>& accelerations, double x) = nullptr;
  StepFactors scheme = {};
  double kick = 1, drift = 1;  // of other integrators: v += kick a dt, q += drift v dt
  std::uint64_t (*steps)(std::uint64_t asked) = nullptr;  // how many are made
  bool adds_up_its_steps = false;  // the time is that of the steps made, not of those asked for
  Fault fault = Fault::none;
};

// One mistake. The row defines the wrong program (`wrong --mistake NAME`), the diagnosis of answers
// that are the program's, the test that it is recognised, and a line in docs/mistakes.md.
struct Mistake : Words, Effect {
  bool does(Fault what) const { return fault == what; }
  const char* seen_as() const { return cause != nullptr ? cause : name; }
};

// With its number in words.
std::string sentence_of(const Mistake& mistake);

// In the order that the checker tries them.
const std::vector<Mistake>& mistakes();

// Null if there is none of that name.
const Mistake* mistake_named(std::string_view name);

// The table of docs/mistakes.md.
std::string markdown_table();

}  // namespace nbody::check
