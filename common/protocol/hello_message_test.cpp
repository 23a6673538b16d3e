#include <gtest/gtest.h>

#include "protocol/test_messages.hpp"

namespace nbody::protocol {
namespace {

const std::string good = format_hello(small_hello());

std::string fault(const std::string& bytes) { return fault_of(parse_hello_frame, bytes); }

TEST(HelloMessage, RoundTripKeepsEveryField) {
  EXPECT_EQ(parse_hello_frame(good), small_hello());
  EXPECT_EQ(good.size(), frame_header_size + hello_size);
  const Hello plain{Precision::single_precision, false, 1, "part1", "naive", ""};
  EXPECT_EQ(parse_hello_frame(format_hello(plain)), plain);
}

TEST(HelloMessage, FaultsAreNamed) {
  EXPECT_EQ(fault(good), "");
  EXPECT_EQ(fault(with_u32(good, 12, 1)), "a hello was expected, but the message is a request");
  EXPECT_EQ(fault(with_u32(good, 12, 3)), "a hello was expected, but the message is a refusal");
  EXPECT_EQ(fault(with_u64(good, 16, 1)), "the id of a hello must be 0");
  EXPECT_EQ(fault(with_u32(good, 32, 2)), "precision is 2: 4 (float) or 8 (double) are allowed");
  EXPECT_EQ(fault(with_u32(good, 36, 3)), "flags of the hello are 0x3: only bit 0 has a meaning");
  EXPECT_EQ(fault(with_u32(good, 40, 0)), "a program runs as at least one rank");
  EXPECT_EQ(fault(with_u32(good, 40, 65537)),
            "the message speaks of 65537 ranks, at most 65536 are allowed");
  EXPECT_EQ(fault(with_u32(good, 44, 1)), "the bytes 12 to 15 of a hello must be 0");
}

// Part, name and instruction set at 48, 112 and 176, 64 bytes each.
TEST(HelloMessage, NamesArePrintableAndPadded) {
  for (const std::size_t offset : {48, 112, 176}) {
    const auto with_byte = [&](std::size_t k, char byte) {
      return std::string(good).replace(offset + k, 1, 1, byte);
    };
    for (const char bad : {' ', '\n', '\x1b', '\x7f', '\x80'}) {
      EXPECT_NE(fault(with_byte(0, bad)).find("not printable ASCII"), std::string::npos);
    }
    EXPECT_NE(fault(with_byte(2, '\0')).find("bytes follow the end of the name"),
              std::string::npos);
    EXPECT_NE(fault(with_byte(63, 'x')).find("bytes follow the end of the name"),
              std::string::npos);
  }
}

TEST(HelloMessage, ANameThatDoesNotFitIsNotSent) {
  Hello hello = small_hello();
  hello.name = std::string(64, 'm');
  EXPECT_EQ(parse_hello_frame(format_hello(hello)), hello);
  hello.name += 'm';
  EXPECT_THROW(format_hello(hello), ProtocolError);
  hello.name = "mi ne";
  EXPECT_THROW(format_hello(hello), ProtocolError);
}

TEST(HelloMessage, ACutMessageIsAlwaysAFault) {
  for (std::size_t size = frame_header_size; size < good.size(); ++size) {
    const std::string cut = good.substr(0, size);
    EXPECT_NE(fault(cut), "") << size;
    EXPECT_NE(fault(with_u64(cut, 24, size - frame_header_size)), "") << size;
  }
  EXPECT_NE(fault(good + "x"), "");
}

}  // namespace
}  // namespace nbody::protocol
