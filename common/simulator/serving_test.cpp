// The program under --serve, asked as the checker asks.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>

#include "core/scenes.hpp"
#include "protocol/session.hpp"
#include "simulator/plain.hpp"
#include "simulator/simulation.hpp"
#include "simulator/test_program/command.hpp"
#include "simulator/test_program/implementation.hpp"

namespace nbody {
namespace {

using protocol::Precision;
using protocol::Request;

Request request_for(const Scene& scene, std::uint64_t steps) {
  Request request;
  request.bodies = scene.bodies;
  request.setting = scene.setting;
  request.steps = steps;
  return request;
}

class Serving : public testing::Test {
 protected:
  using Kind = protocol::SessionError::Kind;
  std::string refusal_of(const Request& request, Kind kind = Kind::refused) {
    try {
      session_.ask(request, 60);
    } catch (const protocol::SessionError& error) {
      EXPECT_EQ(error.kind, kind) << error.what();
      return error.what();
    }
    return "answered";
  }

  protocol::Session session_{PROGRAM_UNDER_TEST};
  const Scene scene_ = make_scene("plummer", 20, 1);
};

TEST_F(Serving, NoStepGivesTheBodiesBack) {
  Request request = request_for(scene_, 0);
  request.want_accelerations = true;
  const protocol::Answer answer = session_.ask(request, 60);
  ASSERT_EQ(answer.states.size(), 1u);
  EXPECT_EQ(answer.states[0].time, 0);
  EXPECT_EQ(answer.states[0].position.x, scene_.bodies.qx);
  EXPECT_EQ(answer.states[0].position.z, scene_.bodies.qz);
  EXPECT_EQ(answer.states[0].velocity.y, scene_.bodies.vy);
  EXPECT_EQ(answer.accelerations.size(), 20u);
}

TEST_F(Serving, AnswersWhatASimulationGives) {
  for (const Precision precision : {Precision::single_precision, Precision::double_precision}) {
    for (const bool adaptive : {false, true}) {
      Request request = request_for(scene_, 25);
      request.precision = precision;
      request.adaptive = adaptive;
      request.want_accelerations = true;
      protocol::Session session(PROGRAM_UNDER_TEST, {"--precision", protocol::name_of(precision)});
      const protocol::Answer answer = session.ask(request, 60);

      const auto simulation = start_simulation(implementation_in(precision), scene_, adaptive);
      EXPECT_EQ(answer.states[0].time, simulation->advance(25));
      EXPECT_EQ(answer.states[0].position.x, simulation->bodies().qx);
      EXPECT_EQ(answer.states[0].velocity.z, simulation->bodies().vz);
      // Of the state reached, not of the one before the last step.
      simulation->compute_accelerations();
      EXPECT_EQ(answer.accelerations, simulation->accelerations());
    }
  }
}

TEST_F(Serving, RefusesTheOtherPrecision) {
  Request request = request_for(scene_, 1);
  request.precision = Precision::double_precision;
  EXPECT_EQ(refusal_of(request),
            "plain is a program for float, but the request is in double: start the other program");
}

TEST_F(Serving, SaysWhatItIs) {
  session_.ask(request_for(scene_, 1), 60);
  EXPECT_EQ(session_.hello(),
            (protocol::Hello{Precision::single_precision, false, 1, "test", "plain", ""}));
  // The other program, which the words of the first one's command line lead to.
  Request request = request_for(scene_, 1);
  request.precision = Precision::double_precision;
  protocol::Session session(
      PROGRAM_UNDER_TEST, {"--precision", "double"},
      {.expected = {.precision = Precision::double_precision, .name = "plain"}});
  session.ask(request, 60);
  EXPECT_EQ(session.hello()->precision, Precision::double_precision);
}

TEST_F(Serving, RefusesWhatItDoesNotHave) {
  Request request = request_for(scene_, 1);
  request.setting.integrator = "leapfrog";
  EXPECT_EQ(refusal_of(request).find("unknown integrator 'leapfrog': known are eq45, euler, "), 0u);
  request = request_for(scene_, 1);
  request.setting.integrator = "hermite4";
  EXPECT_EQ(refusal_of(request, Kind::unsupported),
            "the integrator hermite4 needs the jerk, which plain does not compute: use naive, or "
            "yoshida4");
  request = request_for(scene_, 1);
  request.want_jerk = true;
  EXPECT_EQ(refusal_of(request, Kind::unsupported),
            "plain computes no jerk: ask for accelerations only");
  request = request_for(scene_, 1);
  request.ranks = 2;
  EXPECT_EQ(refusal_of(request),
            "plain runs as one process, but the request asks for 2 ranks: ask for 0 or 1");
  request.ranks = 1;
  EXPECT_EQ(refusal_of(request), "answered");
}

// Hermite's integrator uses both as one call gives them, so this pair is what is judged.
class JerkWithOthers : public PlainOf<double> {
 public:
  using PlainOf::PlainOf;
  void accelerations_and_jerk(Vectors<double>& a, Vectors<double>& jerk) override {
    std::fill(a.x.begin(), a.x.end(), 3);
    std::fill(jerk.x.begin(), jerk.x.end(), 5);
  }
};

std::unique_ptr<SimulatorOf<double>> make_jerk_with_others(const ProblemOf<double>& problem) {
  return std::make_unique<JerkWithOthers>(problem);
}

TEST(Answer, AccelerationsAskedWithTheJerkAreThoseThatComeWithIt) {
  Implementation implementation{"jerk", "jerk", "", "", "", make_jerk_with_others};
  implementation.has_jerk = true;
  Request request = request_for(make_scene("plummer", 20, 1), 0);
  request.precision = Precision::double_precision;
  request.want_jerk = true;
  EXPECT_EQ(answer_request(implementation, request).accelerations.size(), 0u);
  request.want_accelerations = true;
  const protocol::Answer both = answer_request(implementation, request);
  EXPECT_EQ(std::set<double>(both.accelerations.x.begin(), both.accelerations.x.end()).size(), 1u);
  request.want_jerk = false;
  const protocol::Answer alone = answer_request(implementation, request);
  EXPECT_EQ(std::set<double>(alone.accelerations.x.begin(), alone.accelerations.x.end()).size(),
            20u);
}

TEST_F(Serving, EveryState) {
  Request request = request_for(scene_, 10);
  const protocol::Answer last = session_.ask(request, 60);
  request.want_every_state = true;
  const protocol::Answer all = session_.ask(request, 60);
  ASSERT_EQ(all.states.size(), 10u);
  EXPECT_EQ(all.states[9], last.states[0]);
  for (std::size_t k = 1; k < 10; ++k) {
    EXPECT_GT(all.states[k].time, all.states[k - 1].time);
    EXPECT_NE(all.states[k].position.x, all.states[k - 1].position.x);
  }
  request.steps = 3;
  EXPECT_EQ(session_.ask(request, 60).states[2], all.states[2]);
}

TEST_F(Serving, AnyNumberOfThreads) {
  Request request = request_for(scene_, 5);
  const protocol::Answer answer = session_.ask(request, 60);
  for (const unsigned threads : {1u, 2u, 7u}) {
    request.threads = threads;
    EXPECT_EQ(session_.ask(request, 60).states, answer.states);
  }
}

TEST_F(Serving, RefusesInOneLineAndLivesOn) {
  Request coincident = request_for(scene_, 1);
  coincident.setting.softening = 0;
  for (auto* column : {&coincident.bodies.qx, &coincident.bodies.qy, &coincident.bodies.qz}) {
    (*column)[3] = (*column)[11];
  }
  Request endless = request_for(scene_, (std::uint64_t{1} << 27) / 20 + 1);
  endless.want_every_state = true;

  EXPECT_NE(refusal_of(coincident).find("bodies 3 and 11 (counted from 0) are at the same place"),
            std::string::npos);
  const std::string refusal = refusal_of(endless);
  EXPECT_NE(refusal.find("every state of 20 bodies over 6710887 steps does not fit into one "
                         "answer: ask for at most 6710886 steps"),
            std::string::npos)
      << refusal;
  EXPECT_EQ(refusal.find('\n'), std::string::npos);
}

}  // namespace
}  // namespace nbody
