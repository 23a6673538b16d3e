#include "check/rerun.hpp"

#include <algorithm>
#include <cmath>

#include "check/error_measure.hpp"
#include "check/judge.hpp"
#include "check/mistakes/mistaken.hpp"
#include "core/scheme.hpp"
#include "simulator/simulation.hpp"

namespace nbody::check {
namespace {

// Errors of both answers, in sums of other orders.
constexpr double roundings = 4;

// Pairs of bodies in all steps: a hundredth of a second, and a second or two.
constexpr double quick = 4e6, proposed_by_the_answer = 3e8;

// The mistake to make: a simulator is made through a function without arguments of its own.
thread_local const Mistake* chosen = nullptr;

template <typename T>
std::unique_ptr<SimulatorOf<T>> make_mistaken(const ProblemOf<T>& problem) {
  return std::make_unique<MistakenOf<T>>(problem, *chosen);
}

bool is_finite_body(const Vectors<double>& v, std::size_t i) {
  return is_finite(v.x[i]) && is_finite(v.y[i]) && is_finite(v.z[i]);
}

// Both have the same bodies that are not finite; these are set to zero.
bool drop_not_finite(Vectors<double>& a, Vectors<double>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (is_finite_body(a, i) != is_finite_body(b, i)) return false;
    if (is_finite_body(a, i)) continue;
    for (const auto axis : axes) (a.*axis)[i] = (b.*axis)[i] = 0;
  }
  return true;
}

bool same_accelerations(const Case& test, Vectors<double> got, Vectors<double> other, double fit) {
  if (got.size() != other.size() || !drop_not_finite(got, other)) return false;
  const std::vector<double>& magnitude = test.reference().magnitude;
  for (std::size_t k = 0; k < test.rows.size(); ++k) {
    const std::size_t i = test.rows[k];
    const double scale = std::max(magnitude[k], length(other, i));
    if (!(distance(got, other, i) <= fit * scale)) return false;
  }
  return true;
}

// A time that is added up in float differs by less than this from no other.
constexpr double same_fixed_time = 1e-8;

bool same_state(const Case& test, State got, State other, double step, const Tolerance& tolerance) {
  // In float an adaptive step is right to about 1e-6.
  const double late = test.request.adaptive ? 2e-5 : same_fixed_time;
  if (!(std::abs(got.time - other.time) <= late * std::abs(other.time))) return false;
  if (!drop_not_finite(got.position, other.position) ||
      !drop_not_finite(got.velocity, other.velocity)) {
    return false;
  }
  // Roundings of many steps would hide a lost one.
  if (is_in_one_go(test) && test.request.steps > 9) {
    Run run = test.run();
    run.end = other;
    return miss_of(got, run, tolerance.digits) <= path_limit;
  }
  const double dt = std::abs(other.time) / step;
  return state_error(other, got, test.reference().magnitude, dt, tolerance, test.rows,
                     roundings * step)
             .max <= 1;
}

// By their own lengths: what cancels in a jerk is not known here.
bool same_vectors(const Vectors<double>& a, const Vectors<double>& b, double fit) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!(distance(a, b, i) <= std::max(fit, 1e-3) * length(b, i))) return false;
  }
  return a.size() == b.size();
}

}  // namespace

const std::vector<Mistake>& tried() {
  static const std::vector<Mistake> all = [] {
    std::vector<Mistake> rows = mistakes();
    std::erase_if(rows, [](const Mistake& row) { return row.only_a_program; });
    const std::size_t of_the_table = rows.size();
    for (std::size_t k = 0; k < of_the_table; ++k) {
      if (rows[k].steps != nullptr) {
        rows.push_back(rows[k]);
        rows.back().adds_up_its_steps = true;
      }
      if (rows[k].factor == nullptr || rows[k].only_in_steps) continue;
      Mistake in_steps = rows[k];
      in_steps.only_in_steps = true;
      in_steps.cause = other_accelerations;
      rows.push_back(in_steps);
    }
    return rows;
  }();
  return all;
}

bool is_quick(const Case& test, bool proposed) {
  const auto n = static_cast<double>(test.n()), steps = static_cast<double>(test.request.steps);
  return n * n * (steps + 1) <= (proposed ? proposed_by_the_answer : quick);
}

std::optional<Answer> answer_with(const Mistake& mistake, Request request, Precision precision) {
  const bool in_float = precision == Precision::single_precision;
  Implementation wrong{"wrong", "wrong", "", "", "", make_mistaken<double>};
  if (in_float) wrong.make = make_mistaken<float>;
  chosen = &mistake;
  request.threads = 0;
  request.jerk = false;
  try {
    return answer_request(wrong, request);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

bool same_answer(const Case& test, const Answer& got, const Answer& other,
                 const Tolerance& tolerance, double error) {
  if (got.states.size() != other.states.size()) return false;
  const std::uint64_t steps = test.request.steps;
  for (std::size_t k = 0; k < got.states.size(); ++k) {
    const auto step = static_cast<double>(test.request.every_state ? k + 1 : steps);
    if (!same_state(test, got.states[k], other.states[k], std::max(step, 1.0), tolerance)) {
      return false;
    }
  }
  double fit = roundings / 2 * tolerance.force + 16 * tolerance.digits;
  if (steps == 0) fit = std::min(fit, error / 2);
  if (test.request.jerk && !same_vectors(got.jerk, other.jerk, fit)) return false;
  return !test.request.accelerations ||
         same_accelerations(test, got.accelerations, other.accelerations, fit);
}

bool concerns(const Mistake& mistake, const Case& test) {
  const Request& request = test.request;
  // Without a jerk it refuses, which says nothing about these.
  const std::string& scheme = request.setting.integrator;
  if (request.jerk || scheme_named(scheme).needs_jerk()) return false;
  const bool about_forces =
      !mistake.only_in_steps && (mistake.factor != nullptr || mistake.answer != nullptr ||
                                 mistake.meets_itself || mistake.mass_of_padding > 0);
  const bool moves = mistake.moves_bodies || mistake.steps != nullptr;
  if (request.steps == 0 && !about_forces && !moves) return false;
  const bool of_eq_7 = mistake.adaptive != AdaptiveStep() || mistake.search_ends;
  if (of_eq_7 && !mistake.adaptive.floor_for_fixed && !request.adaptive) return false;
  return !scheme.empty() || (mistake.kick == 1 && mistake.drift == 1);
}

}  // namespace nbody::check
