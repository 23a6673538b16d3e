// Headers and columns: what is read, what is refused, and with which sentence.
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <limits>

#include "protocol/test_messages.hpp"

namespace nbody::protocol {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

std::string hello_message() { return format_hello(honest_hello()); }
std::string request_message() { return format_request(small_request()); }
std::string answer_message() {
  Answer answer = honest_answer(small_request());
  answer.jerk = answer.accelerations;
  return format_answer(answer);
}
std::string refusal_message() {
  return "{\"answer\":7,\"refused\":\"failed\",\"text\":\"they coincide\"}\n";
}

struct Message {
  std::string (*good)();
  void (*read)(std::string_view);
};
const Message hello{hello_message, [](auto text) { parse_hello(header_of(text)); }};
const Message request{request_message, [](auto text) { parse_request_message(text); }};
const Message answer{answer_message, [](auto text) { parse_answer_message(text); }};
const Message refused{refusal_message, answer.read};

// A good message of which one text is replaced, and what is said about it; nothing if it is good.
struct Row {
  Message message;
  const char *old, *text, *sentence;
};
const Row rows[] = {
    {hello, "{", "{", ""},
    {hello, "{", "{{", "what it sent is not a header in JSON: \"{{"},
    {hello, ":4", ":3", "it speaks version 3 of the protocol, where 4 is"},
    {hello, "\"protocol\":4,", "", "the header has no \"protocol\": {"},
    {hello, "{", "{\"a\":1,", "the header has a member \"a\", which means"},
    {hello, "double", "half", "\"precision\" is 'half': float or double"},
    {hello, "\"double\"", "8", "\"precision\" is 8: it must be a text"},
    {hello, "\"ranks\":1", "\"ranks\":0", "\"ranks\" is 0: 1 to 65536 are"},
    {hello, "\"ranks\":1", "\"ranks\":65537", "\"ranks\" is 65537: 1 to 65536"},
    {hello, "true", "1", "\"jerk\" is 1: it must be true or false"},
    {hello, "fake", "fa ke", "\"name\" is 'fa ke': blanks, and bytes that"},
    {hello, "test", "te\\nst", "\"part\" is 'te\\x0ast': blanks, and"},
    {hello, "avx2", "\xff", "what it sent is not a header in JSON"},

    {request, "{", "{", ""},
    {request, "1.5", "15e-1", ""},
    {request, "1.5", "2", ""},
    {request, "\"request\":7", "\"answer\":7", "the header has no \"request\""},
    {request, ":7", ":0", "\"request\" is 0: 1 to 18446744073709551615 are"},
    {request, ":7", ":7.5", "\"request\" is 7.5: it must be a whole number"},
    {request, "\"n\":2", "\"n\":0", "\"n\" is 0: 1 to 134217728 are allowed"},
    {request, "\"n\":2", "\"n\":134217729", "\"n\" is 134217729: 1 to 1342"},
    {request, "\"n\":2", "\"n\":-2", "\"n\" is -2: it must be a whole number"},
    {request, "\"n\":2", "\"n\":3", "112 bytes came after the header, which"},
    {request, "\"n\":2", "\"n\":1", "112 bytes came after the header, which"},
    {request, "1.5", "NaN", "what it sent is not a header in JSON"},
    {request, "1.5", "null", "\"G\" is null: it must be a number"},
    {request, "1.5", "1e999", "what it sent is not a header in JSON"},
    {request, "1.5", "-1.5", "\"G\" is -1.5: it must be finite and not neg"},
    {request, "0.25", "\"0\"", "\"softening\" is \"0\": it must be a number"},
    {request, "0.125", "-1", "\"dt\" is -1: it must be finite and not neg"},
    {request, "0.0625", "-1", "\"dt_floor\" is -1: it must be finite and"},
    {request, "0.75", "1.5", "\"damping\" is 1.5: at most 1 is allowed"},
    {request, "0.75", "-1", "\"damping\" is -1: it must be finite and not"},
    {request, "hermite4", "", ""},
    {request, "hermite4", "leap frog", "\"integrator\" is 'leap frog': bl"},
    {request, "\"threads\":3", "\"threads\":4096", ""},
    {request, "\"threads\":3", "\"threads\":4097", "\"threads\" is 4097: 0"},
    {request, "\"ranks\":2", "\"ranks\":65537", "\"ranks\" is 65537: 0 to"},
    {request, "\"steps\":2", "\"steps\":18446744073709551615", ""},
    {request, "\"steps\":2", "\"steps\":18446744073709551616",
     "\"steps\" is 1.8446744073709552e+19: it must be a whole number"},

    {answer, "{", "{", ""},
    {answer, "\"answer\"", "\"request\"", "the header has no \"answer\": {"},
    {answer, "\"n\":2", "\"n\":0", "\"n\" is 0: 1 to 134217728 are allowed"},
    {answer, "\"n\":2", "\"n\":2305843009213693954",
     "\"n\" is 2305843009213693954: 1 to 134217728 are allowed"},
    {answer, "\"states\":1", "\"states\":0", "\"states\" is 0: 1 to 184467"},
    {answer, "\"states\":1", "\"states\":2", "200 bytes came after the header,"},
    {answer, "\"states\":1", "\"states\":2305843009213693953",
     "2305843009213693953 states of 2 bodies do not fit in one answer of 17179869184 bytes"},
    {answer, "\"jerk\":true", "\"jerk\":false", "200 bytes came after the"},

    {refused, "{", "{", ""},
    {refused, "failed", "unsupported", ""},
    {refused, "failed", "later", "\"refused\" is 'later': failed or unsup"},
    {refused, "they coincide", "", "it refused and gave no reason"},
    {refused, "\n", "\n01234567", "8 bytes came after the header, which"},
};

class Messages : public testing::TestWithParam<Row> {};

TEST_P(Messages, GetTheirSentence) {
  const auto& [message, old, text, sentence] = GetParam();
  ASSERT_NE(message.good().find(old), std::string::npos);
  std::string said;
  try {
    message.read(with(message.good(), old, text));
  } catch (const ProtocolError& fault) {
    said = fault.what();
  }
  EXPECT_EQ(said.substr(0, std::strlen(sentence)), sentence) << said;
  EXPECT_EQ(said.empty(), *sentence == 0) << said;
}

INSTANTIATE_TEST_SUITE_P(Rows, Messages, testing::ValuesIn(rows));

TEST(Message, KeepsEveryField) {
  EXPECT_EQ(parse_hello(header_of(hello_message())), honest_hello());
  EXPECT_EQ(parse_request_message(request_message()), small_request());
  Request request = small_request();
  for (bool Request::*flag : {&Request::adaptive, &Request::want_jerk, &Request::want_every_state,
                              &Request::want_accelerations}) {
    request.*flag = !(request.*flag);
    EXPECT_EQ(parse_request_message(format_request(request)), request);
  }
  EXPECT_EQ(parse_request_message(format_request(request, 8)).id, 8u);
  request.want_jerk = request.want_every_state = true;
  const Answer answer = honest_answer(request);
  EXPECT_EQ(answer.states.size(), 2u);
  EXPECT_EQ(parse_answer_message(format_answer(answer)), answer);
}

// Doubles are printed in as few digits as bring them back.
TEST(Message, SettingsComeBackExactly) {
  Request request = small_request();
  for (const double value : {0.1, 6.67384e-11, 5e-324, 1.7976931348623157e308, -0.0, 1 / 3.0}) {
    request.setting.dt = request.setting.G = value;
    const Setting read = parse_request_message(format_request(request)).setting;
    EXPECT_EQ(std::bit_cast<std::uint64_t>(read.dt), std::bit_cast<std::uint64_t>(value));
  }
  for (const double value : {not_a_number, infinity, -1.0}) {
    request.setting.dt = value;
    EXPECT_THROW(format_request(request), ProtocolError);
  }
}

TEST(Message, BodiesAreFiniteAndHaveMass) {
  const std::string good = request_message();
  const std::size_t start = good.find('\n') + 1;
  for (std::size_t k = 0; k < 14; ++k) {
    for (const double bad : {not_a_number, infinity, -infinity}) {
      std::string message = good;
      std::memcpy(message.data() + start + 8 * k, &bad, 8);
      EXPECT_THROW(parse_request_message(message), ProtocolError);
    }
  }
  Request request = small_request();
  for (const double mass : {0.0, -2.0}) {
    request.bodies.mass[1] = mass;
    EXPECT_THROW(parse_request_message(format_request(request)), ProtocolError);
  }
}

// The checker must see what a wrong program computed.
TEST(Message, AnyBitsOfAnAnswerTravel) {
  std::string message = answer_message();
  for (const std::uint64_t bits : {0x7ff0000000000123u, 0xfff8000000000000u, 0x1ul}) {
    for (std::size_t k = message.find('\n') + 1; k < message.size(); k += 8) {
      std::memcpy(message.data() + k, &bits, 8);
    }
    EXPECT_EQ(format_answer(parse_answer_message(message)), message);
  }
}

TEST(Message, ACutOneIsAlwaysAFault) {
  for (const auto& [good, read] : {request, answer}) {
    const std::string whole = good();
    EXPECT_NO_THROW(read(whole));
    EXPECT_THROW(read(whole + "x"), ProtocolError);
    for (std::size_t size = 0; size < whole.size(); ++size) {
      EXPECT_THROW(read(whole.substr(0, size)), ProtocolError) << size;
    }
  }
}

TEST(Message, WhatCannotBeReadIsNotSent) {
  Hello hello = honest_hello();
  hello.name = std::string(65, 'm');
  EXPECT_THROW(format_hello(hello), ProtocolError);
  Request request = small_request();
  request.setting.integrator = "a\tb";
  EXPECT_THROW(format_request(request), ProtocolError);
  request = small_request();
  request.bodies.vz.pop_back();
  EXPECT_THROW(format_request(request), ProtocolError);
  Answer answer = honest_answer(small_request());
  answer.accelerations.y.push_back(1);
  EXPECT_THROW(format_answer(answer), ProtocolError);
  EXPECT_THROW(format_answer(Answer{}), ProtocolError);
}

TEST(Message, AnIdIsFoundInAnyHeader) {
  EXPECT_EQ(request_id(header_of(request_message())), 7u);
  EXPECT_EQ(request_id("{\"request\":5}"), 5u);
  for (const char* none : {"", "[]", "{\"request\":-5}", "{\"request\":\"5\"}", "{\"answer\":5}"}) {
    EXPECT_EQ(request_id(none), 0u) << none;
  }
}

TEST(SafeLine, LeavesNoByteThatMovesACursor) {
  EXPECT_EQ(safe_line("all ~ right !"), "all ~ right !");
  EXPECT_EQ(safe_line("\x1b[2Jgone\n\x7f\xc3\xa9"), R"(\x1b[2Jgone\x0a\x7f\xc3\xa9)");
  EXPECT_EQ(safe_line(std::string(201, 'a')), std::string(200, 'a') + "...");
}

}  // namespace
}  // namespace nbody::protocol
