// What is said arrives, bit for bit.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <sstream>

#include "core/text_file.hpp"
#include "simulator/simulation.hpp"
#include "simulator/test_messages.hpp"
#include "simulator/test_program/implementation.hpp"

namespace nbody {
namespace {

std::string header_of(const std::string& message) { return message.substr(0, message.find('\n')); }
std::string columns_of(const std::string& message) {
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
    EXPECT_EQ(parse_request_header(header_of(format_request(request, 8))).id, 8u);
    const std::string message = format_answer(test_answer(request), 7);
    EXPECT_EQ(parse_answer_header(header_of(message)).id, 7u);
    EXPECT_EQ(columns_of(message).size(), answer_columns_size(request));
    EXPECT_EQ(parse_answer(request, columns_of(message)), test_answer(request));
  }
  // The checker must see what a wrong program computed.
  Answer answer = test_answer(request);
  answer.states.back().velocity.z.back() = std::numeric_limits<double>::signaling_NaN();
  const std::string columns = columns_of(format_answer(answer, 7));
  EXPECT_EQ(columns_of(format_answer(parse_answer(request, columns), 7)), columns);
}

TEST(Message, WithAWrongHeaderIsRefused) {
  const std::string hello = format_hello(test_hello()), request = format_request(test_request());
  EXPECT_THROW(parse_hello("GET / HTTP/1.1"), ProtocolError);
  EXPECT_THROW(parse_hello(with(hello, "double", "half")), ProtocolError);
  EXPECT_THROW(parse_hello(with(hello, "true", "\"yes\"")), ProtocolError);
  EXPECT_THROW(parse_request(with(request, "1.5", "null")), ProtocolError);
  EXPECT_THROW(parse_request(with(request, "damping", "dumping")), ProtocolError);
  EXPECT_THROW(parse_answer_header("{\"request\":7,\"refused\":\"failed\"}"), ProtocolError);
}

TEST(SafeLine, LeavesNoByteThatMovesACursor) {
  EXPECT_EQ(safe_line("\x1b[2Jgone ~\n\x7f\xc3\xa9"), R"(\x1b[2Jgone ~\x0a\x7f\xc3\xa9)");
  EXPECT_EQ(safe_line("too long", 3), "too...");
}

// The message in a block of docs/protocol.md: a header, and lines that end in a number.
std::string example(const std::string& word) {
  const std::string text = read_text_file(PROTOCOL_DOCUMENT), opening = "\n```" + word + "\n";
  const std::size_t start = text.find(opening) + opening.size();
  std::istringstream lines(text.substr(start, text.find("\n```", start) - start));
  std::string message;
  std::getline(lines, message);
  message += '\n';
  for (std::string line; std::getline(lines, line);) {
    const double number = std::stod(line.substr(line.rfind(' ') + 1));
    message.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  return message;
}

TEST(ProtocolDocument, ItsExampleIsWhatIsSaid) {
  const Implementation& plain = implementation_in(Precision::double_precision);
  EXPECT_EQ(parse_hello(example("hello")),
            (Hello{Precision::double_precision, false, 1, "part1", "mine", ""}));
  const Request request = parse_request(example("request"));
  const std::string answer = example("answer");
  EXPECT_EQ(parse_answer_header(header_of(answer)).id, 5u);
  EXPECT_EQ(parse_answer(request, columns_of(answer)), answer_request(plain, request));
  EXPECT_EQ(parse_answer_header(example("refusal")).refused, Refusal::unsupported);
}

}  // namespace
}  // namespace nbody
