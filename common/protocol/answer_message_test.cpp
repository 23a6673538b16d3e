#include <gtest/gtest.h>

#include <limits>

#include "protocol/test_messages.hpp"

namespace nbody::protocol {
namespace {

const std::string good = format_answer(small_answer());

std::string fault(const std::string& bytes) { return fault_of(parse_answer_frame, bytes); }

Answer refusal(const std::string& text) {
  Answer answer;
  answer.id = 5;
  answer.error = text;
  return answer;
}

TEST(AnswerMessage, RoundTripKeepsEveryField) {
  const Answer read = parse_answer_frame(good);
  EXPECT_EQ(read.id, 9u);
  EXPECT_EQ(read.error, "");
  EXPECT_EQ(read.states, small_answer().states);
  EXPECT_EQ(read.accelerations, small_answer().accelerations);
  EXPECT_EQ(format_answer(read), good);
}

TEST(AnswerMessage, AccelerationsMayBeAbsent) {
  Answer answer = small_answer();
  answer.accelerations = {};
  const Answer read = parse_answer_frame(format_answer(answer));
  EXPECT_EQ(read.states, answer.states);
  EXPECT_EQ(read.accelerations.size(), 0u);
}

TEST(AnswerMessage, JerksComeWithOrWithoutAccelerations) {
  Answer answer = small_answer();
  answer.jerk = numbered_vectors(2, 60);
  for (const bool with_accelerations : {true, false}) {
    if (!with_accelerations) answer.accelerations = {};
    const Answer read = parse_answer_frame(format_answer(answer));
    EXPECT_EQ(read.states, answer.states);
    EXPECT_EQ(read.accelerations, answer.accelerations);
    EXPECT_EQ(read.jerk, answer.jerk);
  }
  EXPECT_EQ(answer_payload_size({true, 3, 4, true}), 24u + 4 * (8 + 48 * 3) + 2 * 24 * 3);
  answer.jerk.z.push_back(1);
  EXPECT_THROW(format_answer(answer), ProtocolError);
}

TEST(AnswerMessage, WrongNumbersTravelBitForBit) {
  const std::uint64_t patterns[] = {
      0x7ff8000000000001, 0xfff0000000000000, 0x7ff0000000000001, 0x8000000000000000, 1,
      0xffffffffffffffff};
  for (const std::uint64_t pattern : patterns) {
    for (std::size_t offset = 32 + 24; offset < good.size(); offset += 8) {
      const std::string odd = with_u64(good, offset, pattern);
      EXPECT_EQ(format_answer(parse_answer_frame(odd)), odd);
    }
  }
}

TEST(AnswerMessage, FaultsAreNamed) {
  EXPECT_EQ(fault(good), "");
  EXPECT_EQ(fault(with_u32(good, 12, 1)), "an answer was expected, but the message is a request");
  EXPECT_EQ(fault(with_u32(good, 32, 5)),
            "flags of the answer are 0x5: only the bits 0x3 have a meaning");
  EXPECT_EQ(fault(with_u32(good, 36, 1)), "the bytes 4 to 7 of an answer must be 0");
  EXPECT_EQ(fault(with_u64(good, 40, 0)), "the message holds 0 bodies, 1 to 134217728 are allowed");
  EXPECT_EQ(fault(with_u64(good, 48, 0)), "an answer holds at least one state");
  EXPECT_EQ(fault(with_u32(good, 32, 0)),
            "the counts of the message ask for 232 bytes, its header states 280, 280 came");
  EXPECT_NE(fault(good + "x"), "");
}

TEST(AnswerMessage, LyingCountsDoNotWrapAround) {
  EXPECT_NE(fault(with_u64(good, 48, ~std::uint64_t{0})).find("do not fit"), std::string::npos);
  // Multiples of 8 bytes: 2^61 more states or bodies give the same size modulo 2^64.
  for (std::uint64_t k = 1; k < 8; ++k) {
    EXPECT_NE(fault(with_u64(good, 48, 2 + (k << 61))), "");
    EXPECT_NE(fault(with_u64(good, 40, 2 + (k << 61))), "");
  }
  EXPECT_THROW(answer_payload_size({false, std::uint64_t{1} << 61, 1}), ProtocolError);
  EXPECT_THROW(answer_payload_size({true, ~std::uint64_t{0}, 1}), ProtocolError);
  EXPECT_THROW(answer_payload_size({true, 1, ~std::uint64_t{0}}), ProtocolError);
  EXPECT_EQ(answer_payload_size({true, 3, 4}), 24u + 4 * (8 + 48 * 3) + 24 * 3);
}

TEST(AnswerMessage, ACutMessageIsAlwaysAFault) {
  for (std::size_t size = frame_header_size; size < good.size(); ++size) {
    const std::string cut = good.substr(0, size);
    EXPECT_NE(fault(cut), "") << size;
    EXPECT_NE(fault(with_u64(cut, 24, size - frame_header_size)), "") << size;
  }
}

TEST(AnswerMessage, ARefusalCarriesItsText) {
  const Answer read = parse_answer_frame(format_answer(refusal("two bodies coincide")));
  EXPECT_EQ(read.id, 5u);
  EXPECT_EQ(read.error, "two bodies coincide");
  EXPECT_TRUE(read.states.empty());
}

TEST(AnswerMessage, ARefusalIsShortAndNotEmpty) {
  const std::string longest(max_refusal_size, 'a');
  EXPECT_EQ(parse_answer_frame(format_answer(refusal(longest + "b"))).error, longest);
  const std::string one = format_answer(refusal("a"));
  EXPECT_EQ(fault(with_u64(one.substr(0, 32), 24, 0)),
            "a refusal has 0 bytes of text, 1 to 4096 are allowed");
  EXPECT_NE(fault(with_u64(one + longest, 24, max_refusal_size + 1)), "");
  EXPECT_NE(fault(with_u64(one, 24, 2)), "");
}

TEST(AnswerMessage, UnequalColumnsAreNotSent) {
  Answer answer = small_answer();
  answer.states[1].velocity.z.pop_back();
  EXPECT_THROW(format_answer(answer), ProtocolError);
  answer = small_answer();
  answer.accelerations.y.push_back(1);
  EXPECT_THROW(format_answer(answer), ProtocolError);
  EXPECT_THROW(format_answer(Answer{}), ProtocolError);
}

}  // namespace
}  // namespace nbody::protocol
