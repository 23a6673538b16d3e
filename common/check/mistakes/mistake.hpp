#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/bodies.hpp"

namespace nbody::check {

// How many bodies a loop, tile or block takes at a time, where a mistake is about one.
inline constexpr std::size_t usual_width = 8;
inline constexpr std::size_t widths[] = {2, 4, 8, 16, 32, 64, 128, 256};

// Body j pulls body i: the input of a wrong formula. Working units, as the simulator sees them.
struct Pull {
  std::size_t i, j, n;
  double distance2;  // |r_j - r_i|^2, without softening
  double softening;  // eps
  double mass_i, mass_j, G;
  bool in_float;  // the program's number type
  std::size_t width = usual_width;

  double r2() const { return distance2 + softening * softening; }
};

// Which accelerations a step moves the bodies with.
enum class Accelerations { of_this_step, of_the_first_step, of_the_step_before, summed_over_steps };

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

// Among which bodies the nearest neighbour is sought; or it is sought once, and kept.
enum class Neighbours { all, after, before, all_but_the_last, those_of_the_first_step };

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

// One mistake. The row defines the wrong program (`wrong --mistake NAME`), the test that it is
// recognised, and a line in docs/checking.md; everything not set is right.
struct Mistake {
  const char* name;
  const char* code;  // what the student's code contains
  // The sentence for an answer that this wrong program would give.
  const char* diagnosis;
  // The mistake that a fitter finds here, with a number that the row cannot know; then `diagnosis`
  // is a part of its sentence.
  const char* fitted = nullptr;
  bool any_width = false;  // the checker tries all widths

  // Forces: a_i = sum over j of factor a_ij; then what becomes of the accelerations.
  double (*factor)(const Pull& pull) = nullptr;
  bool meets_itself = false;  // the sum has no test for i == j
  double guard = 0;           // and this is added to r^2 there
  void (*answer)(Vectors<double>& accelerations) = nullptr;
  bool only_in_steps = false;  // the factor; accelerations that are asked for are right
  bool moves_bodies = false;   // computing accelerations moves the bodies

  // Kicks and drifts, the building blocks of other integrators: v += kick a dt, q += drift v dt.
  double kick = 1, drift = 1;

  // Steps
  StepFactors scheme = {};
  Accelerations accelerations = Accelerations::of_this_step;
  StepLength moves_by = StepLength::of_this_step;
  std::uint64_t (*steps)(std::uint64_t asked) = nullptr;  // how many are made
  AdaptiveStep adaptive = {};
  bool reports_fixed_steps = false;  // the time is steps times the fixed dt
  bool adds_time_in_float = false;   // of fixed steps

  const char* seen_as() const { return fitted != nullptr ? fitted : name; }
};

// In the order that the checker tries them.
const std::vector<Mistake>& mistakes();

// Null if there is none of that name.
const Mistake* mistake_named(std::string_view name);

// The table of docs/checking.md.
std::string markdown_table();

}  // namespace nbody::check
