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

bool same_accelerations(const Case& test, const Vectors<double>& got, const Vectors<double>& other,
                        double fit) {
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

bool same_state(const Case& test, const State& got, const State& other, double step,
                const Tolerance& tolerance) {
  // In float an adaptive step is right to about 1e-6.
  const double late = test.request.adaptive ? 2e-5 : same_fixed_time;
  if (!(std::abs(got.time - other.time) <= late * std::abs(other.time))) return false;
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
  try {
    return answer_request(wrong, request);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

bool same_answer(const Case& test, const Answer& got, const Answer& other,
                 const Tolerance& tolerance, double error) {
  if (!all_finite(got) || !all_finite(other)) return all_finite(got) == all_finite(other);
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

bool all_finite(const Answer& answer) {
  return is_finite(answer.accelerations) &&
         std::all_of(answer.states.begin(), answer.states.end(), [](const State& state) {
           return is_finite(state.position) && is_finite(state.velocity);
         });
}

bool is_quick(const Case& test) {
  const Request& request = test.request;
  const auto n = static_cast<double>(test.n()), steps = static_cast<double>(request.steps);
  return n * n * (steps + 1) <= quick;
}

}  // namespace nbody::check
