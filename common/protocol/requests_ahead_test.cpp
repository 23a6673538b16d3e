#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <stdexcept>

#include "protocol/test_programs.hpp"
#include "protocol/test_servers/honest_answer.hpp"

namespace nbody::protocol {
namespace {

using Kind = SessionError::Kind;

Failure failure_of_receive(Session& session) {
  return failure_of([&] { session.receive(30); });
}

TEST(RequestsAhead, AnswersComeInTheOrderOfTheRequests) {
  for (const Transport transport : transports) {
    Session session = session_with("honest", transport);
    for (int round = 0; round < 3; ++round) {
      std::vector<Request> requests(max_requests_ahead, small_request());
      for (std::size_t k = 0; k < requests.size(); ++k) {
        requests[k].steps = k;
        requests[k].want_jerk = k % 2 == 0;
        session.send(requests[k]);
        EXPECT_EQ(session.in_flight(), k + 1);
      }
      for (const Request& request : requests) {
        const Answer answer = session.receive(30), expected = honest_answer(request);
        EXPECT_EQ(answer.states, expected.states);
        EXPECT_EQ(answer.accelerations, expected.accelerations);
        EXPECT_EQ(answer.jerk, expected.jerk);
      }
      EXPECT_EQ(session.in_flight(), 0u);
    }
  }
}

TEST(RequestsAhead, SendingAndReceivingMayAlternate) {
  Session session = session_with("honest");
  Request request = small_request();
  session.send(request);
  for (std::uint64_t steps = 1; steps < 30; ++steps) {
    request.steps = steps;
    session.send(request);
    request.steps = steps == 1 ? small_request().steps : steps - 1;
    EXPECT_EQ(session.receive(30).states, honest_answer(request).states);
  }
  EXPECT_EQ(session.in_flight(), 1u);
}

// 16 requests and answers of 3 to 5 MB each: pipes are full in both directions while the program
// writes and does not read.
TEST(RequestsAhead, LargeRequestsDoNotBlockEitherSide) {
  for (const Transport transport : transports) {
    Session session = session_with("honest", transport);
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t k = 0; k < max_requests_ahead; ++k) session.send(long_request(60000 + k));
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
    for (std::size_t k = 0; k < max_requests_ahead; ++k) {
      const Answer answer = session.receive(60);
      ASSERT_EQ(answer.states.front().position.size(), 60000 + k);
      EXPECT_EQ(answer.states.front().position.x.back(), static_cast<double>(60000 + k - 1));
    }
  }
}

// It computes nothing and reads nothing: waiting until all is written would never end.
TEST(RequestsAhead, SendingNeverWaits) {
  for (const Transport transport : transports) {
    Session session = session_with("hangs", transport);
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t k = 0; k < max_requests_ahead; ++k) session.send(long_request(30000));
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
    EXPECT_EQ(failure_of([&] { session.receive(0.25); }).kind, Kind::timed_out);
    EXPECT_EQ(session.in_flight(), 0u);
  }
}

TEST(RequestsAhead, MisuseIsAProgrammersError) {
  Session session = session_with("honest");
  EXPECT_THROW(session.receive(30), std::logic_error);
  for (std::size_t k = 0; k < max_requests_ahead; ++k) session.send(small_request());
  EXPECT_THROW(session.send(small_request()), std::logic_error);
  EXPECT_THROW(session.ask(small_request(), 30), std::logic_error);
  // Nothing is lost by it.
  for (std::size_t k = 0; k < max_requests_ahead; ++k) session.receive(30);
  session.ask(small_request(), 30);
}

TEST(RequestsAhead, AnAnswerOutOfItsTurnIsNamed) {
  Session session(test_program("broken_server"), {"swaps_answers"});
  session.send(small_request());
  session.send(small_request());
  const Failure failure = failure_of_receive(session);
  EXPECT_EQ(failure.kind, Kind::malformed_answer);
  EXPECT_EQ(failure.message, "answered request 2 when asked 1");
}

// What came before the end is good, whenever the end is noticed.
TEST(RequestsAhead, AnswersBeforeAFaultAreTaken) {
  for (const useconds_t pause : {0, 200000}) {
    Session session(test_program("broken_server"), {"dies_after_an_answer"});
    for (int k = 0; k < 2; ++k) session.send(small_request());
    ::usleep(pause);
    // Sending looks at what comes, too: at the answer first, then at the end.
    for (int k = 0; k < 3; ++k) session.send(small_request());
    EXPECT_EQ(session.receive(30).states, honest_answer(small_request()).states);
    const Failure failure = failure_of_receive(session);
    EXPECT_EQ(failure.kind, Kind::crashed);
    EXPECT_EQ(failure.message.find("exited with status 5"), 0u) << failure.message;
    EXPECT_EQ(session.in_flight(), 0u);  // the others went with it
    EXPECT_THROW(session.receive(30), std::logic_error);
  }
}

TEST(RequestsAhead, AfterARefusalNothingIsOnItsWay) {
  Session session = session_with("refuses");
  session.send(small_request());
  session.send(small_request());
  EXPECT_EQ(failure_of_receive(session).kind, Kind::refused);
  EXPECT_EQ(session.in_flight(), 0u);
  EXPECT_EQ(failure_of(session, small_request()).kind, Kind::refused);  // started again
}

}  // namespace
}  // namespace nbody::protocol
