// What a program answers to a request.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/scenes.hpp"
#include "session/session.hpp"
#include "simulator/plain.hpp"
#include "simulator/simulation.hpp"
#include "simulator/test_program/command.hpp"
#include "simulator/test_program/implementation.hpp"

namespace nbody {
namespace {

constexpr Precision in_float = Precision::single_precision, in_double = Precision::double_precision;

Request request_for(std::uint64_t steps) {
  const Scene scene = make_scene("plummer", 20, 1);
  Request request;
  request.bodies = scene.bodies;
  request.setting = scene.setting;
  request.steps = steps;
  return request;
}

TEST(AnswerRequest, GivesWhatASimulationGives) {
  Request request = request_for(0);
  const Answer unmoved = answer_request(implementation, request);
  ASSERT_EQ(unmoved.states.size(), 1u);
  EXPECT_EQ(unmoved.states[0].time, 0);
  EXPECT_EQ(unmoved.states[0].position.z, request.bodies.qz);
  EXPECT_EQ(unmoved.states[0].velocity.y, request.bodies.vy);
  for (const bool adaptive : {false, true}) {
    request = request_for(25);
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

TEST(AnswerRequest, SaysWhatItLacks) {
  Request request = request_for(1);
  request.setting.integrator = "leapfrog";
  EXPECT_THROW(answer_request(implementation, request), InputError);
  request.setting.integrator = "hermite4";
  EXPECT_THROW(answer_request(implementation, request), Unsupported);
  request = request_for(1);
  request.jerk = true;
  EXPECT_THROW(answer_request(implementation, request), Unsupported);
}

// Hermite's integrator uses both as one call gives them, so this pair is what is judged.
class JerkWithOthers : public PlainOf<double> {
 public:
  using PlainOf::PlainOf;
  void accelerations_and_jerk(Vectors<double>& a, Vectors<double>&) override {
    std::fill(a.x.begin(), a.x.end(), 3);
  }
};

TEST(AnswerRequest, AccelerationsAskedWithTheJerkAreThoseThatComeWithIt) {
  Implementation one = implementation_in(in_double);
  one.make = +[](const ProblemOf<double>& problem) -> std::unique_ptr<SimulatorOf<double>> {
    return std::make_unique<JerkWithOthers>(problem);
  };
  one.has_jerk = true;
  Request request = request_for(0);
  request.jerk = true;
  EXPECT_EQ(answer_request(one, request).accelerations.size(), 0u);
  request.accelerations = true;
  const Answer both = answer_request(one, request);
  EXPECT_EQ(std::ranges::count(both.accelerations.x, both.accelerations.x[0]), 20);
  request.jerk = false;
  const Answer alone = answer_request(one, request);
  EXPECT_EQ(std::ranges::count(alone.accelerations.x, alone.accelerations.x[0]), 1);
}

class ChangesWhatItCopies : public PlainOf<double> {
 public:
  using PlainOf::PlainOf;
  void copy_accelerations(Vectors<double>& to) const override {
    PlainOf::copy_accelerations(to);
    to.z.back() += copies++;
  }

 private:
  mutable int copies = 0;
};

TEST(AnswerRequest, RefusesAccelerationsThatAreRightOnlyTheFirstTimeTheyAreCopied) {
  Implementation one = implementation_in(in_double);
  one.make = +[](const ProblemOf<double>& problem) -> std::unique_ptr<SimulatorOf<double>> {
    return std::make_unique<ChangesWhatItCopies>(problem);
  };
  Request request = request_for(2);
  EXPECT_NO_THROW(answer_request(one, request));
  request.accelerations = true;
  EXPECT_THROW(answer_request(one, request), std::runtime_error);
}

// --- a whole program

TEST(Program, ServesAndRefusesAndLivesOn) {
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
