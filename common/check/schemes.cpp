// Integrators beside Eq. 4 and 5: kick(), drift() and the jerk of an implementation at work.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "bodies/scenes.hpp"
#include "check/check_scenes.hpp"
#include "check/error_measure.hpp"
#include "check/plan.hpp"
#include "check/reference_simulator.hpp"
#include "check/step_bounds.hpp"
#include "physics/scheme.hpp"
#include "simulator/integration.hpp"

namespace nbody::check {
namespace {

using protocol::State;

constexpr double infinity = std::numeric_limits<double>::infinity();

using Made = std::unique_ptr<SimulatorOf<double>>;

State after_steps(const Scene& scene, std::uint64_t steps, double kick = 1, double drift = 1) {
  const Setting& setting = scene.setting;
  const auto make = [&](const Bodies<double>& bodies) -> Made {
    const ProblemOf<double> problem{bodies, setting.G, setting.softening};
    return std::make_unique<ReferenceSimulator>(problem, kick, drift);
  };
  Integration<double> run(scheme_named(setting.integrator), 1, make, scene.bodies);
  const double time = run.advance(steps, {false, setting.dt, 0});
  Bodies<double> end = scene.bodies;
  run.simulator().copy_state(end);
  return {time, {end.qx, end.qy, end.qz}, {end.vx, end.vy, end.vz}};
}

// Distance between the end of a step and the reference's, in units of what errors of forces and
// rounding allow: several evaluations, some of them over more than a whole step.
double step_miss(const State& got, const State& expected, const Scene& scene,
                 const Tolerance& tolerance) {
  constexpr double roundings = 5;
  const Reference reference = reference_of(scene);
  const double dt = scene.setting.dt;
  const Vectors<double>&q = expected.position, &v = expected.velocity;
  double worst = 0;
  const auto note = [&](double miss, double bound) {
    if (!(miss <= worst * bound)) worst = is_finite(miss) ? miss / bound : infinity;
  };
  for (std::size_t i = 0; i < q.size(); ++i) {
    const double pull = tolerance.force * reference.magnitude[i];
    const double speed = std::max(length(v, i), reference.magnitude[i] * dt);
    const double place = length(q, i) + speed * dt;
    note(distance(got.velocity, v, i), roundings * (pull * dt + 5 * tolerance.digits * speed));
    note(distance(got.position, q, i), roundings * (pull * dt * dt + 6 * tolerance.digits * place));
  }
  return worst;
}

struct WrongMove {
  double kick, drift;
  const char* diagnosis;
};
constexpr WrongMove wrong_moves[] = {
    {0, 1, "kick() changes no velocity: your own arrays need your own kick()"},
    {0.5, 1, "kick() makes half a kick: it gets the whole dt"},
    {2, 1, "kick() makes two kicks: v += a dt"},
    {-1, 1, "kick() goes the wrong way: v += a dt"},
    {1, 0, "drift() moves no body: your own arrays need your own drift()"},
    {1, 0.5, "drift() makes half a drift: it gets the whole dt"},
    {1, 2, "drift() makes two drifts: q += v dt"},
    {1, -1, "drift() goes the wrong way: q += v dt"},
};

std::string diagnose(const State& got, const Scene& scene, const Tolerance& tolerance) {
  for (const WrongMove& wrong : wrong_moves) {
    const State expected = after_steps(scene, 1, wrong.kick, wrong.drift);
    if (step_miss(got, expected, scene, tolerance) <= 4) return wrong.diagnosis;
  }
  return "";
}

// Each step from where the program's last one ended.
Row judge_single_steps(Subject& subject, Scene scene, Row row) {
  for (int step = 0; step < 3; ++step) {
    protocol::Request request = subject.request_for(scene);
    request.steps = 1;
    const State got = subject.ask(request).states.front();
    const double miss = step_miss(got, after_steps(scene, 1), scene, subject.tolerance());
    if (!(miss <= row.error)) {
      row.error = miss;
      row.detail = fmt::format("step {}: misses by {:.3g} times its bound", step + 1, miss);
    }
    if (!(row.error <= row.limit)) {
      row.diagnosis = diagnose(got, scene, subject.tolerance());
      break;
    }
    scene.bodies = bodies_in(scene, got);
  }
  row.verdict = judged(row.error, row.limit);
  return row;
}

// Two bodies from their largest distance to beyond their smallest: with half the step the error
// falls by 2^order.
Row judge_order(Subject& subject, const Scheme& scheme, Row row) {
  constexpr double time = 4;
  Scene scene = make_scene("two-body", 0, 1);
  scene.setting.integrator = scheme.name;
  const auto ask = [&](std::uint64_t steps) {
    scene.setting.dt = time / static_cast<double>(steps);
    protocol::Request request = subject.request_for(scene);
    request.steps = steps;
    return subject.ask(request).states.front();
  };
  // Chosen so that the error is far above float rounding and one power of dt dominates.
  const std::uint64_t steps = scheme.order == 1 ? 1024 : scheme.order == 2 ? 128 : 16;
  Scene exact = scene;
  exact.setting.integrator = "rk4";
  exact.setting.dt = time / 4096;
  const State end = after_steps(exact, 4096);
  const double coarse = distance(ask(steps), end), fine = distance(ask(2 * steps), end);
  const double order = std::log2(coarse / fine);
  row.error = std::abs(order - scheme.order);
  row.detail = fmt::format("errors {:.3g} and {:.3g}: order {:.2f}", coarse, fine, order);
  row.verdict = judged(row.error, row.limit);
  return row;
}

bool offers(const Subject& subject, const Scheme& scheme) {
  const auto hello = subject.hello();
  return !scheme.needs_jerk() || (hello && hello->has_jerk);
}

// An implementation need not have kick() and drift().
bool has_no_moves(const protocol::SessionError& fault) {
  const std::string said = fault.what();
  return fault.kind == protocol::SessionError::Kind::refused &&
         (said.find("has no kick()") != std::string::npos ||
          said.find("has no drift()") != std::string::npos);
}

// A program in another language need not support any (docs/protocol.md).
bool has_no_integrator(const protocol::SessionError& fault) {
  return fault.kind == protocol::SessionError::Kind::refused &&
         std::string(fault.what()).find("has no integrator") != std::string::npos;
}

// Rows of one program, and what it lacks.
class SchemeRows {
 public:
  SchemeRows(Subject& subject, const Plan& plan, Rows& rows)
      : subject_(subject), plan_(plan), rows_(rows) {}

  void check(const Scheme& scheme) {
    if (!moves_ && !scheme.sequence.empty()) return;
    std::uint64_t k = 0;
    for (const std::size_t n : {2, 33, 130}) {
      Scene scene = without_encounters(make_check_scene(scene_in_turn(k), n, plan_.seed + k));
      scene.setting.integrator = scheme.name;
      ++k;
      add({"integrators", std::string(scheme.name), n, plan_.seed, 0, 1},
          [&](const Row& row) { return judge_single_steps(subject_, scene, row); });
      if (!knows(scheme)) return;
    }
    // With raw estimates of the root, the error is too large to tell the orders apart.
    if (subject_.tolerance().force > 1e-4) return;
    add({"integrators", fmt::format("{}: order {}", scheme.name, scheme.order), 2, plan_.seed, 0,
         0.6},
        [&](const Row& row) { return judge_order(subject_, scheme, row); });
  }

  void tell_unknown() const {
    if (unknown_.empty()) return;
    plan_.on_left_out(fmt::format("unsupported integrators: {}", fmt::join(unknown_, " ")));
  }

 private:
  template <typename Judge>
  void add(Row row, Judge judge) {
    try {
      row = judge(row);
    } catch (const protocol::SessionError& fault) {
      if (has_no_moves(fault)) {
        if (moves_)
          plan_.on_left_out(fmt::format("integrators of kicks and drifts: {}", fault.what()));
        moves_ = false;
        return;
      }
      if (has_no_integrator(fault)) {
        unknown_.push_back(row.scene);
        return;
      }
      note_fault(row, fault, subject_);
    }
    plan_.on_row(row);
    rows_.push_back(std::move(row));
  }
  bool knows(const Scheme& scheme) const {
    return unknown_.empty() || unknown_.back() != scheme.name;
  }

  Subject& subject_;
  const Plan& plan_;
  Rows& rows_;
  bool moves_ = true;
  std::vector<std::string> unknown_;
};

}  // namespace

void check_schemes(Subject& subject, const Plan& plan, Rows& rows) {
  if (!all_passed(rows)) return;  // with wrong forces or steps every scheme is wrong
  SchemeRows of_program(subject, plan, rows);
  for (const Scheme* scheme : schemes()) {
    if (scheme == schemes().front() || scheme->symmetric_step || !offers(subject, *scheme))
      continue;
    of_program.check(*scheme);
  }
  of_program.tell_unknown();
}

}  // namespace nbody::check
