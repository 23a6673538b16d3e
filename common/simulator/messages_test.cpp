// What is said arrives, bit for bit.
#include <gtest/gtest.h>

#include <limits>

#include "simulator/test_messages.hpp"

namespace nbody {
namespace {

TEST(Message, KeepsEveryField) {
  EXPECT_EQ(parse_hello(format_hello(test_hello())), test_hello());
  Request request = test_request();
  for (bool Request::*flag :
       {&Request::adaptive, &Request::jerk, &Request::every_state, &Request::accelerations}) {
    request.*flag = !(request.*flag);
    // JSON has as many digits as bring a double back.
    request.setting.dt = request.jerk ? 5e-324 : 1 / 3.0;
    EXPECT_EQ(parse_request(format_request(request)), request);
  }
  // The checker must see what a wrong program computed.
  Answer answer = test_answer(request);
  answer.states.back().velocity.z.back() = std::numeric_limits<double>::signaling_NaN();
  const std::string message = format_answer(answer, 7);
  const std::string_view columns = std::string_view(message).substr(message.find('\n') + 1);
  EXPECT_EQ(format_answer(parse_answer(request, columns), 7), message);
}

TEST(Message, WithAWrongHeaderIsRefused) {
  std::string hello = format_hello(test_hello());
  EXPECT_THROW(parse_hello(hello.replace(hello.find("double"), 6, "half")), ProtocolError);
  EXPECT_THROW(parse_request_header("{\"request\":7,\"n\":1}"), ProtocolError);
  EXPECT_THROW(parse_answer_header("{\"request\":7,\"refused\":\"failed\"}"), ProtocolError);
}

}  // namespace
}  // namespace nbody
