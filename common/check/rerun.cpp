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

// Pairs of bodies in all steps: a hundredth of a second.
constexpr double quick = 4e6;

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

}  // namespace

const std::vector<Mistake>& tried() {
  static const std::vector<Mistake> all = [] {
    std::vector<Mistake> rows = mistakes();
    std::erase_if(rows, [](const Mistake& row) { return row.only_a_program; });
    const std::vector<Mistake> of_the_table = rows;
    for (Mistake row : of_the_table) {
      if (row.steps != nullptr) {
        row.adds_up_its_steps = true;
        rows.push_back(row);
      } else if (row.factor != nullptr) {
        row.fault = Fault::only_in_steps;
        row.cause = other_accelerations;
        rows.push_back(row);
      }
    }
    return rows;
  }();
  return all;
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
  return !test.request.accelerations ||
         same_accelerations(test, got.accelerations, other.accelerations, fit);
}

bool concerns(const Mistake& row, const Case& test) {
  const Request& request = test.request;
  // Without a jerk it refuses, which says nothing about these.
  const std::string& scheme = request.setting.integrator;
  if (request.jerk || scheme_named(scheme).needs_jerk()) return false;
  const bool of_forces =
      !row.does(Fault::only_in_steps) &&
      (row.factor != nullptr || row.answer != nullptr || row.does(Fault::padding_has_mass) ||
       row.does(Fault::moves_bodies) || row.steps != nullptr);
  if (request.steps == 0 && !of_forces) return false;
  if (row.is_about_eq_7() && !row.does(Fault::floor_for_fixed) && !request.adaptive) return false;
  if (scheme.empty() && (row.kick != 1 || row.drift != 1)) return false;
  const auto n = static_cast<double>(test.n()), steps = static_cast<double>(request.steps);
  return n * n * (steps + 1) <= quick;
}

}  // namespace nbody::check
