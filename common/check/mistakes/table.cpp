#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "check/mistakes/mistake.hpp"
#include "simulator/estimated_root.hpp"

namespace nbody::check {
namespace {

using enum Accelerations;

// --- formulas ----------------------------------------------------------------------------------

// d / r^p instead of d / r^3.
template <int p>
double power(const Pull& pull) {
  const double r = std::sqrt(pull.r2());
  double factor = 1;
  for (int k = p; k < 3; ++k) factor *= r;
  for (int k = 3; k < p; ++k) factor /= r;
  return factor;
}

double cubed(double x) { return x * x * x; }

// Another squared distance instead of r^2 + eps^2.
double with_r2(const Pull& pull, double r2) { return cubed(std::sqrt(pull.r2() / r2)); }

double rounded(const Pull& pull, double x) {
  return pull.in_float ? static_cast<double>(static_cast<float>(x)) : x;
}

// G m_i m_j, then a division by m_i; a mass in kilograms needs 80 more powers of two.
double force_first(const Pull& pull) {
  const double kilograms = std::ldexp(1, 80);
  const double own = rounded(pull, pull.mass_i * kilograms);
  const double product = rounded(pull, own * rounded(pull, pull.mass_j * kilograms));
  return rounded(pull, product / own) / kilograms / pull.mass_j;
}

// 1 / sqrt(r^6)
double distance_sixth(const Pull& pull) {
  const double r6 = rounded(pull, rounded(pull, pull.r2() * pull.r2()) * pull.r2());
  return cubed(std::sqrt(pull.r2())) / std::sqrt(r6);
}

double raw_root(const Pull& pull) {
  const double estimate = estimated_inverse_root(static_cast<float>(pull.r2()));
  return cubed(estimate * std::sqrt(pull.r2()));
}

// --- indices: how often body j is loaded --------------------------------------------------------

constexpr std::size_t tile = 64;

// Slot k of a tile holds the body of the tile's index, as in tiles[tile * 64 + tile].
double tile_index(const Pull& pull) {
  double times = 0;
  for (std::size_t t = 0; t * tile < pull.n; ++t) {
    const std::size_t loaded = std::min(t * tile + t, pull.n - 1);
    if (loaded == pull.j) times += static_cast<double>(std::min(tile, pull.n - t * tile));
  }
  return times;
}

// The first tile of sources is used for every tile.
double first_tile_again(const Pull& pull) {
  return pull.j < tile ? static_cast<double>((pull.n - pull.j + tile - 1) / tile) : 0;
}

bool is_one_pair(const Pull& pull) {
  return pull.n >= 17 && std::min(pull.i, pull.j) == pull.n / 3 &&
         std::max(pull.i, pull.j) == pull.n / 2;
}

// --- answers -------------------------------------------------------------------------------------

void fill(std::vector<double>& axis, double value) { std::fill(axis.begin(), axis.end(), value); }

void swap_two_bodies(Vectors<double>& a) {
  if (a.size() < 2) return;
  const std::size_t i = a.size() / 2;
  for (auto* axis : {&a.x, &a.y, &a.z}) std::swap((*axis)[i], (*axis)[i - 1]);
}

// The table, in reading order: forces from the likeliest formula to the oddest index, then steps.
const Mistake rows[] = {
    // A wrong formula: the checker tries each.
    {.name = "softening_ignored",
     .code = "eps^2 is not added",
     .diagnosis = "softening is ignored: eps^2 belongs under the root",
     .factor = [](const Pull& p) { return with_r2(p, p.distance2); }},
    {.name = "small_softening_ignored",
     .code = "`if (eps2 < limit)` takes the loop without softening",
     .diagnosis = "softening is ignored where it is small",
     .fitted = "small_softening",
     .factor =
         [](const Pull& p) {
           const bool small = p.softening * p.softening < 1e-4;
           return small ? with_r2(p, p.distance2) : 1;
         }},
    {.name = "softening_not_squared",
     .code = "`r2 + eps` for `r2 + eps * eps`",
     .diagnosis = "softening: eps is added to the squared distance instead of eps^2",
     .factor = [](const Pull& p) { return with_r2(p, p.distance2 + p.softening); }},
    {.name = "softening_added_to_distance",
     .code = "`r + eps` for `sqrt(r2 + eps * eps)`",
     .diagnosis = "softening: eps is added to the distance; eps^2 belongs under the root",
     .factor =
         [](const Pull& p) {
           const double r = std::sqrt(p.distance2) + p.softening;
           return with_r2(p, r * r);
         }},
    {.name = "softening_after_only",
     .code = "eps^2 in only one of two loops, that over j > i",
     .diagnosis = "softening is used for the bodies after each one (j > i) only: the loop over "
                  "those before it lacks eps^2",
     .factor = [](const Pull& p) { return p.j > p.i ? 1.0 : with_r2(p, p.distance2); }},
    {.name = "softening_before_only",
     .code = "eps^2 in only one of two loops, that over j < i",
     .diagnosis = "softening is used for the bodies before each one (j < i) only: the loop over "
                  "those after it lacks eps^2",
     .factor = [](const Pull& p) { return p.j < p.i ? 1.0 : with_r2(p, p.distance2); }},
    {.name = "own_mass",
     .code = "the force of Eq. 1, not divided by m_i",
     .diagnosis =
         "each acceleration is multiplied by the body's own mass: Eq. 3 divides the force by it",
     .factor = [](const Pull& p) { return p.mass_i; }},
    {.name = "mass_of_target",
     .code = "`mass[i]` for `mass[j]`",
     .diagnosis = "the mass of the pulled body is used instead of the pulling body's mass",
     .factor = [](const Pull& p) { return p.mass_i / p.mass_j; }},
    {.name = "sum_of_masses",
     .code = "`mass[i] + mass[j]` for `mass[j]`, as in the relative motion of two bodies",
     .diagnosis = "the sum of both masses is used instead of the pulling body's mass",
     .factor = [](const Pull& p) { return (p.mass_i + p.mass_j) / p.mass_j; }},
    {.name = "no_mass",
     .code = "`mass[j]` is missing",
     .diagnosis = "the mass of the pulling body is missing: each body pulls like a mass of 1",
     .factor = [](const Pull& p) { return 1 / p.mass_j; }},
    {.name = "one_sided",
     .code = "the third law's other half is missing",
     .diagnosis = "each body feels only those after it: the other half of each pair (third law) is "
                  "missing",
     .factor = [](const Pull& p) { return p.j > p.i ? 1.0 : 0.0; }},
    {.name = "other_side",
     .code = "the third law adds to body j and forgets body i",
     .diagnosis =
         "each body feels only those before it: the other half of each pair (third law) is "
         "missing",
     .factor = [](const Pull& p) { return p.j < p.i ? 1.0 : 0.0; }},
    {.name = "third_law_sign",
     .code = "`+=` for `-=` on body j",
     .diagnosis = "third law with the wrong sign: body i is right, but body j of each pair (j > i) "
                  "is pushed the same way instead of the opposite one: += where -= belongs?",
     .factor = [](const Pull& p) { return p.j > p.i ? 1.0 : -1.0; }},
    {.name = "third_law_other_sign",
     .code = "`-=` for `+=` on body i",
     .diagnosis = "third law with the wrong sign: body j of each pair (j > i) is right, but body i "
                  "is pushed the same way instead of the opposite one",
     .factor = [](const Pull& p) { return p.j > p.i ? -1.0 : 1.0; }},
    {.name = "reaction_overwritten",
     .code = "`sx[i] = reduce_add(ax)` for `+=`, with each pair once in batches of 8",
     .diagnosis = "each body feels only its own batch and those after it: `=` where `+=` belongs "
                  "overwrites what earlier bodies have added (third law)",
     .any_width = true,
     .factor = [](const Pull& p) { return p.j / p.width >= p.i / p.width ? 1.0 : 0.0; }},
    {.name = "last_batch_only",
     .code = "`sum = ...` for `sum += ...` in a loop over batches of 8",
     .diagnosis = "each body feels the last batch of sources only: `=` where `+=` belongs",
     .any_width = true,
     .factor = [](const Pull& p) { return p.j >= (p.n - 1) / p.width * p.width ? 1.0 : 0.0; }},
    {.name = "distance_squared",
     .code = "`/ r2` for `/ (r2 * r)`",
     .diagnosis = "the force falls like 1/r instead of 1/r^2: is d / r the unit vector, and r a "
                  "root?",
     .factor = power<2>},
    {.name = "distance_fourth",
     .code = "`/ (r2 * r2)` for `/ (r2 * r)`",
     .diagnosis = "the force falls like 1/r^3 instead of 1/r^2: one 1/r too many?",
     .factor = power<4>},
    {.name = "unit_vector_only",
     .code = "`/ r` for `/ (r2 * r)`",
     .diagnosis = "the force does not depend on the distance instead of 1/r^2",
     .factor = power<1>},
    {.name = "no_distance",
     .code = "no division by the distance at all",
     .diagnosis = "the force grows like r instead of 1/r^2",
     .factor = power<0>},
    {.name = "distance_fifth",
     .code = "`/ (r2 * r2 * r)` for `/ (r2 * r)`",
     .diagnosis = "the force falls like 1/r^4 instead of 1/r^2",
     .factor = power<5>},
    {.name = "distance_cubed_twice",
     .code = "`/ (r2 * r2 * r2)` for `/ (r2 * r)`: the root is missing",
     .diagnosis = "the force falls like 1/r^5 instead of 1/r^2",
     .factor = power<6>},

    // The checker finds the constant itself.
    {.name = "wrong_g",
     .code = "G is taken to be 1, as in textbook codes",
     .diagnosis = "by the same factor",
     .fitted = "one_factor",
     .factor = [](const Pull& p) { return 1 / p.G; }},
    {.name = "weak",
     .code = "a constant typed wrong: 10 % too weak",
     .diagnosis = "too small by the same factor 0.9",
     .fitted = "one_factor",
     .factor = [](const Pull&) { return 0.9; }},
    {.name = "reversed",
     .code = "`r_i - r_j` for `r_j - r_i`",
     .diagnosis = "points the wrong way",
     .fitted = "reversed",
     .factor = [](const Pull&) { return -1.0; }},
    {.name = "absolute_constant",
     .code = "`r2 + 1e-20f` against 0/0",
     .diagnosis = "an absolute constant",
     .fitted = "constant",
     .factor = [](const Pull& p) { return with_r2(p, p.r2() + 1e-20); }},
    {.name = "self_interaction",
     .code = "no test for i == j: 0/0 without softening",
     .diagnosis = "meet itself",
     .fitted = "not_finite",
     .meets_itself = true},
    {.name = "guard_lost_in_float",
     .code = "`r2 + 1e-50` against 0/0: in float that is 0",
     .diagnosis = "right in double, NaN for every body in float",
     .fitted = "guard",
     .meets_itself = true,
     .guard = 1e-50},

    // Bodies and pairs
    {.name = "last_body_skipped",
     .code = "`j < n - 1` for `j < n`",
     .diagnosis = "the loop over the sources ends too early",
     .fitted = "sources_end",
     .factor = [](const Pull& p) { return p.j + 1 < p.n ? 1.0 : 0.0; }},
    {.name = "source_tail_skipped",
     .code = "sources beyond the last multiple of 8 are skipped",
     .diagnosis = "the loop over the sources ends too early",
     .fitted = "sources_end",
     .factor = [](const Pull& p) { return p.n < 8 || p.j < p.n / 8 * 8 ? 1.0 : 0.0; }},
    {.name = "capacity",
     .code = "an array of fixed size: sources beyond 1000 are lost",
     .diagnosis = "bodies from index 1000 on pull no other body",
     .fitted = "sources_end",
     .factor = [](const Pull& p) { return p.j < 1000 ? 1.0 : 0.0; }},
    {.name = "tail_skipped",
     .code = "n / 64 blocks: targets beyond the last multiple of 64 get zero",
     .diagnosis = "feel nothing: a tail is skipped",
     .fitted = "targets_end",
     .factor = [](const Pull& p) { return p.n < tile || p.i < p.n / tile * tile ? 1.0 : 0.0; }},
    {.name = "tail_of_eight_skipped",
     .code = "targets beyond the last multiple of 8 get zero",
     .diagnosis = "feel nothing: a tail is skipped",
     .fitted = "targets_end",
     .factor = [](const Pull& p) { return p.i < p.n / 8 * 8 ? 1.0 : 0.0; }},
    {.name = "whole_batches_only",
     .code = "arrays are cut to whole batches of 8: the bodies beyond neither pull nor are pulled",
     .diagnosis =
         "the bodies beyond the last whole batch are left out: they pull no other body and "
         "feel nothing",
     .any_width = true,
     .factor =
         [](const Pull& p) {
           const std::size_t whole = p.n / p.width * p.width;
           return p.i < whole && p.j < whole ? 1.0 : 0.0;
         }},
    {.name = "pair_skipped",
     .code = "a loop over pairs starts or ends one off: one pair is lost",
     .diagnosis = "one pair is skipped",
     .fitted = "lost_pair",
     .factor = [](const Pull& p) { return is_one_pair(p) ? 0.0 : 1.0; }},
    {.name = "tile_index",
     .code = "a tile is loaded with the tile's index instead of the thread's",
     .diagnosis = "loaded with a wrong index",
     .fitted = "sources_repeated",
     .factor = tile_index},
    {.name = "shared_tile_not_refreshed",
     .code = "the first tile of sources is used for every tile",
     .diagnosis = "loaded with a wrong index",
     .fitted = "sources_repeated",
     .factor = first_tile_again},
    {.name = "far_bodies_skipped",
     .code = "`if (r2 > limit) continue;`: far bodies are left out",
     .diagnosis = "do not pull each other: a cut-off",
     .fitted = "cut_off",
     .factor = [](const Pull& p) { return p.distance2 > 0.25 ? 0.0 : 1.0; }},
    {.name = "light_bodies_skipped",
     .code = "`if (mass[j] < limit) continue;`: light bodies pull no other body",
     .diagnosis = "light bodies are left out",
     .fitted = "light_bodies",
     .factor = [](const Pull& p) { return p.mass_j < 1e-9 ? 0.0 : 1.0; }},

    // Number range and precision
    {.name = "raw_rsqrt",
     .code = "a 12-bit reciprocal square root without a Newton step",
     .diagnosis = "raw reciprocal square root",
     .fitted = "raw_root",
     .factor = raw_root},
    {.name = "gmm_overflow",
     .code = "`G * m_i * m_j` in float, before the division by m_i",
     .diagnosis = "a product leaves its range",
     .fitted = "range",
     .factor = force_first},
    {.name = "distance_sixth",
     .code = "`1 / sqrt(r2 * r2 * r2)` in float",
     .diagnosis = "a product leaves its range",
     .fitted = "range",
     .factor = distance_sixth},

    // The values
    {.name = "nan",
     .code = "0/0, or memory that was never written",
     .diagnosis = "is NaN",
     .fitted = "not_finite",
     .answer = [](Vectors<double>& a) { a.y[a.size() / 2] = std::nan(""); }},
    {.name = "infinite",
     .code = "a division by zero",
     .diagnosis = "is infinite",
     .fitted = "not_finite",
     .answer =
         [](Vectors<double>& a) { a.z[a.size() / 2] = std::numeric_limits<double>::infinity(); }},
    {.name = "zeros",
     .code = "a kernel that failed to start, unchecked; or results never copied out",
     .diagnosis = "all accelerations are zero",
     .fitted = "nothing",
     .answer =
         [](Vectors<double>& a) {
           for (auto* axis : {&a.x, &a.y, &a.z}) fill(*axis, 0);
         }},
    {.name = "single_axis",
     .code = "copy and paste: z takes the value of y",
     .diagnosis = "the z component holds the y component",
     .fitted = "axes",
     .answer = [](Vectors<double>& a) { a.z = a.y; }},
    {.name = "axes_swapped_in_the_tail",
     .code = "y and z are mixed up in the remainder of a vector loop",
     .diagnosis = "the y and z components are swapped",
     .fitted = "axes",
     .answer =
         [](Vectors<double>& a) {
           for (std::size_t i = a.size() / 8 * 8; i < a.size(); ++i) std::swap(a.y[i], a.z[i]);
         }},
    {.name = "axis_forgotten",
     .code = "one line of three is missing: z is never summed",
     .diagnosis = "the z component is zero",
     .fitted = "axes",
     .answer = [](Vectors<double>& a) { fill(a.z, 0); }},
    {.name = "wrong_sign",
     .code = "`r_i - r_j` in one line of three",
     .diagnosis = "the y component has the wrong sign",
     .fitted = "axes",
     .answer =
         [](Vectors<double>& a) {
           for (double& y : a.y) y = -y;
         }},
    {.name = "swapped",
     .code = "an index mixed up, a sort that was not undone everywhere",
     .diagnosis = "swapped",
     .fitted = "order",
     .answer = swap_two_bodies},
    {.name = "sorted_not_restored",
     .code = "bodies are sorted for speed, and accelerations returned in that order",
     .diagnosis = "of other bodies: were they sorted, and the results not put back",
     .fitted = "order",
     .answer =
         [](Vectors<double>& a) {
           for (auto* axis : {&a.x, &a.y, &a.z}) std::reverse(axis->begin(), axis->end());
         }},

    // Eq. 4 and 5: the checker tries each.
    {.name = "new_velocity",
     .code = "v is updated before q",
     .diagnosis = "the new velocity is used in Eq. 5: move the bodies before changing v",
     .scheme = {1, 1, 3}},
    {.name = "half_missing",
     .code = "`a * dt * dt` for `a * dt * dt / 2`; or v is updated first, and then q += v dt",
     .diagnosis = "Eq. 5 uses a dt^2 instead of a dt^2/2: half of it, with the old v",
     .scheme = {1, 1, 2}},
    {.name = "no_acceleration_in_position",
     .code = "Eq. 5 without a dt^2/2",
     .diagnosis = "the term a dt^2/2 is missing in Eq. 5",
     .scheme = {1, 1, 0}},
    {.name = "half_dt",
     .code = "half of dt",
     .diagnosis = "only half of dt is used",
     .scheme = {0.5, 0.5, 0.25}},
    {.name = "twice_dt",
     .code = "twice the dt",
     .diagnosis = "twice the dt is used",
     .scheme = {2, 2, 4}},
    {.name = "no_step",
     .code = "`update_bodies()` never called, or its result thrown away",
     .diagnosis = "nothing moves: no step is made",
     .scheme = {0, 0, 0}},
    {.name = "accelerations_not_used",
     .code = "a stays out of Eq. 4 and 5",
     .diagnosis = "accelerations are not used: bodies fly straight on",
     .scheme = {0, 1, 0}},
    {.name = "accelerations_subtracted",
     .code = "`-=` for `+=` in Eq. 4 and 5",
     .diagnosis = "accelerations are subtracted in Eq. 4 and 5",
     .scheme = {-1, 1, -1}},
    {.name = "position_not_updated",
     .code = "Eq. 5 is missing",
     .diagnosis = "positions never change: Eq. 5 is missing",
     .scheme = {1, 0, 0}},
    {.name = "velocity_not_updated",
     .code = "Eq. 4 is missing",
     .diagnosis = "velocities never change: Eq. 4 is missing",
     .scheme = {0, 1, 1}},

    {.name = "velocity_times_dt_squared",
     .code = "`v * dt * dt` for `v * dt`",
     .diagnosis = "Eq. 5 uses v dt^2 instead of v dt",
     .scheme = {.drift_dt = 1}},
    {.name = "velocity_without_dt",
     .code = "`v` for `v * dt`",
     .diagnosis = "Eq. 5 uses v without dt",
     .scheme = {.drift_dt = -1}},
    {.name = "push_by_dt",
     .code = "`a * dt / 2` for `a * dt * dt / 2`",
     .diagnosis = "Eq. 5 uses a dt/2 instead of a dt^2/2",
     .scheme = {.push_dt = -1}},
    {.name = "push_backwards",
     .code = "`v * dt - a * dt * dt / 2`",
     .diagnosis = "Eq. 5 subtracts a dt^2/2",
     .scheme = {.push = -1}},
    {.name = "half_kick_in_step",
     .code = "`a * dt / 2` in Eq. 4",
     .diagnosis = "Eq. 4 uses a dt/2 instead of a dt",
     .scheme = {.kick = 0.5}},
    {.name = "kick_twice",
     .code = "v is updated twice",
     .diagnosis = "Eq. 4 uses 2 a dt: is v updated twice?",
     .scheme = {.kick = 2}},
    {.name = "kick_backwards_in_step",
     .code = "`-=` for `+=` in Eq. 4",
     .diagnosis = "Eq. 4 subtracts a dt",
     .scheme = {.kick = -1}},
    {.name = "kick_by_dt_squared",
     .code = "`a * dt * dt` for `a * dt`",
     .diagnosis = "Eq. 4 uses a dt^2 instead of a dt",
     .scheme = {.kick_dt = 1}},
    {.name = "kick_without_dt",
     .code = "`a` for `a * dt`",
     .diagnosis = "Eq. 4 uses a without dt",
     .scheme = {.kick_dt = -1}},
    {.name = "dt_backwards",
     .code = "-dt for dt",
     .diagnosis = "the step goes back in time: -dt for dt",
     .scheme = {-1, -1, 1}},
    {.name = "friction",
     .code = "a damping of v that was left in",
     .diagnosis = "velocities are multiplied by 0.99",
     .fitted = "friction",
     .scheme = {.keep = 0.99}},
    {.name = "rest_stays",
     .code = "bodies without velocity are not moved, to save time",
     .diagnosis = "those at rest are left out",
     .fitted = "rest",
     .scheme = {.rest_stays = true}},

    // Kicks and drifts, the building blocks of other integrators
    {.name = "kick_of_other_arrays",
     .code = "bodies in arrays of your own, and the kick() of naive",
     .diagnosis = "kick() changes no velocity: your own arrays need your own kick()",
     .kick = 0},
    {.name = "drift_of_other_arrays",
     .code = "bodies in arrays of your own, and the drift() of naive",
     .diagnosis = "drift() moves no body: your own arrays need your own drift()",
     .drift = 0},
    {.name = "half_kick",
     .code = "`a * dt / 2` in kick()",
     .diagnosis = "kick() makes half a kick: it gets the whole dt",
     .kick = 0.5},
    {.name = "kick_backwards",
     .code = "`-=` for `+=` in kick()",
     .diagnosis = "kick() goes the wrong way: v += a dt",
     .kick = -1},
    {.name = "two_kicks",
     .code = "`2 * a * dt` in kick()",
     .diagnosis = "kick() makes two kicks: v += a dt",
     .kick = 2},
    {.name = "half_drift",
     .code = "`v * dt / 2` in drift()",
     .diagnosis = "drift() makes half a drift: it gets the whole dt",
     .drift = 0.5},
    {.name = "two_drifts",
     .code = "`2 * v * dt` in drift()",
     .diagnosis = "drift() makes two drifts: q += v dt",
     .drift = 2},
    {.name = "drift_backwards",
     .code = "`-=` for `+=` in drift()",
     .diagnosis = "drift() goes the wrong way: q += v dt",
     .drift = -1},

    // The time loop
    {.name = "stale_accelerations",
     .code = "accelerations are computed once, outside the loop",
     .diagnosis = "the accelerations are those of the very first step: compute them in every step",
     .accelerations = of_the_first_step},
    {.name = "previous_accelerations",
     .code = "accelerations are computed after the update",
     .diagnosis = "the step uses the accelerations of the previous step: compute them first",
     .accelerations = of_the_step_before},
    {.name = "dt_of_the_first_step",
     .code = "dt is kept from the first step on",
     .diagnosis = "every step moves the bodies by the dt of the very first",
     .moves_by = StepLength::of_the_first_step},
    {.name = "dt_of_the_step_before",
     .code = "the next dt is computed after the update, and another one returned",
     .diagnosis = "every step moves the bodies by the dt of the previous step",
     .moves_by = StepLength::of_the_step_before},
    {.name = "not_reset",
     .code = "`+=` without a reset",
     .diagnosis = "accelerations add up from step to step: set them to zero before summing",
     .accelerations = summed_over_steps},
    {.name = "mass_of_target_in_steps",
     .code = "`mass[i]` for `mass[j]` in a fused loop of forces and steps",
     .diagnosis =
         "the step moves bodies with other accelerations than those it computes when asked: "
         "the mass of the pulled body is used instead of the pulling body's mass",
     .factor = [](const Pull& p) { return p.mass_i / p.mass_j; },
     .only_in_steps = true},
    {.name = "giant_pinned_in_steps",
     .code = "heavy bodies are not moved by light ones, to save time",
     .diagnosis = "with other accelerations than those it computes when asked",
     .fitted = "other_accelerations",
     .factor = [](const Pull& p) { return p.mass_i > 10 * p.mass_j ? 0.0 : 1.0; },
     .only_in_steps = true},
    {.name = "light_bodies_ignored_in_steps",
     .code = "light bodies pull no other body, to save time",
     .diagnosis = "with other accelerations than those it computes when asked",
     .fitted = "other_accelerations",
     .factor = [](const Pull& p) { return p.mass_j < 1e-3 ? 0.0 : 1.0; },
     .only_in_steps = true},
    {.name = "inputs_changed",
     .code = "bodies are moved outside `update_bodies()`, here to the centre of mass",
     .diagnosis = "all positions are shifted by the same vector: the bodies are changed outside "
                  "update_bodies()",
     .moves_bodies = true},
    {.name = "one_step_too_many",
     .code = "`step <= steps` in an `advance()` of your own",
     .diagnosis = "a step too many: advance(steps) makes steps + 1",
     .steps = [](std::uint64_t asked) { return asked + 1; }},
    {.name = "one_step_short",
     .code = "`step < steps - 1` in an `advance()` of your own",
     .diagnosis = "one step too few: advance(steps) makes steps - 1",
     .steps = [](std::uint64_t asked) { return asked == 0 ? 0 : asked - 1; }},
    {.name = "left_over_steps",
     .code = "steps beyond whole batches of 64 are forgotten",
     .diagnosis = "steps in one go are made: the rest is lost",
     .fitted = "steps_made",
     .steps = [](std::uint64_t asked) { return asked < 128 ? asked : asked / 64 * 64; }},
    {.name = "steps_in_a_byte",
     .code = "`std::uint8_t` counts the steps: it starts again at 0 after 255",
     .diagnosis = "steps in one go are made: the rest is lost",
     .fitted = "steps_made",
     .steps = [](std::uint64_t asked) { return asked & 255; }},
    {.name = "wrong_time",
     .code = "the time returned is steps times the fixed dt",
     .diagnosis = "the bodies move by the right steps, but advance() returns another time: the "
                  "number of steps times the fixed dt",
     .reports_fixed_steps = true},
    {.name = "time_in_float",
     .code = "`float time; time += dt` in an `advance()` of your own",
     .diagnosis = "the time returned by advance() is added up in float",
     .fitted = "time_in_float",
     .adds_time_in_float = true},

    // The adaptive step
    {.name = "adaptive_ignored",
     .code = "the adaptive step is never used",
     .diagnosis =
         "the adaptive step is ignored: the fixed dt is used (is largest_time_step() infinite?)",
     .adaptive = {.never = true}},
    {.name = "adaptive_too_large",
     .code = "20 % of the way instead of 10 %",
     .diagnosis = "20 % of the way",
     .fitted = "share",
     .adaptive = {.share = 0.2}},
    {.name = "adaptive_not_smallest",
     .code = "no minimum over all bodies",
     .diagnosis = "the step is that of body 0 alone: Eq. 7 uses the smallest of all",
     .adaptive = {.smallest = false}},
    {.name = "adaptive_softened",
     .code = "the neighbour's distance is taken from r2 + eps * eps",
     .diagnosis =
         "the distance to the nearest neighbour is softened: Eq. 7 uses the distance itself",
     .adaptive = {.softened = true}},
    {.name = "adaptive_itself",
     .code = "a body is its own nearest neighbour, at distance 0",
     .diagnosis = "the step is 0: does a body take itself for its nearest neighbour?",
     .adaptive = {.counts_itself = true}},
    {.name = "neighbours_after_only",
     .code = "neighbours found with each pair once, and only those of body i kept",
     .diagnosis = "the nearest neighbour is sought only among the bodies after each one (j > i): "
                  "with each pair once, body j needs its distance, too",
     .adaptive = {.neighbours = Neighbours::after}},
    {.name = "neighbours_before_only",
     .code = "neighbours found with each pair once, and only those of body j kept",
     .diagnosis = "the nearest neighbour is sought only among the bodies before each one (j < i): "
                  "with each pair once, body i needs its distance, too",
     .adaptive = {.neighbours = Neighbours::before}},
    {.name = "last_neighbour_skipped",
     .code = "`j < n - 1` for `j < n` in the search for the nearest neighbour",
     .diagnosis = "the last body is left out of the search for the nearest neighbour",
     .adaptive = {.neighbours = Neighbours::all_but_the_last}},
    {.name = "neighbours_of_the_first_step",
     .code = "neighbours are sought once, or now and then, and their indices kept",
     .diagnosis = "the nearest neighbours are those of an earlier step: another body may have "
                  "become nearer, so search anew in every step",
     .adaptive = {.neighbours = Neighbours::those_of_the_first_step}},
    {.name = "nearest_from_one",
     .code = "the search for a body's nearest neighbour starts at 1, not at infinity",
     .diagnosis = "the distance to the nearest neighbour is never above 1 in working units: start "
                  "its minimum at infinity",
     .adaptive = {.nearest_at_most = 1}},
    {.name = "minimum_from_a_constant",
     .code = "the minimum over all bodies starts at a number such as 0.01, not at infinity",
     .diagnosis =
         "no adaptive step is longer than a constant: the minimum over all bodies starts at "
         "infinity",
     .fitted = "constant_step",
     .adaptive = {.at_most = 0.01}},
    {.name = "running_minimum",
     .code = "the minimum over all bodies is kept from step to step",
     .diagnosis = "the adaptive step never grows again: start its minimum anew in every step",
     .adaptive = {.never_grows = true}},
    {.name = "cut_at_the_fixed_dt",
     .code = "`min(rule.dt, largest_time_step())`",
     .diagnosis =
         "the adaptive step is never longer than the fixed dt: with --vdt only Eq. 7 and the "
         "floor decide",
     .adaptive = {.cut_at_fixed = true}},
    {.name = "floor_for_fixed_steps",
     .code = "`max(dt, rule.dt_floor)` whether or not the step is adaptive",
     .diagnosis = "the shortest step allowed (--mdt) is applied to fixed steps, too: it is for "
                  "adaptive ones",
     .adaptive = {.floor_for_fixed = true}},
    {.name = "relative_speed",
     .code = "the speed relative to the neighbour for that of the body",
     .diagnosis = "Eq. 7 uses the body's own speed, not its speed relative to the nearest "
                  "neighbour",
     .adaptive = {.relative_speed = true}},
    {.name = "textbook_root",
     .code = "`(sqrt(v * v + 0.2 * a * D) - v) / a`, which cancels",
     .diagnosis = "Eq. 7 as the textbook root (sqrt(v^2 + 0.2 a D) - v) / a? It cancels when a D "
                  "is small beside v^2, and is 0/0 for a = 0 (docs/physics.md, section 2)",
     .adaptive = {.textbook_root = true}},
    {.name = "adaptive_step_once",
     .code = "your own `advance()` asks `largest_time_step()` once, before its loop",
     .diagnosis =
         "the first adaptive step is used for all: compute largest_time_step() in every step",
     .adaptive = {.loop = AdaptiveLoop::first_step_for_all}},
    {.name = "adaptive_accelerations_once",
     .code = "an `advance()` of your own that computes accelerations before its adaptive loop",
     .diagnosis = "the accelerations are those of the very first step: compute them in every step",
     .adaptive = {.loop = AdaptiveLoop::first_accelerations_for_all}},
    {.name = "adaptive_step_before_accelerations",
     .code = "`largest_time_step()` before `compute_accelerations()` in an `advance()` of your own",
     .diagnosis = "the adaptive step is computed with the accelerations of the step before, at "
                  "first with zero: compute them first",
     .adaptive = {.loop = AdaptiveLoop::step_before_accelerations}},
    {.name = "adaptive_floor_once",
     .code = "the floor is used in the first of many steps only",
     .diagnosis = "the shortest step allowed (--mdt) is not applied in every step",
     .adaptive = {.loop = AdaptiveLoop::floor_in_the_first_only}},
    {.name = "adaptive_time_of_last",
     .code = "the time returned is the number of steps times the last dt",
     .diagnosis =
         "the time returned by advance() is the number of steps times the last dt: add up every dt",
     .adaptive = {.loop = AdaptiveLoop::time_from_the_last}},
    {.name = "adaptive_one_step",
     .code = "the number of steps is not used when the step is adaptive",
     .diagnosis = "only one of many adaptive steps in one go is made",
     .adaptive = {.loop = AdaptiveLoop::one_step_only}},
    {.name = "adaptive_end_not_a_number",
     .code = "memory that was never written, read after the last of many adaptive steps",
     .diagnosis = "the bodies are not finite after many adaptive steps",
     .adaptive = {.loop = AdaptiveLoop::not_a_number_at_the_end}},
    {.name = "dt_floor_ignored",
     .code = "`rule.dt_floor` is not used",
     .diagnosis = "the floor of the adaptive step is ignored",
     .adaptive = {.below_floor = true}},
};

}  // namespace

const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> all(std::begin(rows), std::end(rows));
  return all;
}

const Mistake* mistake_named(std::string_view name) {
  const auto found = std::find_if(mistakes().begin(), mistakes().end(),
                                  [&](const Mistake& mistake) { return mistake.name == name; });
  return found == mistakes().end() ? nullptr : &*found;
}

std::string markdown_table() {
  std::string text = "| mistake | what the code does | what the checker says |\n|---|---|---|\n";
  for (const Mistake& mistake : mistakes()) {
    const bool fitted = mistake.fitted != nullptr;
    text += fmt::format("| {}{} | {} | {}{} |\n", mistake.name,
                        fitted ? fmt::format(" ({})", mistake.fitted) : "", mistake.code,
                        fitted ? "... " : "", mistake.diagnosis);
  }
  return text;
}

}  // namespace nbody::check
