// What is said arrives, bit for bit.
#include <gtest/gtest.h>

#include <limits>

#include "simulator/test_messages.hpp"

namespace nbody {
namespace {

std::string_view columns_of_message(std::string_view message) {
  return message.substr(message.find('\n') + 1);
}

TEST(Message, KeepsEveryField) {
  EXPECT_EQ(parse_hello(format_hello(test_hello())), test_hello());
  Request request = test_request();
  for (bool Request::*flag :
       {&Request::adaptive, &Request::jerk, &Request::every_state, &Request::accelerations}) {
    request.*flag = !(request.*flag);
    // JSON has as many digits as bring a double back.
    request.setting.dt = request.jerk ? 5e-324 : 1 / 3.0;
    EXPECT_EQ(parse_request(format_request(request)), request);
    const std::string message = format_answer(test_answer(request), 7);
    EXPECT_EQ(columns_of_message(message).size(), answer_columns_size(request));
    EXPECT_EQ(parse_answer(request, columns_of_message(message)), test_answer(request));
  }
  // The checker must see what a wrong program computed.
  Answer answer = test_answer(request);
  answer.states.back().velocity.z.back() = std::numeric_limits<double>::signaling_NaN();
  const std::string message = format_answer(answer, 7);
  EXPECT_EQ(format_answer(parse_answer(request, columns_of_message(message)), 7), message);
}

TEST(Message, WithAWrongHeaderIsRefused) {
  const std::string hello = format_hello(test_hello()), request = format_request(test_request());
  EXPECT_THROW(parse_hello("GET / HTTP/1.1"), ProtocolError);
  EXPECT_THROW(parse_hello(with(hello, "double", "half")), ProtocolError);
  EXPECT_THROW(parse_hello(with(hello, "true", "\"yes\"")), ProtocolError);
  EXPECT_THROW(parse_request(with(request, "damping", "dumping")), ProtocolError);
  EXPECT_THROW(parse_answer_header("{\"request\":7,\"refused\":\"failed\"}"), ProtocolError);
}

}  // namespace
}  // namespace nbody
