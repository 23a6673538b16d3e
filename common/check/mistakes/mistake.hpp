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
  width,         // of a loop, a tile or a block, in bodies
  factor,        // of all forces
  added,         // to r^2, working units
  distance,      // working units
  mass,          // working units
  pair,          // i n + j: body i does not feel body j; negative, less 1: nor j i
  source,        // the index of one body
  source_index,  // the first body that is lost as a source
  target_index,  // ... that feels nothing
  moved_index,   // ... that keeps its place or velocity
  search_index,  // ... that the search for the smallest step leaves out
  axes,          // 343 times the first body, and for x, y, z in base 7: 0, x, y, z, -x, -y, -z
  keep,          // the factor of all velocities in a step
  share,         // of the way to the nearest neighbour
  longest_step,  // working units
  steps          // that are made
};

inline constexpr std::size_t widths[] = {2, 4, 8, 16, 32, 64, 128, 256};

// The end that an index as a row's number stands for: itself, or, negative, the last multiple of so
// many; below one multiple nothing is lost.
inline std::size_t end_of(double x, std::size_t n) {
  if (x >= 0) return static_cast<std::size_t>(x);
  const auto width = static_cast<std::size_t>(-x);
  return n < width ? n : n / width * width;
}

// Body j pulls body i: the input of a wrong formula. Working units, as the simulator sees them.
struct Pull {
  std::size_t i, j, n;
  double distance2;  // |r_j - r_i|^2, without softening
  double softening;  // eps
  double mass_i, mass_j, G;
  const double* masses;  // of all
  bool in_float;         // the program's number type
  double x;              // the row's number

  double r2() const { return distance2 + softening * softening; }
  std::size_t width() const { return static_cast<std::size_t>(x); }
  std::size_t end() const { return end_of(x, n); }
};

// Which accelerations a step moves the bodies with.
enum class Accelerations { of_this_step, of_the_first_step, of_the_step_before, summed_over_steps };

// Where a body's sources are taken to be.
enum class Sources { of_this_step, of_the_first_step };

// What is not moved, from a body on.
enum class Stays { nothing, bodies, velocities, places };

// The dt by which a step moves the bodies; the time it returns is right.
enum class StepLength { of_this_step, of_the_first_step, of_the_step_before };

// v' = keep v + kick a dt and q' = q + drift v dt + push a dt^2/2: Eq. 4 and 5 when all are 1.
struct StepFactors {
  double kick = 1, drift = 1, push = 1, keep = 1;
  // Additional powers of dt, in working units, beside those of Eq. 4 and 5.
  int kick_dt = 0, drift_dt = 0, push_dt = 0;
  bool rest_stays = false;  // bodies without velocity are not moved
  bool operator==(const StepFactors&) const = default;

  // These factors as plain numbers, for a dt in working units.
  StepFactors at(double dt) const {
    return {.kick = kick * std::pow(dt, kick_dt),
            .drift = drift * std::pow(dt, drift_dt),
            .push = push * std::pow(dt, push_dt),
            .keep = keep};
  }
};

// What an own advance() does with many adaptive steps.
enum class AdaptiveLoop {
  right,
  first_step_for_all,
  first_accelerations_for_all,
  step_before_accelerations,
  floor_in_the_first_only,
  time_from_the_last,
  one_step_only,
  not_a_number_at_the_end
};

// Among which bodies the nearest neighbour is sought; or it, or its distance, is kept.
enum class Neighbours {
  all,
  after,
  before,
  all_but_the_last,
  those_of_the_first_step,
  distances_of_the_first_step,
  distances_of_the_step_before
};

// The adaptive step of Eq. 7.
struct AdaptiveStep {
  double share = 0.1;           // of the way to the nearest neighbour
  bool smallest = true;         // of all bodies; false: that of body 0
  bool softened = false;        // the neighbour's distance is sqrt(r^2 + eps^2)
  bool counts_itself = false;   // a body is its own nearest neighbour
  bool relative_speed = false;  // of the body to its neighbour
  double nearest_at_most = 0;   // working units: the search starts there; 0: at infinity
  bool textbook_root = false;   // the root of Eq. 6 that cancels
  bool never = false;           // the fixed step is used
  Neighbours neighbours = Neighbours::all;
  double at_most = 0;            // working units; 0: any step
  bool cut_at_fixed = false;     // never longer than the fixed step
  bool never_grows = false;      // never longer than the step before
  bool floor_for_fixed = false;  // the floor holds for fixed steps, too
  AdaptiveLoop loop = AdaptiveLoop::right;
  bool below_floor = false;  // the floor is ignored
  bool operator==(const AdaptiveStep&) const = default;
};

// One mistake. The row defines the wrong program (`wrong --mistake NAME`), the diagnosis of answers
// that are the program's, the test that it is recognised, and a line in docs/checking.md;
// everything not set is right.
struct Mistake {
  const char* name;
  const char* code;  // what the student's code contains
  const char* says;  // the sentence; {}: the number in words
  Number number = Number::none;
  double x = 8;  // the number of the program; a diagnosis puts in what the answer proposes
  // The name of the cause, where it is another one: of a kind with several rows, or of what
  // explains the answers instead of this row. Then `says` is a part of the sentence.
  const char* cause = nullptr;
  bool only_a_program = false;  // no diagnosis: others explain it

  // Forces: a_i = sum over j of factor a_ij; then what becomes of the accelerations.
  double (*factor)(const Pull& pull) = nullptr;
  bool meets_itself = false;   // the sum has no test for i == j
  double guard = 0;            // and this is added to r^2 there
  double mass_of_padding = 0;  // working units, at the origin, up to whole multiples of the width
  void (*answer)(Vectors<double>& accelerations, double x) = nullptr;
  bool only_in_steps = false;  // the factor; accelerations that are asked for are right
  bool moves_bodies = false;   // computing accelerations moves the bodies
  Sources sources = Sources::of_this_step;

  // Kicks and drifts, the building blocks of other integrators: v += kick a dt, q += drift v dt.
  double kick = 1, drift = 1;

  // Steps
  StepFactors scheme = {};
  Stays stays = Stays::nothing;  // from the body of the row's number on
  Accelerations accelerations = Accelerations::of_this_step;
  StepLength moves_by = StepLength::of_this_step;
  std::uint64_t (*steps)(std::uint64_t asked, double x) = nullptr;  // how many are made
  bool adds_up_its_steps = false;  // the time is that of the steps made, not of those asked for
  AdaptiveStep adaptive = {};
  bool search_ends = false;          // before the body of the row's number
  bool reports_fixed_steps = false;  // the time is steps times the fixed dt
  bool adds_time_in_float = false;   // of fixed steps

  const char* seen_as() const { return cause != nullptr ? cause : name; }
};

// The row with this number.
Mistake with_number(Mistake mistake, double x);

// The sentence for a request with n bodies and this many steps.
struct Shown {
  std::size_t n;
  std::uint64_t steps;
  double metre, kilogram;  // of a working unit
};
std::string sentence_of(const Mistake& mistake, const Shown& shown);

// In the order that the checker tries them.
const std::vector<Mistake>& mistakes();

// Null if there is none of that name.
const Mistake* mistake_named(std::string_view name);

// The table of docs/checking.md.
std::string markdown_table();

}  // namespace nbody::check
