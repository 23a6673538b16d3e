// What an implementation refuses, and what its program answers to a request. That it computes what
// the reference does is the checker's to tell.
#include "simulator/simulation.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/input_error.hpp"
#include "core/scenes.hpp"
#include "session/session.hpp"
#include "simulator/plain.hpp"
#include "simulator/test_program/implementation.hpp"

namespace nbody {
namespace {

constexpr Precision in_float = Precision::single_precision, in_double = Precision::double_precision;

TEST(Simulation, TheAdaptiveStepHasAFloorAndAStandIn) {
  Scene scene = make_scene("two-body", 0, 1);
  scene.setting.dt_floor = 16;
  EXPECT_EQ(start_simulation(implementation_in(in_float), scene, true)->advance(3), 48);
  // A body alone has no nearest neighbour: dt it is.
  scene = make_scene("plummer", 1, 1);
  scene.setting.dt = 4;
  EXPECT_EQ(start_simulation(implementation_in(in_float), scene, true)->advance(3), 12);
}

std::string refusal_of(const Scene& scene, Precision precision) {
  try {
    start_simulation(implementation_in(precision), scene, false);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

// Bodies 4 and 17 at one place, if nothing else is said.
TEST(Simulation, RefusesWhatWouldOnlyGiveNaN) {
  Scene start = make_scene("plummer", 20, 1);
  start.setting.softening = 0;
  for (auto* q : {&start.bodies.qx, &start.bodies.qy, &start.bodies.qz}) (*q)[17] = (*q)[4];
  const std::string together = "bodies 4 and 17 (counted from 0) are at the same place",
                    body = "body 1 (counted from 0) is too fast, or too light",
                    soft = "the softening (--soft) is too large";
  struct Row {
    void (*change)(Scene&);
    std::string said_in_float, said_in_double;
  };
  const Row rows[] = {
      {[](Scene&) {}, together, together},
      {[](Scene& s) { s.bodies.qx[17] = 0, s.bodies.qx[4] = -0.0; }, together, together},
      {[](Scene& s) { s.bodies.qz[17] *= 1 + 1e-12; }, together, ""},
      {[](Scene& s) { s.setting.softening = 1e-20; }, together, ""},
      {[](Scene& s) { s.setting.softening = 1e-3; }, "", ""},
      {[](Scene& s) { s.bodies.vy[1] = 1e25, s.bodies.qz[17] += 1; }, body, ""},
      {[](Scene& s) { s.bodies.mass[0] = 1e60, s.bodies.qz[17] += 1; }, body, ""},
      {[](Scene& s) { s.setting.softening = 1e25; }, soft, ""}};
  for (const auto& [change, said_in_float, said_in_double] : rows) {
    Scene scene = start;
    change(scene);
    EXPECT_EQ(refusal_of(scene, in_float).substr(0, said_in_float.size()), said_in_float);
    EXPECT_EQ(refusal_of(scene, in_double).substr(0, said_in_double.size()), said_in_double);
    EXPECT_EQ(refusal_of(scene, in_double).empty(), said_in_double.empty());
  }
}

// --- answers

Request request_for(std::uint64_t steps) {
  const Scene scene = make_scene("plummer", 20, 1);
  Request request;
  request.bodies = scene.bodies;
  request.setting = scene.setting;
  request.steps = steps;
  return request;
}

TEST(Answer, IsWhatASimulationGives) {
  for (const bool adaptive : {false, true}) {
    Request request = request_for(25);
    request.adaptive = adaptive;
    request.accelerations = true;
    const Implementation& one = implementation_in(in_double);
    const Answer answer = answer_request(one, request);
    const auto simulation = start_simulation(one, {request.bodies, request.setting, 0}, adaptive);
    EXPECT_EQ(answer.states[0].time, simulation->advance(25));
    EXPECT_EQ(answer.states[0].position.x, simulation->bodies().qx);
    EXPECT_EQ(answer.states[0].velocity.z, simulation->bodies().vz);
    // Of the state reached, not of the one before the last step.
    simulation->compute_accelerations();
    EXPECT_EQ(answer.accelerations, simulation->accelerations());

    request.every_state = true;
    request.threads = 3;
    const Answer all = answer_request(one, request);
    ASSERT_EQ(all.states.size(), 25u);
    EXPECT_EQ(all.states.back(), answer.states[0]);
    EXPECT_NE(all.states[23], all.states[24]);
  }
}

Tuning seen;

class Odd : public PlainOf<double> {
 public:
  explicit Odd(const ProblemOf<double>& problem) : PlainOf(problem) { seen = problem.tuning; }
  void accelerations_and_jerk(Vectors<double>& a, Vectors<double>&) override {
    std::fill(a.x.begin(), a.x.end(), 3);
  }
  void copy_accelerations(Vectors<double>& to) const override {
    PlainOf::copy_accelerations(to);
    to.z.back() += copies++;
  }
  mutable int copies = 0;
};

TEST(Answer, OfAnOddImplementation) {
  Implementation odd = implementation_in(in_double);
  odd.make = +[](const ProblemOf<double>& problem) -> std::unique_ptr<SimulatorOf<double>> {
    return std::make_unique<Odd>(problem);
  };
  odd.block_sizes = {256, 32, 64};
  Request request = request_for(0);
  EXPECT_NO_THROW(answer_request(odd, request, {.grid = 7}));
  EXPECT_EQ(seen, (Tuning{.block = 256, .grid = 7}));
  answer_request(odd, request, {.block = 64});
  EXPECT_EQ(seen, (Tuning{.block = 64}));
  // Hermite's integrator uses both as one call gives them, so this pair is what is judged.
  request.accelerations = request.jerk = true;
  const std::vector<double> x = answer_request(odd, request).accelerations.x;
  EXPECT_EQ(std::ranges::count(x, x[0]), 20);
  request.jerk = false;
  EXPECT_THROW(answer_request(odd, request), std::runtime_error) << "right only the first time";
}

TEST(Answer, SaysWhatItLacks) {
  Request request = request_for(1);
  request.setting.integrator = "leapfrog";
  EXPECT_THROW(answer_request(implementation, request), InputError);
  request.setting.integrator = "hermite4";
  EXPECT_THROW(answer_request(implementation, request), Unsupported);
  request = request_for(1);
  request.jerk = true;
  EXPECT_THROW(answer_request(implementation, request), Unsupported);
}

TEST(Program, ServesAndRefusesAndIsStartedAgain) {
  for (const Precision precision : {in_float, in_double}) {
    // The other program is led to by the words of the first one's command line.
    Session session(PROGRAM_UNDER_TEST, {"--precision", name_of(precision)});
    const Request request = request_for(3);
    const Answer answer = session.ask(request, 60);
    EXPECT_EQ(answer, answer_request(implementation_in(precision), request));
    EXPECT_EQ(session.hello(), (Hello{precision, false, 1, "test", "plain", ""}));
    Request coincident = request;
    coincident.setting.softening = 0;
    for (auto* column : {&coincident.bodies.qx, &coincident.bodies.qy, &coincident.bodies.qz}) {
      (*column)[3] = (*column)[11];
    }
    try {
      session.ask(coincident, 60);
      ADD_FAILURE();
    } catch (const SessionError& fault) {
      EXPECT_EQ(fault.refusal, Refusal::failed);
      EXPECT_TRUE(std::string(fault.what()).starts_with("bodies 3 and 11 (counted from 0) are at"));
    }
    EXPECT_EQ(session.ask(request, 60), answer);
  }
}

}  // namespace
}  // namespace nbody
