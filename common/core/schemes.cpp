#include <fmt/format.h>

#include <cmath>

#include "core/input_error.hpp"
#include "core/scheme.hpp"

namespace nbody {
namespace {

// The accelerations at the end of a step also serve the next one: one evaluation per step.
const std::vector<Operation> leapfrog = {
    {Move::kick, 0.5}, {Move::drift}, {Move::accelerations}, {Move::kick, 0.5}};

// The middle one goes backwards: their errors of third order cancel (Eq. 2.11 of Yoshida).
std::vector<Operation> three_leapfrogs() {
  const double outer = 1 / (2 - std::cbrt(2.0)), middle = 1 - 2 * outer;
  const double between = (outer + middle) / 2;
  return {{Move::kick, outer / 2}, {Move::drift, outer},  {Move::accelerations},
          {Move::kick, between},   {Move::drift, middle}, {Move::accelerations},
          {Move::kick, between},   {Move::drift, outer},  {Move::accelerations},
          {Move::kick, outer / 2}};
}

}  // namespace

const std::vector<Scheme>& schemes() {
  static const std::vector<Scheme> all = {
      // Kick by half a step, drift, kick by half a step, all with the accelerations at the start.
      // The second kick comes too early: after another force evaluation it would be kdk.
      {.name = "eq45",
       .summary = "Eq. 4 and 5: the lab's own (default)",
       .order = 1,
       .sequence = {{Move::accelerations}, {Move::update}}},
      // Euler, Institutionum calculi integralis, vol. 1 (1768), section 650. Position and velocity
      // both use the values at the start of the step: a planet spirals out.
      {.name = "euler",
       .summary = "explicit Euler: everything with the old values",
       .order = 1,
       .sequence = {{Move::accelerations}, {Move::drift}, {Move::kick}}},
      // Hairer, Lubich, Wanner, Geometric Numerical Integration (2006), I.1.2. Euler with one line
      // moved: the position with the new velocity. First order, yet symplectic: the energy
      // oscillates but does not drift. With --damping it is the scheme of NVIDIA's sample and GPU
      // Gems 3.
      {.name = "semi-implicit",
       .summary = "Euler, but drift with the new velocity",
       .order = 1,
       .symplectic = true,
       .sequence = {{Move::accelerations}, {Move::kick}, {Move::drift}}},
      // Verlet, Physical Review 159, 98 (1967); Swope et al., J. Chem. Phys. 76, 637 (1982).
      {.name = "kdk",
       .summary = "leapfrog, kick-drift-kick (velocity Verlet)",
       .order = 2,
       .time_symmetric = true,
       .symplectic = true,
       .sequence = leapfrog},
      // Hut, Makino, McMillan, Astrophysical Journal 443, L93 (1995). With a step that depends on
      // the starting point, leapfrog's energy drifts; with one that is the same from both ends it
      // does not. Four corrections find it, each of which goes back and repeats the step: 9
      // evaluations.
      {.name = "kdk-symmetric",
       .summary = "kdk; with --vdt the step is the same from both ends",
       .order = 2,
       .time_symmetric = true,
       .symplectic = true,
       .sequence = leapfrog,
       .symmetric_step = true},
      // Hairer, Lubich, Wanner, I.1.4. The forces are computed in the middle of the step. With
      // --vdt the step is chosen from the forces in the middle of the previous step.
      {.name = "dkd",
       .summary = "leapfrog, drift-kick-drift (position Verlet)",
       .order = 2,
       .time_symmetric = true,
       .symplectic = true,
       .sequence = {{Move::drift, 0.5}, {Move::accelerations}, {Move::kick}, {Move::drift, 0.5}}},
      // Yoshida, Physics Letters A 150, 262 (1990).
      {.name = "yoshida4",
       .summary = "fourth order: three leapfrogs, one backwards",
       .order = 4,
       .time_symmetric = true,
       .symplectic = true,
       .evaluations = 3,
       .sequence = three_leapfrogs()},
      // Kutta, Zeitschrift fuer Mathematik und Physik 46, 435 (1901). Exact to fourth order, but
      // not symplectic: the energy drifts with time.
      {.name = "rk4",
       .summary = "the classical Runge-Kutta method, fourth order",
       .order = 4,
       .evaluations = 4,
       .tableau = {{{}, {0.5}, {0, 0.5}, {0, 0, 1}}, {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6}}},
      // Makino, Aarseth, Publ. Astron. Soc. Japan 44, 141 (1992). Predicts by a Taylor series with
      // the jerk da/dt, computes accelerations and jerk there, and corrects by the Hermite
      // interpolation between both ends (P(EC)^1).
      {.name = "hermite4",
       .summary = "fourth order: predict and correct by the jerk",
       .order = 4,
       .hermite = true},
      // Without forces a step is a stream: it reads positions and velocities, and writes positions.
      {.name = "drift",
       .summary = "no forces, bodies fly straight on: a test of the memory",
       .order = 0,
       .evaluations = 0,
       .sequence = {{Move::drift}}},
  };
  return all;
}

const Scheme& scheme_named(const std::string& name) {
  if (name.empty()) return schemes().front();
  std::string known;
  for (const Scheme& scheme : schemes()) {
    if (scheme.name == name) return scheme;
    known += known.empty() ? "" : ", ";
    known += scheme.name;
  }
  throw InputError(fmt::format("unknown integrator {}: known are {}", in_quotes(name), known));
}

}  // namespace nbody
