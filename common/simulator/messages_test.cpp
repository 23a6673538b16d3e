// What is said arrives, bit for bit; and what is no message is refused.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#include "simulator/simulation.hpp"
#include "simulator/test_messages.hpp"
#include "simulator/test_program/implementation.hpp"

namespace nbody {
namespace {

TEST(Message, KeepsEveryField) {
  EXPECT_EQ(parse_hello(format_hello(test_hello())), test_hello());
  Request request = test_request();
  for (bool Request::*flag :
       {&Request::adaptive, &Request::jerk, &Request::every_state, &Request::accelerations}) {
    request.*flag = !(request.*flag);
    EXPECT_EQ(parse_request(format_request(request)), request);
    const std::string message = format_answer(test_answer(request), 7);
    EXPECT_EQ(parse_answer_header(message.substr(0, message.find('\n'))).id, 7u);
    EXPECT_EQ(parse_answer(request, columns_of_message(message)), test_answer(request));
  }
  const std::string eighth = format_request(request, 8);
  EXPECT_EQ(parse_request_header(eighth.substr(0, eighth.find('\n'))).id, 8u);
  // JSON has as many digits as bring a double back.
  for (const double value : {0.1, 6.67384e-11, 5e-324, 1.7976931348623157e308, -0.0, 1 / 3.0}) {
    request.setting.dt = value;
    const double read = parse_request(format_request(request)).setting.dt;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(read), std::bit_cast<std::uint64_t>(value));
  }
  // The checker must see what a wrong program computed.
  for (const std::uint64_t bits : {0x7ff0000000000123u, 0xfff8000000000000u, 0x1ul}) {
    std::string columns(columns_of_message(format_answer(test_answer(request), 7)));
    for (std::size_t k = 0; k < columns.size(); k += 8) std::memcpy(&columns[k], &bits, 8);
    const std::string again = format_answer(parse_answer(request, columns), 7);
    EXPECT_EQ(columns_of_message(again), columns);
  }
}

// A good header of which one text is replaced, and what is said of it.
struct Row {
  std::string good;
  void (*read)(std::string_view);
  const char *old, *text, *said;
};
const std::string hello = format_hello(test_hello()), request = format_request(test_request()),
                  refusal = format_refusal(Refusal::failed, "they coincide", 7);
void read_hello(std::string_view text) { parse_hello(text); }
void read_request(std::string_view text) { parse_request(text); }
void read_answer(std::string_view text) { parse_answer_header(text); }
const Row rows[] = {
    {hello, read_hello, "{", "{", ""},
    {hello, read_hello, "{", "GET / HTTP/1.1", "parse error"},
    {hello, read_hello, ":5", ":4", "it speaks version 4 of the protocol, where 5 is needed"},
    {hello, read_hello, "\"protocol\":5", "\"p\":5", "key 'protocol' not found"},
    {hello, read_hello, "double", "half", "float or double, not 'half'"},
    {hello, read_hello, "true", "\"yes\"", "type must be boolean"},
    {request, read_request, "{", "{", ""},
    {request, read_request, "\"n\":2", "\"n\":0", "n is out of range"},
    {request, read_request, "\"n\":2", "\"n\":134217729", "n is out of range"},
    {request, read_request, "\"n\":2", "\"n\":-2", "n is out of range"},
    {request, read_request, "\"n\":2", "\"n\":3", "the columns have another size"},
    {request, read_request, "1.5", "null", "type must be number"},
    {request, read_request, "damping", "dumping", "key 'damping' not found"},
    {refusal, read_answer, "{", "{", ""},
    {refusal, read_answer, "failed", "unsupported", ""},
    {refusal, read_answer, "failed", "later", "it refused, but has no word for why"},
    {refusal, read_answer, "text", "why", "key 'text' not found"},
};

TEST(Message, WhatIsNoneIsRefused) {
  for (const auto& [good, read, old, text, sentence] : rows) {
    std::string said;
    try {
      read(with(good, old, text));
    } catch (const ProtocolError& fault) {
      said = fault.what();
    }
    EXPECT_NE(said.find(sentence), said.npos) << said << "\nlacks " << sentence;
    EXPECT_EQ(said.empty(), *sentence == 0) << said;
  }
}

TEST(Message, OfAnotherSizeIsNone) {
  for (std::size_t size = 0; size < request.size(); ++size) {
    EXPECT_THROW(parse_request(request.substr(0, size)), ProtocolError) << size;
  }
  EXPECT_THROW(parse_request(request + "x"), ProtocolError);
  Request asked = test_request();
  const std::string columns(columns_of_message(format_answer(test_answer(asked), 1)));
  for (const std::string& other : {columns.substr(1), columns + "x"}) {
    EXPECT_THROW(parse_answer(asked, other), ProtocolError);
  }
  asked.every_state = true;
  asked.steps = 165191048;  // of 104 bytes each
  EXPECT_LE(answer_columns_size(asked), max_columns_size);
  for (const std::uint64_t steps : {std::uint64_t{165191050}, ~std::uint64_t{0}}) {
    asked.steps = steps;
    EXPECT_THROW(answer_columns_size(asked), ProtocolError);
  }
}

TEST(SafeLine, LeavesNoByteThatMovesACursor) {
  EXPECT_EQ(safe_line("all ~ right !"), "all ~ right !");
  EXPECT_EQ(safe_line("\x1b[2Jgone\n\x7f\xc3\xa9"), R"(\x1b[2Jgone\x0a\x7f\xc3\xa9)");
  EXPECT_EQ(safe_line("too long", 3), "too...");
}

// The message in a block of docs/protocol.md: a header, and lines that end in a number.
std::string example(const std::string& word) {
  std::ifstream stream(PROTOCOL_DOCUMENT);
  const std::string text{std::istreambuf_iterator<char>(stream), {}},
      opening = "\n```" + word + "\n";
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
  EXPECT_EQ(parse_answer_header(answer.substr(0, answer.find('\n'))).id, 5u);
  EXPECT_EQ(parse_answer(request, columns_of_message(answer)), answer_request(plain, request));
  const AnswerHeader refused = parse_answer_header(example("refusal"));
  EXPECT_EQ(refused.refused, Refusal::unsupported);
}

}  // namespace
}  // namespace nbody
