#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "check/mistakes/estimated_root.hpp"
#include "check/mistakes/mistake.hpp"

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

// Slot k of a tile holds the body of the tile's index, as in tiles[tile * 64 + tile].
double tile_index(const Pull& pull) {
  double times = 0;
  for (std::size_t t = 0; t * pull.width() < pull.n; ++t) {
    const std::size_t loaded = std::min(t * pull.width() + t, pull.n - 1);
    if (loaded == pull.j) {
      times += static_cast<double>(std::min(pull.width(), pull.n - t * pull.width()));
    }
  }
  return times;
}

// The first tile of sources is used for every tile.
double first_tile_again(const Pull& pull) {
  const std::size_t tile = pull.width();
  return pull.j < tile ? static_cast<double>((pull.n - pull.j + tile - 1) / tile) : 0;
}

double lost_pair(const Pull& pull) {
  const bool both = pull.x < 0;
  const auto pair = static_cast<std::size_t>(both ? -pull.x - 1 : pull.x);
  const std::size_t i = pair / pull.n, j = pair % pull.n;
  return (pull.i == i && pull.j == j) || (both && pull.i == j && pull.j == i) ? 0 : 1;
}

double equal_by_samples(const Pull& pull) {
  const double first = pull.masses[0];
  const bool equal = first == pull.masses[pull.n / 2] && first == pull.masses[pull.n - 1];
  return equal ? first / pull.mass_j : 1;
}

// --- answers -------------------------------------------------------------------------------------

void fill(std::vector<double>& axis, double value) { std::fill(axis.begin(), axis.end(), value); }

void swap_two_bodies(Vectors<double>& a, double) {
  if (a.size() < 2) return;
  const std::size_t i = a.size() / 2;
  for (auto* axis : {&a.x, &a.y, &a.z}) std::swap((*axis)[i], (*axis)[i - 1]);
}

// The accelerations of the axes that a code names.
struct MixedAxes {
  explicit MixedAxes(double x)
      : first(static_cast<std::size_t>(x) / 343), code(static_cast<std::size_t>(x) % 343) {}
  // 0: zero; 1 to 3: x, y, z; 4 to 6: the same with the other sign.
  std::size_t of(std::size_t axis) const { return code / (axis == 0 ? 1 : axis == 1 ? 7 : 49) % 7; }
  std::size_t first, code;
};

void mix_axes(Vectors<double>& a, double x) {
  const MixedAxes mixed(x);
  for (std::size_t i = mixed.first; i < a.size(); ++i) {
    const double right[] = {a.x[i], a.y[i], a.z[i]};
    double* const to[] = {&a.x[i], &a.y[i], &a.z[i]};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::size_t of = mixed.of(axis);
      *to[axis] = of == 0 ? 0 : of < 4 ? right[of - 1] : -right[of - 4];
    }
  }
}

// The table, in reading order: forces from the likeliest formula to the oddest index, then steps.
const Mistake rows[] = {
    // A wrong formula: the checker tries each.
    {.name = "softening_ignored",
     .code = "eps^2 is not added",
     .says = "softening is ignored: eps^2 belongs under the root",
     .factor = [](const Pull& p) { return with_r2(p, p.distance2); }},
    {.name = "small_softening_ignored",
     .code = "`if (eps2 < limit)` takes the loop without softening",
     .says = "softening is ignored where it is small",
     .cause = "small_softening",
     .only_a_program = true,
     .factor =
         [](const Pull& p) {
           const bool small = p.softening * p.softening < 1e-4;
           return small ? with_r2(p, p.distance2) : 1;
         }},
    {.name = "softening_not_squared",
     .code = "`r2 + eps` for `r2 + eps * eps`",
     .says = "softening: eps is added to the squared distance instead of eps^2",
     .factor = [](const Pull& p) { return with_r2(p, p.distance2 + p.softening); }},
    {.name = "softening_added_to_distance",
     .code = "`r + eps` for `sqrt(r2 + eps * eps)`",
     .says = "softening: eps is added to the distance; eps^2 belongs under the root",
     .factor =
         [](const Pull& p) {
           const double r = std::sqrt(p.distance2) + p.softening;
           return with_r2(p, r * r);
         }},
    {.name = "softening_after_only",
     .code = "eps^2 in only one of two loops, that over j > i",
     .says = "softening is used for the bodies after each one (j > i) only: the loop over "
             "those before it lacks eps^2",
     .factor = [](const Pull& p) { return p.j > p.i ? 1.0 : with_r2(p, p.distance2); }},
    {.name = "softening_before_only",
     .code = "eps^2 in only one of two loops, that over j < i",
     .says = "softening is used for the bodies before each one (j < i) only: the loop over "
             "those after it lacks eps^2",
     .factor = [](const Pull& p) { return p.j < p.i ? 1.0 : with_r2(p, p.distance2); }},
    {.name = "own_mass",
     .code = "the force of Eq. 1, not divided by m_i",
     .says =
         "each acceleration is multiplied by the body's own mass: Eq. 3 divides the force by it",
     .factor = [](const Pull& p) { return p.mass_i; }},
    {.name = "mass_of_target",
     .code = "`mass[i]` for `mass[j]`",
     .says = "the mass of the pulled body is used instead of the pulling body's mass",
     .factor = [](const Pull& p) { return p.mass_i / p.mass_j; }},
    {.name = "sum_of_masses",
     .code = "`mass[i] + mass[j]` for `mass[j]`, as in the relative motion of two bodies",
     .says = "the sum of both masses is used instead of the pulling body's mass",
     .factor = [](const Pull& p) { return (p.mass_i + p.mass_j) / p.mass_j; }},
    {.name = "no_mass",
     .code = "`mass[j]` is missing",
     .says = "the mass of the pulling body is missing: each body pulls like a mass of 1",
     .factor = [](const Pull& p) { return 1 / p.mass_j; }},
    {.name = "one_sided",
     .code = "the third law's other half is missing",
     .says = "each body feels only those after it: the other half of each pair (third law) is "
             "missing",
     .factor = [](const Pull& p) { return p.j > p.i ? 1.0 : 0.0; }},
    {.name = "other_side",
     .code = "the third law adds to body j and forgets body i",
     .says = "each body feels only those before it: the other half of each pair (third law) is "
             "missing",
     .factor = [](const Pull& p) { return p.j < p.i ? 1.0 : 0.0; }},
    {.name = "third_law_sign",
     .code = "`+=` for `-=` on body j",
     .says = "third law with the wrong sign: body i is right, but body j of each pair (j > i) "
             "is pushed the same way instead of the opposite one: += where -= belongs?",
     .factor = [](const Pull& p) { return p.j > p.i ? 1.0 : -1.0; }},
    {.name = "third_law_other_sign",
     .code = "`-=` for `+=` on body i",
     .says = "third law with the wrong sign: body j of each pair (j > i) is right, but body i "
             "is pushed the same way instead of the opposite one",
     .factor = [](const Pull& p) { return p.j > p.i ? -1.0 : 1.0; }},
    {.name = "third_law_mass",
     .code = "`a[j] -= f * mass[j]` for `mass[i]`",
     .says = "third law with the wrong mass: body j of each pair (j > i) is pulled by its own mass "
             "instead of the other body's",
     .factor = [](const Pull& p) { return p.j > p.i ? 1.0 : p.mass_i / p.mass_j; }},
    {.name = "third_law_other_mass",
     .code = "`a[i] += f * mass[i]` for `mass[j]`",
     .says = "third law with the wrong mass: body i of each pair (j > i) is pulled by its own mass "
             "instead of the other body's",
     .factor = [](const Pull& p) { return p.j < p.i ? 1.0 : p.mass_i / p.mass_j; }},
    {.name = "mass_of_the_first",
     .code = "one mass for all bodies",
     .says = "all bodies pull with the mass of the first",
     .factor = [](const Pull& p) { return p.masses[0] / p.mass_j; }},
    {.name = "equal_by_samples",
     .code = "three samples tell whether all masses are equal",
     .says = "all masses are taken to be equal where the first, the middle and the last one are",
     .factor = equal_by_samples},
    {.name = "reaction_overwritten",
     .code = "`sx[i] = reduce_add(ax)` for `+=`, with each pair once in batches of 8",
     .says = "each body feels only its own batch and those after it: `=` where `+=` belongs "
             "overwrites what earlier bodies have added (third law)",
     .number = Number::width,
     .factor = [](const Pull& p) { return p.j / p.width() >= p.i / p.width() ? 1.0 : 0.0; }},
    {.name = "last_batch_only",
     .code = "`sum = ...` for `sum += ...` in a loop over batches of 8",
     .says = "each body feels the last batch of sources only: `=` where `+=` belongs",
     .number = Number::width,
     .factor = [](const Pull& p) { return p.j >= (p.n - 1) / p.width() * p.width() ? 1.0 : 0.0; }},
    {.name = "distance_squared",
     .code = "`/ r2` for `/ (r2 * r)`",
     .says = "the force falls like 1/r instead of 1/r^2: is d / r the unit vector, and r a "
             "root?",
     .factor = power<2>},
    {.name = "distance_fourth",
     .code = "`/ (r2 * r2)` for `/ (r2 * r)`",
     .says = "the force falls like 1/r^3 instead of 1/r^2: one 1/r too many?",
     .factor = power<4>},
    {.name = "unit_vector_only",
     .code = "`/ r` for `/ (r2 * r)`",
     .says = "the force does not depend on the distance instead of 1/r^2",
     .factor = power<1>},
    {.name = "no_distance",
     .code = "no division by the distance at all",
     .says = "the force grows like r instead of 1/r^2",
     .factor = power<0>},
    {.name = "distance_fifth",
     .code = "`/ (r2 * r2 * r)` for `/ (r2 * r)`",
     .says = "the force falls like 1/r^4 instead of 1/r^2",
     .factor = power<5>},
    {.name = "distance_cubed_twice",
     .code = "`/ (r2 * r2 * r2)` for `/ (r2 * r)`: the root is missing",
     .says = "the force falls like 1/r^5 instead of 1/r^2",
     .factor = power<6>},

    // With a number
    {.name = "reversed",
     .code = "`r_i - r_j` for `r_j - r_i`",
     .says = "every force points the wrong way: r_i - r_j for r_j - r_i?",
     .factor = [](const Pull&) { return -1.0; }},
    {.name = "one_factor",
     .code = "a constant typed wrong, `G` of other units: here 10 % too weak",
     .says = "all forces too {}: G, or a constant factor?",
     .number = Number::factor,
     .x = 0.9,
     .factor = [](const Pull& p) { return p.x; }},
    {.name = "constant",
     .code = "`r2 + 1e-20f` against 0/0",
     .says = "forces between close bodies are too weak, as if {} were added to r^2: an absolute "
             "constant? Units are scaled (docs/physics.md, section 5)",
     .number = Number::added,
     .x = 1e-20,
     .factor = [](const Pull& p) { return with_r2(p, p.r2() + p.x); }},
    {.name = "self_interaction",
     .code = "no test for i == j: 0/0 without softening",
     .says = "meet itself",
     .cause = "not_finite",
     .only_a_program = true,
     .meets_itself = true},
    {.name = "guard_lost_in_float",
     .code = "`r2 + 1e-50` against 0/0: in float that is 0",
     .says = "right in double, NaN for every body in float",
     .cause = "guard",
     .only_a_program = true,
     .meets_itself = true,
     .guard = 1e-50},

    // Bodies and pairs
    {.name = "light_bodies",
     .code = "`if (mass[j] < limit) continue;`: light bodies pull no other body",
     .says = "light bodies are left out: those below about {} pull no other body",
     .number = Number::mass,
     .x = 1e-9,
     .factor = [](const Pull& p) { return p.mass_j < p.x ? 0.0 : 1.0; }},
    {.name = "sources_end",
     .code = "`j + 8 <= n`: sources beyond the last multiple of 8 are skipped",
     .says =
         "{} no other body: the loop over the sources ends too early (a tail?), or a buffer does",
     .number = Number::source_index,
     .x = -8,
     .factor = [](const Pull& p) { return p.j < p.end() ? 1.0 : 0.0; }},
    {.name = "last_body_skipped",
     .code = "`j < n - 1` for `j < n`",
     .says = "the loop over the sources ends too early",
     .cause = "sources_end",
     .only_a_program = true,
     .factor = [](const Pull& p) { return p.j + 1 < p.n ? 1.0 : 0.0; }},

    {.name = "capacity",
     .code = "an array of fixed size: sources beyond 1000 are lost",
     .says = "bodies from index 1000 on pull no other body",
     .number = Number::source_index,
     .x = 1000,
     .cause = "sources_end",
     .only_a_program = true,
     .factor = [](const Pull& p) { return p.j < p.end() ? 1.0 : 0.0; }},
    {.name = "tiles_of_thousand",
     .code = "a last tile of 1000 bodies is lost if it is full",
     .says = "wrong with 1000 bodies",
     .cause = "multiples",
     .only_a_program = true,
     .factor = [](const Pull& p) { return p.n % 1000 == 0 && p.j + 1000 >= p.n ? 0.0 : 1.0; }},
    {.name = "sources_skipped",
     .code = "one body is left out as a source: `j != 3` for `j != i`",
     .says = "body {} pulls no other body: skipped as a source",
     .number = Number::source,
     .x = 3,
     .factor = [](const Pull& p) { return p.j == p.width() ? 0.0 : 1.0; }},
    {.name = "targets_end",
     .code = "n / 64 blocks: targets beyond the last multiple of 64 get zero",
     .says = "bodies from index {} on feel nothing: a tail is skipped",
     .number = Number::target_index,
     .x = -64,
     .factor = [](const Pull& p) { return p.i < p.end() ? 1.0 : 0.0; }},

    {.name = "whole_batches_only",
     .code = "arrays are cut to whole batches of 8: the bodies beyond neither pull nor are pulled",
     .says = "the bodies beyond the last whole batch are left out: they pull no other body and "
             "feel nothing",
     .number = Number::width,
     .factor =
         [](const Pull& p) {
           const std::size_t whole = p.n / p.width() * p.width();
           return p.i < whole && p.j < whole ? 1.0 : 0.0;
         }},
    {.name = "bodies_end",
     .code = "arrays for 4096 bodies: the others neither pull nor are pulled",
     .says = "bodies from index {} on are left out: they feel nothing and pull no other body: a "
             "tail that a loop skips, or an array that ends there?",
     .number = Number::target_index,
     .x = 4096,
     .factor = [](const Pull& p) { return std::max(p.i, p.j) < p.end() ? 1.0 : 0.0; }},
    {.name = "lost_pair",
     .code = "a loop over pairs starts or ends one off: one pair is lost",
     .says = "{}: one pair is skipped",
     .number = Number::pair,
     .factor = lost_pair},
    {.name = "tile_index",
     .code = "a tile is loaded with the tile's index instead of the thread's",
     .says =
         "some bodies pull many times, others not at all: sources are loaded with a wrong index "
         "(a tile's instead of a thread's?)",
     .number = Number::width,
     .x = 64,
     .cause = "sources_repeated",
     .factor = tile_index},
    {.name = "shared_tile_not_refreshed",
     .code = "the first tile of sources is used for every tile",
     .says =
         "the first bodies pull many times, those of later tiles not at all: is each tile loaded "
         "with a wrong index, or only the first?",
     .number = Number::width,
     .x = 64,
     .cause = "sources_repeated",
     .factor = first_tile_again},
    {.name = "padding_has_mass",
     .code = "arrays are filled up to whole batches of 8 with bodies of mass 1",
     .says = "the padding behind the last body has mass, so it pulls: give it mass 0",
     .number = Number::width,
     .mass_of_padding = 1},
    {.name = "cut_off",
     .code = "`if (r2 > limit) continue;`: far bodies are left out",
     .says = "bodies farther apart than about {} do not pull each other: a cut-off?",
     .number = Number::distance,
     .x = 0.5,
     .factor = [](const Pull& p) { return p.distance2 > p.x * p.x ? 0.0 : 1.0; }},

    // Number range and precision
    {.name = "raw_rsqrt",
     .code = "a 12-bit reciprocal square root without a Newton step",
     .says = "raw reciprocal square root",
     .cause = "raw_root",
     .only_a_program = true,
     .factor = raw_root},
    {.name = "gmm_overflow",
     .code = "`G * m_i * m_j` in float, before the division by m_i",
     .says = "a product leaves its range",
     .cause = "range",
     .only_a_program = true,
     .factor = force_first},
    {.name = "distance_sixth",
     .code = "`1 / sqrt(r2 * r2 * r2)` in float",
     .says = "a product leaves its range",
     .cause = "range",
     .only_a_program = true,
     .factor = distance_sixth},

    // The values
    {.name = "nan",
     .code = "0/0, or memory that was never written",
     .says = "is NaN",
     .cause = "not_finite",
     .only_a_program = true,
     .answer = [](Vectors<double>& a, double) { a.y[a.size() / 2] = std::nan(""); }},
    {.name = "infinite",
     .code = "a division by zero",
     .says = "is infinite",
     .cause = "not_finite",
     .only_a_program = true,
     .answer = [](Vectors<double>& a,
                  double) { a.z[a.size() / 2] = std::numeric_limits<double>::infinity(); }},
    {.name = "nothing",
     .code = "a kernel that failed to start, unchecked; or results never copied out",
     .says = "all accelerations are zero: never computed, or never copied out",
     .answer =
         [](Vectors<double>& a, double) {
           for (auto* axis : {&a.x, &a.y, &a.z}) fill(*axis, 0);
         }},
    {.name = "axes",
     .code = "copy and paste: z takes the value of y",
     .says = "{}",
     .number = Number::axes,
     .x = 1 + 7 * 2 + 49 * 2,
     .answer = mix_axes},
    {.name = "axes_swapped_in_the_tail",
     .code = "y and z are mixed up in the remainder of a vector loop",
     .says = "the y and z components are swapped",
     .cause = "axes",
     .only_a_program = true,
     .answer =
         [](Vectors<double>& a, double) {
           for (std::size_t i = a.size() / 8 * 8; i < a.size(); ++i) std::swap(a.y[i], a.z[i]);
         }},
    {.name = "axis_forgotten",
     .code = "one line of three is missing: z is never summed",
     .says = "the z component is zero",
     .number = Number::axes,
     .x = 1 + 7 * 2,
     .cause = "axes",
     .only_a_program = true,
     .answer = mix_axes},
    {.name = "wrong_sign",
     .code = "`r_i - r_j` in one line of three",
     .says = "the y component has the wrong sign",
     .number = Number::axes,
     .x = 1 + 7 * 5 + 49 * 3,
     .cause = "axes",
     .only_a_program = true,
     .answer = mix_axes},
    {.name = "swapped",
     .code = "an index mixed up, a sort that was not undone everywhere",
     .says = "swapped",
     .cause = "order",
     .only_a_program = true,
     .answer = swap_two_bodies},
    {.name = "sorted_not_restored",
     .code = "bodies are sorted for speed, and accelerations returned in that order",
     .says = "of other bodies: were they sorted, and the results not put back",
     .cause = "order",
     .only_a_program = true,
     .answer =
         [](Vectors<double>& a, double) {
           for (auto* axis : {&a.x, &a.y, &a.z}) std::reverse(axis->begin(), axis->end());
         }},

    // Eq. 4 and 5: the checker tries each.
    {.name = "new_velocity",
     .code = "v is updated before q",
     .says = "the new velocity is used in Eq. 5: move the bodies before changing v",
     .scheme = {1, 1, 3}},
    {.name = "half_missing",
     .code = "`a * dt * dt` for `a * dt * dt / 2`; or v is updated first, and then q += v dt",
     .says = "Eq. 5 uses a dt^2 instead of a dt^2/2: half of it, with the old v",
     .scheme = {1, 1, 2}},
    {.name = "no_acceleration_in_position",
     .code = "Eq. 5 without a dt^2/2",
     .says = "the term a dt^2/2 is missing in Eq. 5",
     .scheme = {1, 1, 0}},
    {.name = "half_dt",
     .code = "half of dt",
     .says = "only half of dt is used",
     .scheme = {0.5, 0.5, 0.25}},
    {.name = "twice_dt",
     .code = "twice the dt",
     .says = "twice the dt is used",
     .scheme = {2, 2, 4}},
    {.name = "no_step",
     .code = "`update_bodies()` never called, or its result thrown away",
     .says = "nothing moves: no step is made",
     .scheme = {0, 0, 0}},
    {.name = "accelerations_not_used",
     .code = "a stays out of Eq. 4 and 5",
     .says = "accelerations are not used: bodies fly straight on",
     .scheme = {0, 1, 0}},
    {.name = "accelerations_subtracted",
     .code = "`-=` for `+=` in Eq. 4 and 5",
     .says = "accelerations are subtracted in Eq. 4 and 5",
     .scheme = {-1, 1, -1}},
    {.name = "position_not_updated",
     .code = "Eq. 5 is missing",
     .says = "positions never change: Eq. 5 is missing",
     .scheme = {1, 0, 0}},
    {.name = "velocity_not_updated",
     .code = "Eq. 4 is missing",
     .says = "velocities never change: Eq. 4 is missing",
     .scheme = {0, 1, 1}},

    {.name = "velocity_times_dt_squared",
     .code = "`v * dt * dt` for `v * dt`",
     .says = "Eq. 5 uses v dt^2 instead of v dt",
     .scheme = {.drift_dt = 1}},
    {.name = "velocity_without_dt",
     .code = "`v` for `v * dt`",
     .says = "Eq. 5 uses v without dt",
     .scheme = {.drift_dt = -1}},
    {.name = "push_by_dt",
     .code = "`a * dt / 2` for `a * dt * dt / 2`",
     .says = "Eq. 5 uses a dt/2 instead of a dt^2/2",
     .scheme = {.push_dt = -1}},
    {.name = "push_backwards",
     .code = "`v * dt - a * dt * dt / 2`",
     .says = "Eq. 5 subtracts a dt^2/2",
     .scheme = {.push = -1}},
    {.name = "half_kick_in_step",
     .code = "`a * dt / 2` in Eq. 4",
     .says = "Eq. 4 uses a dt/2 instead of a dt",
     .scheme = {.kick = 0.5}},
    {.name = "kick_twice",
     .code = "v is updated twice",
     .says = "Eq. 4 uses 2 a dt: is v updated twice?",
     .scheme = {.kick = 2}},
    {.name = "kick_backwards_in_step",
     .code = "`-=` for `+=` in Eq. 4",
     .says = "Eq. 4 subtracts a dt",
     .scheme = {.kick = -1}},
    {.name = "kick_by_dt_squared",
     .code = "`a * dt * dt` for `a * dt`",
     .says = "Eq. 4 uses a dt^2 instead of a dt",
     .scheme = {.kick_dt = 1}},
    {.name = "kick_without_dt",
     .code = "`a` for `a * dt`",
     .says = "Eq. 4 uses a without dt",
     .scheme = {.kick_dt = -1}},
    {.name = "dt_backwards",
     .code = "-dt for dt",
     .says = "the step goes back in time: -dt for dt",
     .scheme = {-1, -1, 1}},
    {.name = "friction",
     .code = "a damping of v that was left in",
     .says = "velocities are multiplied by {} in every step: friction?",
     .number = Number::keep,
     .x = 0.99},
    {.name = "rest_stays",
     .code = "bodies without velocity are not moved, to save time",
     .says = "those at rest are left out",
     .cause = "rest",
     .only_a_program = true,
     .scheme = {.rest_stays = true}},
    {.name = "bodies_stay",
     .code = "`update_bodies()` moves whole batches of 8",
     .says = "bodies from index {} on do not move: a tail that update_bodies(), or kick() and "
             "drift(), skips, or an array that ends there?",
     .number = Number::moved_index,
     .x = -8,
     .cause = "tail_stays",
     .stays = Stays::bodies},
    {.name = "velocities_stay",
     .code = "`kick()` takes whole batches of 8",
     .says =
         "bodies from index {} on keep their velocity: a tail that kick() or Eq. 4 skips, or an "
         "array that ends there?",
     .number = Number::moved_index,
     .x = -8,
     .cause = "tail_stays",
     .stays = Stays::velocities},
    {.name = "places_stay",
     .code = "`drift()` takes whole batches of 8",
     .says = "bodies from index {} on keep their place: a tail that drift() or Eq. 5 skips, or an "
             "array that ends there?",
     .number = Number::moved_index,
     .x = -8,
     .cause = "tail_stays",
     .stays = Stays::places},
    {.name = "capacity_of_update",
     .code = "an array for 4096 bodies: the others do not move",
     .says = "bodies from index 4096 on do not move",
     .number = Number::moved_index,
     .x = 4096,
     .cause = "tail_stays",
     .only_a_program = true,
     .stays = Stays::bodies},

    // Kicks and drifts, the building blocks of other integrators
    {.name = "kick_of_other_arrays",
     .code = "bodies in arrays of your own, and the kick() of naive",
     .says = "kick() changes no velocity: your own arrays need your own kick()",
     .kick = 0},
    {.name = "drift_of_other_arrays",
     .code = "bodies in arrays of your own, and the drift() of naive",
     .says = "drift() moves no body: your own arrays need your own drift()",
     .drift = 0},
    {.name = "half_kick",
     .code = "`a * dt / 2` in kick()",
     .says = "kick() makes half a kick: it gets the whole dt",
     .kick = 0.5},
    {.name = "kick_backwards",
     .code = "`-=` for `+=` in kick()",
     .says = "kick() goes the wrong way: v += a dt",
     .kick = -1},
    {.name = "two_kicks",
     .code = "`2 * a * dt` in kick()",
     .says = "kick() makes two kicks: v += a dt",
     .kick = 2},
    {.name = "half_drift",
     .code = "`v * dt / 2` in drift()",
     .says = "drift() makes half a drift: it gets the whole dt",
     .drift = 0.5},
    {.name = "two_drifts",
     .code = "`2 * v * dt` in drift()",
     .says = "drift() makes two drifts: q += v dt",
     .drift = 2},
    {.name = "drift_backwards",
     .code = "`-=` for `+=` in drift()",
     .says = "drift() goes the wrong way: q += v dt",
     .drift = -1},

    // The time loop
    {.name = "stale_accelerations",
     .code = "accelerations are computed once, outside the loop",
     .says = "the accelerations are those of the very first step: compute them in every step",
     .accelerations = of_the_first_step},
    {.name = "previous_accelerations",
     .code = "accelerations are computed after the update",
     .says = "the step uses the accelerations of the previous step: compute them first",
     .accelerations = of_the_step_before},
    {.name = "sources_of_the_first_step",
     .code = "the pulling bodies are copied once, before the first step",
     .says = "the first step is right; later ones take the pulling bodies to be where they were in "
             "the first: copy their positions in every step",
     .sources = Sources::of_the_first_step},
    {.name = "dt_of_the_first_step",
     .code = "dt is kept from the first step on",
     .says = "every step moves the bodies by the dt of the very first",
     .moves_by = StepLength::of_the_first_step},
    {.name = "dt_of_the_step_before",
     .code = "the next dt is computed after the update, and another one returned",
     .says = "every step moves the bodies by the dt of the previous step",
     .moves_by = StepLength::of_the_step_before},
    {.name = "not_reset",
     .code = "`+=` without a reset",
     .says = "accelerations add up from step to step: set them to zero before summing",
     .accelerations = summed_over_steps},
    {.name = "mass_of_target_in_steps",
     .code = "`mass[i]` for `mass[j]` in a fused loop of forces and steps",
     .says = "the step moves bodies with other accelerations than those it computes when asked: "
             "the mass of the pulled body is used instead of the pulling body's mass",
     .factor = [](const Pull& p) { return p.mass_i / p.mass_j; },
     .only_in_steps = true},
    {.name = "giant_pinned_in_steps",
     .code = "heavy bodies are not moved by light ones, to save time",
     .says = "the step moves bodies with other accelerations than those it computes when asked: "
             "light bodies do not pull heavy ones",
     .cause = "other_accelerations",
     .factor = [](const Pull& p) { return p.mass_i > 10 * p.mass_j ? 0.0 : 1.0; },
     .only_in_steps = true},
    {.name = "light_bodies_ignored_in_steps",
     .code = "light bodies pull no other body, to save time",
     .says = "with other accelerations than those it computes when asked",
     .cause = "other_accelerations",
     .only_a_program = true,
     .factor = [](const Pull& p) { return p.mass_j < 1e-3 ? 0.0 : 1.0; },
     .only_in_steps = true},
    {.name = "inputs_changed",
     .code = "bodies are moved outside `update_bodies()`, here to the centre of mass",
     .says = "all positions are shifted by the same vector: the bodies are changed outside "
             "update_bodies()",
     .moves_bodies = true},
    {.name = "one_step_too_many",
     .code = "`step <= steps` in an `advance()` of your own",
     .says = "a step too many: advance(steps) makes steps + 1",
     .steps = [](std::uint64_t asked, double) { return asked + 1; }},
    {.name = "one_step_short",
     .code = "`step < steps - 1` in an `advance()` of your own",
     .says = "one step too few: advance(steps) makes steps - 1",
     .steps = [](std::uint64_t asked, double) { return asked == 0 ? 0 : asked - 1; }},
    {.name = "steps_made",
     .code = "a counter or a buffer of steps ends at 100",
     .says = "only {} steps in one go are made: the rest is lost",
     .number = Number::steps,
     .x = 100,
     .steps = [](std::uint64_t asked,
                 double x) { return std::min(asked, static_cast<std::uint64_t>(x)); }},
    {.name = "left_over_steps",
     .code = "steps beyond whole batches of 64 are forgotten",
     .says = "steps in one go are made: the rest is lost",
     .cause = "steps_made",
     .only_a_program = true,
     .steps = [](std::uint64_t asked, double) { return asked < 128 ? asked : asked / 64 * 64; }},
    {.name = "steps_in_a_byte",
     .code = "`std::uint8_t` counts the steps: it starts again at 0 after 255",
     .says = "steps in one go are made: the rest is lost",
     .cause = "steps_made",
     .only_a_program = true,
     .steps = [](std::uint64_t asked, double) { return asked & 255; }},
    {.name = "steps_in_two_bytes",
     .code = "`std::uint16_t` counts the steps: it starts again at 0 after 65535",
     .says = "steps in one go are made: the rest is lost",
     .cause = "steps_made",
     .only_a_program = true,
     .steps = [](std::uint64_t asked, double) { return asked & 65535; }},
    {.name = "wrong_time",
     .code = "the time returned is steps times the fixed dt",
     .says = "the bodies move by the right steps, but advance() returns another time: the "
             "number of steps times the fixed dt",
     .reports_fixed_steps = true},
    {.name = "time_in_float",
     .code = "`float time; time += dt` in an `advance()` of your own",
     .says =
         "the time returned by advance() is added up in float, which loses digits in each step: "
         "use double, or multiply dt by the number of steps",
     .adds_time_in_float = true},

    // The adaptive step
    {.name = "adaptive_ignored",
     .code = "the adaptive step is never used",
     .says =
         "the adaptive step is ignored: the fixed dt is used (is largest_time_step() infinite?)",
     .adaptive = {.never = true}},
    {.name = "share",
     .code = "20 % of the way instead of 10 %",
     .says = "the step takes {} % of the way to the nearest neighbour: Eq. 7 uses 10 %",
     .number = Number::share,
     .x = 0.2},
    {.name = "adaptive_not_smallest",
     .code = "no minimum over all bodies",
     .says = "the step is that of body 0 alone: Eq. 7 uses the smallest of all",
     .adaptive = {.smallest = false}},
    {.name = "adaptive_softened",
     .code = "the neighbour's distance is taken from r2 + eps * eps",
     .says = "the distance to the nearest neighbour is softened: Eq. 7 uses the distance itself",
     .adaptive = {.softened = true}},
    {.name = "adaptive_itself",
     .code = "a body is its own nearest neighbour, at distance 0",
     .says = "the step is 0: does a body take itself for its nearest neighbour?",
     .adaptive = {.counts_itself = true}},
    {.name = "neighbours_after_only",
     .code = "neighbours found with each pair once, and only those of body i kept",
     .says = "the nearest neighbour is sought only among the bodies after each one (j > i): "
             "with each pair once, body j needs its distance, too",
     .adaptive = {.neighbours = Neighbours::after}},
    {.name = "neighbours_before_only",
     .code = "neighbours found with each pair once, and only those of body j kept",
     .says = "the nearest neighbour is sought only among the bodies before each one (j < i): "
             "with each pair once, body i needs its distance, too",
     .adaptive = {.neighbours = Neighbours::before}},
    {.name = "last_neighbour_skipped",
     .code = "`j < n - 1` for `j < n` in the search for the nearest neighbour",
     .says = "the last body is left out of the search for the nearest neighbour",
     .adaptive = {.neighbours = Neighbours::all_but_the_last}},
    {.name = "search_ends",
     .code = "the smallest step is sought in whole batches of 8",
     .says = "bodies from index {} on are left out of the search for the smallest step: a tail, or "
             "an array that ends there?",
     .number = Number::search_index,
     .x = -8,
     .cause = "another_body_step",
     .search_ends = true},
    {.name = "capacity_of_search",
     .code = "the smallest step is sought among 4096 bodies",
     .says = "bodies from index 4096 on are left out of the search for the smallest step",
     .number = Number::search_index,
     .x = 4096,
     .cause = "another_body_step",
     .only_a_program = true,
     .search_ends = true},
    {.name = "neighbours_of_the_first_step",
     .code = "neighbours are sought once, or now and then, and their indices kept",
     .says = "the nearest neighbours are those of an earlier step: another body may have "
             "become nearer, so search anew in every step",
     .adaptive = {.neighbours = Neighbours::those_of_the_first_step}},
    {.name = "distances_of_the_first_step",
     .code = "distances to the nearest neighbours are computed once and kept",
     .says =
         "the first step is right; later ones use the distances to the nearest neighbours of the "
         "first: compute them anew in every step",
     .adaptive = {.neighbours = Neighbours::distances_of_the_first_step}},
    {.name = "distances_of_the_step_before",
     .code = "distances to the nearest neighbours are kept for the next step",
     .says =
         "the first step is right; later ones use the distances to the nearest neighbours of the "
         "step before: compute them before the step",
     .adaptive = {.neighbours = Neighbours::distances_of_the_step_before}},
    {.name = "nearest_from_one",
     .code = "the search for a body's nearest neighbour starts at 1, not at infinity",
     .says = "the distance to the nearest neighbour is never above 1 in working units: start "
             "its minimum at infinity",
     .adaptive = {.nearest_at_most = 1}},
    {.name = "constant_step",
     .code = "the minimum over all bodies starts at a number such as 0.01, not at infinity",
     .says = "no adaptive step is longer than a constant: the minimum over all bodies starts at "
             "infinity",
     .number = Number::longest_step,
     .x = 0.01},
    {.name = "running_minimum",
     .code = "the minimum over all bodies is kept from step to step",
     .says = "the adaptive step never grows again: start its minimum anew in every step",
     .adaptive = {.never_grows = true}},
    {.name = "cut_at_the_fixed_dt",
     .code = "`min(rule.dt, largest_time_step())`",
     .says = "the adaptive step is never longer than the fixed dt: with --vdt only Eq. 7 and the "
             "floor decide",
     .adaptive = {.cut_at_fixed = true}},
    {.name = "floor_for_fixed_steps",
     .code = "`max(dt, rule.dt_floor)` whether or not the step is adaptive",
     .says = "the shortest step allowed (--mdt) is applied to fixed steps, too: it is for "
             "adaptive ones",
     .adaptive = {.floor_for_fixed = true}},
    {.name = "relative_speed",
     .code = "the speed relative to the neighbour for that of the body",
     .says = "Eq. 7 uses the body's own speed, not its speed relative to the nearest "
             "neighbour",
     .adaptive = {.relative_speed = true}},
    {.name = "textbook_root",
     .code = "`(sqrt(v * v + 0.2 * a * D) - v) / a`, which cancels",
     .says = "Eq. 7 as the textbook root (sqrt(v^2 + 0.2 a D) - v) / a? It cancels when a D "
             "is small beside v^2, and is 0/0 for a = 0 (docs/physics.md, section 2)",
     .adaptive = {.textbook_root = true}},
    {.name = "adaptive_step_once",
     .code = "your own `advance()` asks `largest_time_step()` once, before its loop",
     .says = "the first adaptive step is used for all: compute largest_time_step() in every step",
     .adaptive = {.loop = AdaptiveLoop::first_step_for_all}},
    {.name = "adaptive_accelerations_once",
     .code = "an `advance()` of your own that computes accelerations before its adaptive loop",
     .says = "the accelerations are those of the very first step: compute them in every step",
     .adaptive = {.loop = AdaptiveLoop::first_accelerations_for_all}},
    {.name = "adaptive_step_before_accelerations",
     .code = "`largest_time_step()` before `compute_accelerations()` in an `advance()` of your own",
     .says = "the adaptive step is computed with the accelerations of the step before, at "
             "first with zero: compute them first",
     .adaptive = {.loop = AdaptiveLoop::step_before_accelerations}},
    {.name = "adaptive_floor_once",
     .code = "the floor is used in the first of many steps only",
     .says = "the shortest step allowed (--mdt) is not applied in every step",
     .adaptive = {.loop = AdaptiveLoop::floor_in_the_first_only}},
    {.name = "adaptive_time_of_last",
     .code = "the time returned is the number of steps times the last dt",
     .says =
         "the time returned by advance() is the number of steps times the last dt: add up every dt",
     .adaptive = {.loop = AdaptiveLoop::time_from_the_last}},
    {.name = "adaptive_one_step",
     .code = "the number of steps is not used when the step is adaptive",
     .says = "only one of many adaptive steps in one go is made",
     .adaptive = {.loop = AdaptiveLoop::one_step_only}},
    {.name = "adaptive_end_not_a_number",
     .code = "memory that was never written, read after the last of many adaptive steps",
     .says = "the bodies are not finite after many adaptive steps",
     .adaptive = {.loop = AdaptiveLoop::not_a_number_at_the_end}},
    {.name = "dt_floor_ignored",
     .code = "`rule.dt_floor` is not used",
     .says = "the floor of the adaptive step is ignored",
     .adaptive = {.below_floor = true}},
};

// --- numbers in words ----------------------------------------------------------------------------

std::string axes_in_words(double x) {
  const MixedAxes mixed(x);
  const std::string from = mixed.first < 2
                               ? ""
                               : fmt::format(
                                     ", of the bodies from index {} on: does a loop over the "
                                     "remaining bodies do it?",
                                     mixed.first);
  for (const auto& [a, b] : {std::pair{0u, 1u}, std::pair{0u, 2u}, std::pair{1u, 2u}}) {
    if (mixed.of(a) == b + 1 && mixed.of(b) == a + 1) {
      return fmt::format("the {} and {} components are swapped{}", "xyz"[a], "xyz"[b], from);
    }
  }
  std::vector<std::string> found;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t of = mixed.of(axis);
    if (of == axis + 1) continue;
    const std::string what = of == 0          ? " is zero: never summed?"
                             : of == axis + 4 ? " has the wrong sign"
                             : of < 4 ? fmt::format(" holds the {} component", "xyz"[of - 1])
                                      : fmt::format(" holds -{}", "xyz"[of - 4]);
    found.push_back(fmt::format("the {} component{}", "xyz"[axis], what));
  }
  return fmt::format("{}{}", fmt::join(found, "; "), from);
}

std::string pair_in_words(double x, std::size_t n) {
  const auto pair = static_cast<std::size_t>(x < 0 ? -x - 1 : x);
  return fmt::format("body {} does not feel body {}", pair / n, pair % n);
}

std::string in_words(Number number, double x, const Shown& shown) {
  switch (number) {
    case Number::factor:
      return fmt::format("{} by the same factor {:.6g}", std::abs(x) < 1 ? "small" : "large", x);
    case Number::added:
      return fmt::format("{:.1g}", x);
    case Number::distance:
      return fmt::format("{:.2g} m", x * shown.metre);
    case Number::mass:
      return fmt::format("{:.1g} kg", x * shown.kilogram);
    case Number::pair:
      return pair_in_words(x, shown.n);
    case Number::source_index:
      return end_of(x, shown.n) + 1 == shown.n
                 ? fmt::format("body {} pulls", shown.n - 1)
                 : fmt::format("bodies from index {} on pull", end_of(x, shown.n));
    case Number::target_index:
    case Number::moved_index:
    case Number::search_index:
      return std::to_string(end_of(x, shown.n));
    case Number::axes:
      return axes_in_words(x);
    case Number::share:
      return fmt::format("{:.0f}", 100 * x);
    case Number::steps:
      return fmt::format("{} of {}", x, shown.steps);
    default:
      return fmt::format("{:.6g}", x);
  }
}

}  // namespace

Mistake with_number(Mistake mistake, double x) {
  mistake.x = x;
  if (mistake.number == Number::keep) mistake.scheme.keep = x;
  if (mistake.number == Number::share) mistake.adaptive.share = x;
  if (mistake.number == Number::longest_step) mistake.adaptive.at_most = x;
  return mistake;
}

std::string sentence_of(const Mistake& mistake, const Shown& shown) {
  return fmt::format(fmt::runtime(mistake.says), in_words(mistake.number, mistake.x, shown));
}

const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> all = [] {
    std::vector<Mistake> with_numbers;
    for (const Mistake& row : rows) with_numbers.push_back(with_number(row, row.x));
    return with_numbers;
  }();
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
    const std::string_view name = mistake.name, cause = mistake.seen_as();
    const bool a_part = mistake.only_a_program;
    text += fmt::format("| {}{} | {} | {}{} |\n", name,
                        name == cause ? "" : fmt::format(" ({})", cause), mistake.code,
                        a_part ? "... " : "",
                        a_part ? mistake.says : sentence_of(mistake, {100, 300, 1, 1}));
  }
  return text;
}

}  // namespace nbody::check
