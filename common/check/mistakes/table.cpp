#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "check/mistakes/estimated_root.hpp"
#include "check/mistakes/mistake.hpp"

namespace nbody::check {
namespace {

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

// --- answers -------------------------------------------------------------------------------------

// The axis that a code puts on another one. 0: zero; 1 to 3: x, y, z; 4 to 6: the same with the
// other sign.
std::size_t axis_of(double code, std::size_t axis) {
  return static_cast<std::size_t>(code) / (axis == 0 ? 1 : axis == 1 ? 7 : 49) % 7;
}

void mix_axes(Vectors<double>& a, double code) {
  const Vectors<double> right = a;
  const std::vector<double>* const from[] = {&right.x, &right.y, &right.z};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t of = axis_of(code, axis);
    auto& to = axis == 0 ? a.x : axis == 1 ? a.y : a.z;
    for (std::size_t i = 0; i < to.size(); ++i) {
      to[i] = of == 0 ? 0 : of < 4 ? (*from[of - 1])[i] : -(*from[of - 4])[i];
    }
  }
}

// The table, in reading order: forces from the likeliest formula to the oddest index, then steps.
const Mistake rows[] = {
    // A wrong formula: the checker tries each.
    {{"softening_ignored", "eps^2 is not added",
      "softening is ignored: eps^2 belongs under the root"},
     {.factor = [](const Pull& p) { return with_r2(p, p.distance2); }}},
    {{"small_softening_ignored", "`if (eps2 < limit)` takes the loop without softening",
      "softening is ignored where it is small"},
     {.cause = "small_softening",
      .only_a_program = true,
      .factor =
          [](const Pull& p) {
            const bool small = p.softening * p.softening < 1e-4;
            return small ? with_r2(p, p.distance2) : 1;
          }}},
    {{"softening_not_squared", "`r2 + eps` for `r2 + eps * eps`",
      "softening: eps is added to the squared distance instead of eps^2"},
     {.factor = [](const Pull& p) { return with_r2(p, p.distance2 + p.softening); }}},
    {{"softening_added_to_distance", "`r + eps` for `sqrt(r2 + eps * eps)`",
      "softening: eps is added to the distance; eps^2 belongs under the root"},
     {.factor =
          [](const Pull& p) {
            const double r = std::sqrt(p.distance2) + p.softening;
            return with_r2(p, r * r);
          }}},
    {{"softening_after_only", "eps^2 in only one of two loops, that over j > i",
      "softening is used for the bodies after each one (j > i) only: the loop over those before it "
      "lacks eps^2"},
     {.factor = [](const Pull& p) { return p.j > p.i ? 1.0 : with_r2(p, p.distance2); }}},
    {{"softening_before_only", "eps^2 in only one of two loops, that over j < i",
      "softening is used for the bodies before each one (j < i) only: the loop over those after it "
      "lacks eps^2"},
     {.factor = [](const Pull& p) { return p.j < p.i ? 1.0 : with_r2(p, p.distance2); }}},
    {{"softening_under_the_root_only", "`/ (r2 * sqrt(r2 + eps * eps))`",
      "softening is missing in one of two factors: r^2 beside the root needs eps^2, too"},
     {.factor = [](const Pull& p) { return p.r2() / p.distance2; }}},
    {{"softening_beside_the_root_only", "`/ ((r2 + eps * eps) * sqrt(r2))`",
      "softening is missing in one of two factors: the root needs eps^2, too"},
     {.factor = [](const Pull& p) { return std::sqrt(p.r2() / p.distance2); }}},
    {{"own_mass", "the force of Eq. 1, not divided by m_i",
      "each acceleration is multiplied by the body's own mass: Eq. 3 divides the force by it"},
     {.factor = [](const Pull& p) { return p.mass_i; }}},
    {{"mass_of_target", "`mass[i]` for `mass[j]`",
      "the mass of the pulled body is used instead of the pulling body's mass"},
     {.factor = [](const Pull& p) { return p.mass_i / p.mass_j; }}},
    {{"sum_of_masses", "`mass[i] + mass[j]` for `mass[j]`, as in the relative motion of two bodies",
      "the sum of both masses is used instead of the pulling body's mass"},
     {.factor = [](const Pull& p) { return (p.mass_i + p.mass_j) / p.mass_j; }}},
    {{"no_mass", "`mass[j]` is missing",
      "the mass of the pulling body is missing: each body pulls like a mass of 1"},
     {.factor = [](const Pull& p) { return 1 / p.mass_j; }}},
    {{"one_sided", "the third law's other half is missing",
      "each body feels only those after it: the other half of each pair (third law) is missing"},
     {.factor = [](const Pull& p) { return p.j > p.i ? 1.0 : 0.0; }}},
    {{"other_side", "the third law adds to body j and forgets body i",
      "each body feels only those before it: the other half of each pair (third law) is missing"},
     {.factor = [](const Pull& p) { return p.j < p.i ? 1.0 : 0.0; }}},
    {{"third_law_sign", "`+=` for `-=` on body j",
      "third law with the wrong sign: body i is right, but body j of each pair (j > i) is pushed "
      "the same way instead of the opposite one: += where -= belongs?"},
     {.factor = [](const Pull& p) { return p.j > p.i ? 1.0 : -1.0; }}},
    {{"third_law_other_sign", "`-=` for `+=` on body i",
      "third law with the wrong sign: body j of each pair (j > i) is right, but body i is pushed "
      "the same way instead of the opposite one"},
     {.factor = [](const Pull& p) { return p.j > p.i ? -1.0 : 1.0; }}},
    {{"third_law_mass", "`a[j] -= f * mass[j]` for `mass[i]`",
      "third law with the wrong mass: body j of each pair (j > i) is pulled by its own mass "
      "instead of the other body's"},
     {.factor = [](const Pull& p) { return p.j > p.i ? 1.0 : p.mass_i / p.mass_j; }}},
    {{"third_law_other_mass", "`a[i] += f * mass[i]` for `mass[j]`",
      "third law with the wrong mass: body i of each pair (j > i) is pulled by its own mass "
      "instead of the other body's"},
     {.factor = [](const Pull& p) { return p.j < p.i ? 1.0 : p.mass_i / p.mass_j; }}},
    {{"mass_of_the_first", "one mass for all bodies", "all bodies pull with the mass of the first"},
     {.factor = [](const Pull& p) { return p.masses[0] / p.mass_j; }}},
    {{"reaction_overwritten",
      "`sx[i] = reduce_add(ax)` for `+=`, with each pair once in batches of 8",
      "each body feels only its own batch and those after it: `=` where `+=` belongs overwrites "
      "what earlier bodies have added (third law)"},
     {.number = Number::width,
      .factor = [](const Pull& p) { return p.j / p.width() >= p.i / p.width() ? 1.0 : 0.0; }}},
    {{"last_batch_only", "`sum = ...` for `sum += ...` in a loop over batches of 8",
      "each body feels the last batch of sources only: `=` where `+=` belongs"},
     {.number = Number::width,
      .factor =
          [](const Pull& p) { return p.j >= (p.n - 1) / p.width() * p.width() ? 1.0 : 0.0; }}},
    {{"distance_squared", "`/ r2` for `/ (r2 * r)`",
      "the force falls like 1/r instead of 1/r^2: is d / r the unit vector, and r a root?"},
     {.factor = power<2>}},
    {{"distance_fourth", "`/ (r2 * r2)` for `/ (r2 * r)`",
      "the force falls like 1/r^3 instead of 1/r^2: one 1/r too many?"},
     {.factor = power<4>}},
    {{"unit_vector_only", "`/ r` for `/ (r2 * r)`",
      "the force does not depend on the distance instead of 1/r^2"},
     {.factor = power<1>}},
    {{"no_distance", "no division by the distance at all",
      "the force grows like r instead of 1/r^2"},
     {.factor = power<0>}},
    {{"distance_fifth", "`/ (r2 * r2 * r)` for `/ (r2 * r)`",
      "the force falls like 1/r^4 instead of 1/r^2"},
     {.factor = power<5>}},
    {{"distance_cubed_twice", "`/ (r2 * r2 * r2)` for `/ (r2 * r)`: the root is missing",
      "the force falls like 1/r^5 instead of 1/r^2"},
     {.factor = power<6>}},
    // With a number
    {{"reversed", "`r_i - r_j` for `r_j - r_i`",
      "every force points the wrong way: r_i - r_j for r_j - r_i?"},
     {.factor = [](const Pull&) { return -1.0; }}},
    {{"one_factor", "a constant typed wrong, `G` of other units: here 10 % too weak",
      "all forces too {}: G, or a constant factor?"},
     {.number = Number::factor, .x = 0.9, .factor = [](const Pull& p) { return p.x; }}},
    {{"constant", "`r2 + 1e-20f` against 0/0",
      "forces between close bodies are too weak, as if {} were added to r^2: an absolute constant? "
      "Units are scaled (docs/physics.md, section 5)"},
     {.number = Number::added,
      .x = 1e-20,
      .factor = [](const Pull& p) { return with_r2(p, p.r2() + p.x); }}},
    {{"self_interaction", "no test for i == j: 0/0 without softening",
      "NaN or infinite: 0/0 (a body that meets itself"},
     {.cause = "not_finite", .only_a_program = true, .fault = Fault::meets_itself}},
    {{"guard_lost_in_float", "`r2 + 1e-50` against 0/0: in float that is 0",
      "right in double: in float a number leaves its range"},
     {.cause = "range", .only_a_program = true, .fault = Fault::meets_itself_guarded}},
    // Bodies and pairs
    {{"first_body_skipped", "`j = 1` for `j = 0`",
      "body 0 pulls no other body: the loop over the sources starts at 1"},
     {.factor = [](const Pull& p) { return p.j == 0 ? 0.0 : 1.0; }}},
    {{"last_body_skipped", "`j < n - 1` for `j < n`",
      "the last body pulls no other body: the loop over the sources ends too early"},
     {.factor = [](const Pull& p) { return p.j + 1 < p.n ? 1.0 : 0.0; }}},
    {{"sources_end", "`j + 8 <= n`: sources beyond the last multiple of 8 are skipped",
      "the bodies beyond the last multiple of {} pull no other body: the loop over the sources "
      "ends too early"},
     {.number = Number::width,
      .factor = [](const Pull& p) { return p.j < p.whole() ? 1.0 : 0.0; }}},
    {{"tiles_of_thousand", "a last tile of 1000 bodies is lost if it is full",
      "wrong where the number of bodies is a multiple of"},
     {.cause = "multiples",
      .only_a_program = true,
      .factor = [](const Pull& p) { return p.n % 1000 == 0 && p.j + 1000 >= p.n ? 0.0 : 1.0; }}},
    {{"targets_end", "n / 64 blocks: targets beyond the last multiple of 64 get zero",
      "the bodies beyond the last multiple of {} feel nothing: a tail is skipped"},
     {.number = Number::width,
      .x = 64,
      .factor = [](const Pull& p) { return p.i < p.whole() ? 1.0 : 0.0; }}},
    {{"whole_batches_only",
      "arrays are cut to whole batches of 8: the bodies beyond neither pull nor are pulled",
      "the bodies beyond the last multiple of {} are left out: they pull no other body and feel "
      "nothing"},
     {.number = Number::width,
      .factor = [](const Pull& p) { return std::max(p.i, p.j) < p.whole() ? 1.0 : 0.0; }}},
    {{"bodies_end", "arrays for 4096 bodies: the others neither pull nor are pulled",
      "right up to"},
     {.cause = "too_many",
      .only_a_program = true,
      .factor = [](const Pull& p) { return std::max(p.i, p.j) < 4096 ? 1.0 : 0.0; }}},
    {{"tile_index", "a tile is loaded with the tile's index instead of the thread's",
      "some bodies pull many times, others not at all: sources are loaded with a wrong index (a "
      "tile's instead of a thread's?)"},
     {.number = Number::width, .x = 64, .cause = "sources_repeated", .factor = tile_index}},
    {{"shared_tile_not_refreshed", "the first tile of sources is used for every tile",
      "the first bodies pull many times, those of later tiles not at all: is each tile loaded with "
      "a wrong index, or only the first?"},
     {.number = Number::width, .x = 64, .cause = "sources_repeated", .factor = first_tile_again}},
    {{"padding_has_mass", "arrays are filled up to whole batches of 8 with bodies of mass 1",
      "the padding behind the last body has mass, so it pulls: give it mass 0"},
     {.number = Number::width, .fault = Fault::padding_has_mass}},
    // Number range and precision
    {{"raw_rsqrt", "a 12-bit reciprocal square root without a Newton step",
      "raw reciprocal square root"},
     {.cause = "few_digits", .only_a_program = true, .factor = raw_root}},
    {{"gmm_overflow", "`G * m_i * m_j` in float, before the division by m_i",
      "right in double: in float a number leaves its range"},
     {.cause = "range", .only_a_program = true, .factor = force_first}},
    // The values
    {{"nothing", "a kernel that failed to start, unchecked; or results never copied out",
      "all accelerations are zero: never computed, never copied out, or a last, partial tile left "
      "out"},
     {.answer =
          [](Vectors<double>& a, double) {
            for (auto* axis : {&a.x, &a.y, &a.z}) axis->assign(axis->size(), 0);
          }}},
    {{"axes", "copy and paste: z takes the value of y", "{}"},
     {.number = Number::axes, .x = 1 + 7 * 2 + 49 * 2, .answer = mix_axes}},
    // Eq. 4 and 5: the checker tries each.
    {{"new_velocity", "v is updated before q",
      "the new velocity is used in Eq. 5: move the bodies before changing v"},
     {.scheme = {1, 1, 3}}},
    {{"half_missing",
      "`a * dt * dt` for `a * dt * dt / 2`; or v is updated first, and then q += v dt",
      "Eq. 5 uses a dt^2 instead of a dt^2/2: half of it, with the old v"},
     {.scheme = {1, 1, 2}}},
    {{"no_acceleration_in_position", "Eq. 5 without a dt^2/2",
      "the term a dt^2/2 is missing in Eq. 5"},
     {.scheme = {1, 1, 0}}},
    {{"half_dt", "half of dt", "only half of dt is used"}, {.scheme = {0.5, 0.5, 0.25}}},
    {{"twice_dt", "twice the dt", "twice the dt is used"}, {.scheme = {2, 2, 4}}},
    {{"no_step", "`update_bodies()` never called, or its result thrown away",
      "nothing moves: no step is made"},
     {.scheme = {0, 0, 0}}},
    {{"accelerations_not_used", "a stays out of Eq. 4 and 5",
      "accelerations are not used: bodies fly straight on"},
     {.scheme = {0, 1, 0}}},
    {{"accelerations_subtracted", "`-=` for `+=` in Eq. 4 and 5",
      "accelerations are subtracted in Eq. 4 and 5"},
     {.scheme = {-1, 1, -1}}},
    {{"position_not_updated", "Eq. 5 is missing", "positions never change: Eq. 5 is missing"},
     {.scheme = {1, 0, 0}}},
    {{"velocity_not_updated", "Eq. 4 is missing", "velocities never change: Eq. 4 is missing"},
     {.scheme = {0, 1, 1}}},
    {{"velocity_times_dt_squared", "`v * dt * dt` for `v * dt`",
      "Eq. 5 uses v dt^2 instead of v dt"},
     {.scheme = {.drift_dt = 1}}},
    {{"velocity_without_dt", "`v` for `v * dt`", "Eq. 5 uses v without dt"},
     {.scheme = {.drift_dt = -1}}},
    {{"push_by_dt", "`a * dt / 2` for `a * dt * dt / 2`", "Eq. 5 uses a dt/2 instead of a dt^2/2"},
     {.scheme = {.push_dt = -1}}},
    {{"half_kick_in_step", "`a * dt / 2` in Eq. 4", "Eq. 4 uses a dt/2 instead of a dt"},
     {.scheme = {.kick = 0.5}}},
    {{"kick_twice", "v is updated twice", "Eq. 4 uses 2 a dt: is v updated twice?"},
     {.scheme = {.kick = 2}}},
    {{"kick_by_dt_squared", "`a * dt * dt` for `a * dt`", "Eq. 4 uses a dt^2 instead of a dt"},
     {.scheme = {.kick_dt = 1}}},
    {{"kick_without_dt", "`a` for `a * dt`", "Eq. 4 uses a without dt"},
     {.scheme = {.kick_dt = -1}}},
    {{"rest_stays", "bodies without velocity are not moved, to save time",
      "those at rest are left out"},
     {.cause = "rest", .only_a_program = true, .fault = Fault::rest_stays}},
    {{"bodies_stay", "`update_bodies()` moves whole batches of 8",
      "the bodies beyond the last multiple of {} do not move: a tail that update_bodies(), or "
      "kick() and drift(), skips"},
     {.number = Number::width, .fault = Fault::bodies_stay}},
    {{"capacity_of_update", "an array for 4096 bodies: the others do not move", "right up to"},
     {.x = 4096, .cause = "too_many", .only_a_program = true, .fault = Fault::bodies_stay}},
    // Kicks and drifts, the building blocks of other integrators
    {{"kick_of_other_arrays", "bodies in arrays of your own, and the kick() of naive",
      "kick() changes no velocity: your own arrays need your own kick()"},
     {.kick = 0}},
    {{"drift_of_other_arrays", "bodies in arrays of your own, and the drift() of naive",
      "drift() moves no body: your own arrays need your own drift()"},
     {.drift = 0}},
    {{"half_kick", "`a * dt / 2` in kick()", "kick() makes half a kick: it gets the whole dt"},
     {.kick = 0.5}},
    {{"half_drift", "`v * dt / 2` in drift()", "drift() makes half a drift: it gets the whole dt"},
     {.drift = 0.5}},
    // The time loop
    {{"stale_accelerations", "accelerations are computed once, outside the loop",
      "the accelerations are those of the very first step: compute them in every step"},
     {.fault = Fault::accelerations_of_the_first_step}},
    {{"previous_accelerations", "accelerations are computed after the update",
      "the step uses the accelerations of the previous step: compute them first"},
     {.fault = Fault::accelerations_of_the_step_before}},
    {{"sources_of_the_first_step", "the pulling bodies are copied once, before the first step",
      "the first step is right; later ones take the pulling bodies to be where they were in the "
      "first: copy their positions in every step"},
     {.fault = Fault::sources_of_the_first_step}},
    {{"dt_of_the_step_before", "the next dt is computed after the update, and another one returned",
      "every step moves the bodies by the dt of the previous step"},
     {.fault = Fault::dt_of_the_step_before}},
    {{"not_reset", "`+=` without a reset",
      "accelerations add up from step to step: set them to zero before summing"},
     {.fault = Fault::accelerations_summed_over_steps}},
    {{"mass_of_target_in_steps", "`mass[i]` for `mass[j]` in a fused loop of forces and steps",
      "the step moves bodies with other accelerations than those it computes when asked: the mass "
      "of the pulled body is used instead of the pulling body's mass"},
     {.cause = other_accelerations,
      .only_a_program = true,
      .factor = [](const Pull& p) { return p.mass_i / p.mass_j; },
      .fault = Fault::only_in_steps}},
    {{"inputs_changed", "bodies are moved outside `update_bodies()`, here by 1 / 1024 in x",
      "all positions are shifted: the bodies are changed outside update_bodies()"},
     {.fault = Fault::moves_bodies}},
    {{"one_step_too_many", "`step <= steps` in an `advance()` of your own",
      "a step too many: advance(steps) makes steps + 1"},
     {.steps = [](std::uint64_t asked) { return asked + 1; }}},
    {{"one_step_short", "`step < steps - 1` in an `advance()` of your own",
      "one step too few: advance(steps) makes steps - 1"},
     {.steps = [](std::uint64_t asked) { return asked == 0 ? 0 : asked - 1; }}},
    {{"steps_in_two_bytes", "`std::uint16_t` counts the steps: it starts again at 0 after 65535",
      "steps in one go are counted in a number of 16 bits, which starts again at 0: use "
      "std::uint64_t"},
     {.steps = [](std::uint64_t asked) { return asked & 65535; }}},
    {{"steps_in_a_byte", "`std::uint8_t` counts the steps: it starts again at 0 after 255",
      "steps in one go are counted in a number of 8 bits, which starts again at 0: use "
      "std::uint64_t"},
     {.steps = [](std::uint64_t asked) { return asked & 255; }}},
    {{"wrong_time", "the time returned is steps times the fixed dt",
      "the bodies move by the right steps, but advance() returns another time: the number of steps "
      "times the fixed dt"},
     {.fault = Fault::reports_fixed_steps}},
    {{"time_in_float", "`float time; time += dt` in an `advance()` of your own",
      "the time returned by advance() is added up in float, which loses digits in each step: use "
      "double, or multiply dt by the number of steps"},
     {.fault = Fault::adds_time_in_float}},
    // The adaptive step
    {{"adaptive_ignored", "the adaptive step is never used",
      "the adaptive step is ignored: the fixed dt is used (is largest_time_step() infinite?)"},
     {.fault = Fault::never_adaptive}},
    {{"share", "20 % of the way instead of 10 %",
      "the step takes {} % of the way to the nearest neighbour: Eq. 7 uses 10 %"},
     {.number = Number::share, .x = 0.2, .fault = Fault::other_share}},
    {{"adaptive_not_smallest", "no minimum over all bodies",
      "the step is that of body 0 alone: Eq. 7 uses the smallest of all"},
     {.fault = Fault::step_of_body_0}},
    {{"adaptive_softened", "the neighbour's distance is taken from r2 + eps * eps",
      "the distance to the nearest neighbour is softened: Eq. 7 uses the distance itself"},
     {.fault = Fault::softened}},
    {{"adaptive_itself", "a body is its own nearest neighbour, at distance 0",
      "the step is 0: does a body take itself for its nearest neighbour?"},
     {.fault = Fault::counts_itself}},
    {{"neighbours_after_only",
      "neighbours found with each pair once, and only those of body i kept",
      "the nearest neighbour is sought only among the bodies after each one (j > i): with each "
      "pair once, body j needs its distance, too"},
     {.fault = Fault::neighbours_after}},
    {{"neighbours_before_only",
      "neighbours found with each pair once, and only those of body j kept",
      "the nearest neighbour is sought only among the bodies before each one (j < i): with each "
      "pair once, body i needs its distance, too"},
     {.fault = Fault::neighbours_before}},
    {{"last_neighbour_skipped", "`j < n - 1` for `j < n` in the search for the nearest neighbour",
      "the last body is left out of the search for the nearest neighbour"},
     {.fault = Fault::neighbours_but_the_last}},
    {{"search_ends", "the smallest step is sought in whole batches of 8",
      "the bodies beyond the last multiple of {} are left out of the search for the smallest step"},
     {.number = Number::width, .fault = Fault::search_ends}},
    {{"capacity_of_search", "the smallest step is sought among 4096 bodies", "right up to"},
     {.x = 4096, .cause = "too_many", .only_a_program = true, .fault = Fault::search_ends}},
    {{"neighbours_of_the_first_step",
      "neighbours are sought once, or now and then, and their indices kept",
      "the nearest neighbours are those of an earlier step: another body may have become nearer, "
      "so search anew in every step"},
     {.fault = Fault::neighbours_of_the_first_step}},
    {{"constant_step",
      "the minimum over all bodies starts at a number such as 0.01, not at infinity",
      "no adaptive step is longer than a constant: the minimum over all bodies starts at infinity"},
     {.number = Number::longest_step, .x = 0.01, .fault = Fault::longest_step}},
    {{"running_minimum", "the minimum over all bodies is kept from step to step",
      "the adaptive step never grows again: start its minimum anew in every step"},
     {.fault = Fault::never_grows}},
    {{"cut_at_the_fixed_dt", "`min(rule.dt, largest_time_step())`",
      "the adaptive step is never longer than the fixed dt: with --vdt only Eq. 7 and the floor "
      "decide"},
     {.fault = Fault::cut_at_fixed}},
    {{"floor_for_fixed_steps", "`max(dt, rule.dt_floor)` whether or not the step is adaptive",
      "the shortest step allowed (--mdt) is applied to fixed steps, too: it is for adaptive ones"},
     {.fault = Fault::floor_for_fixed}},
    {{"relative_speed", "the speed relative to the neighbour for that of the body",
      "Eq. 7 uses the body's own speed, not its speed relative to the nearest neighbour"},
     {.fault = Fault::relative_speed}},
    {{"textbook_root", "`(sqrt(v * v + 0.2 * a * D) - v) / a`, which cancels",
      "Eq. 7 as the textbook root (sqrt(v^2 + 0.2 a D) - v) / a? It cancels when a D is small "
      "beside v^2, and is 0/0 for a = 0 (docs/physics.md, section 2)"},
     {.fault = Fault::textbook_root}},
    {{"adaptive_step_once", "your own `advance()` asks `largest_time_step()` once, before its loop",
      "the first adaptive step is used for all: compute largest_time_step() in every step"},
     {.fault = Fault::first_step_for_all}},
    {{"adaptive_step_before_accelerations",
      "`largest_time_step()` before `compute_accelerations()` in an `advance()` of your own",
      "the adaptive step is computed with the accelerations of the step before, at first with "
      "zero: compute them first"},
     {.fault = Fault::step_before_accelerations}},
    {{"dt_floor_ignored", "`rule.dt_floor` is not used",
      "the floor of the adaptive step is ignored"},
     {.fault = Fault::below_floor}},
};

// --- numbers in words ----------------------------------------------------------------------------

std::string axes_in_words(double code) {
  std::vector<std::string> found;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t of = axis_of(code, axis);
    if (of == axis + 1) continue;
    const std::string what = of == 0          ? " is zero: never summed?"
                             : of == axis + 4 ? " has the wrong sign"
                             : of < 4 ? fmt::format(" holds the {} component", "xyz"[of - 1])
                                      : fmt::format(" holds -{}", "xyz"[of - 4]);
    found.push_back(fmt::format("the {} component{}", "xyz"[axis], what));
  }
  return fmt::format("{}", fmt::join(found, "; "));
}

std::string in_words(Number number, double x) {
  switch (number) {
    case Number::factor:
      return fmt::format("{} by the same factor {:.6g}", std::abs(x) < 1 ? "small" : "large", x);
    case Number::added:
      return fmt::format("{:.1g}", x);
    case Number::width:
      return fmt::format("{}", x);
    case Number::axes:
      return axes_in_words(x);
    case Number::share:
      return fmt::format("{:.0f}", 100 * x);
    default:
      return "";
  }
}

}  // namespace

std::string sentence_of(const Mistake& mistake) {
  return fmt::format(fmt::runtime(mistake.says), in_words(mistake.number, mistake.x));
}

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
    const std::string_view name = mistake.name, cause = mistake.seen_as();
    const bool a_part = mistake.only_a_program;
    text += fmt::format("| {}{} | {} | {}{} |\n", name,
                        name == cause ? "" : fmt::format(" ({})", cause), mistake.code,
                        a_part ? "... " : "", a_part ? mistake.says : sentence_of(mistake));
  }
  return text;
}

}  // namespace nbody::check
