#include "protocol/frame.hpp"

#include <gtest/gtest.h>

#include "protocol/test_messages.hpp"

namespace nbody::protocol {
namespace {

const std::string good = format_request(small_request());

std::string header_fault(const std::string& bytes) {
  return fault_of(parse_header, bytes.substr(0, frame_header_size));
}

TEST(Frame, HeaderIsReadByteByByte) {
  std::string bytes = "NBODYLAB";
  bytes += std::string("\3\0\0\0", 4);
  bytes += std::string("\2\0\0\0", 4);
  bytes += std::string("\x0f\x0e\x0d\x0c\x0b\x0a\x09\x08", 8);
  bytes += std::string("\0\0\0\0\1\0\0\0", 8);
  const FrameHeader header = parse_header(bytes);
  EXPECT_EQ(header.kind, FrameHeader::Kind::answer);
  EXPECT_EQ(header.id, 0x08090a0b0c0d0e0fu);
  EXPECT_EQ(header.payload_size, std::uint64_t{1} << 32);
}

TEST(Frame, FaultsOfTheHeaderAreNamed) {
  EXPECT_EQ(header_fault(good), "");
  EXPECT_EQ(header_fault(good.substr(0, 31)), "a header has 32 bytes, not 31");
  EXPECT_EQ(header_fault(std::string(32, 'X')),
            "a message begins with NBODYLAB, this one does not");
  EXPECT_EQ(header_fault(with_u32(good, 8, 1)),
            "the message has protocol version 1, this program speaks 3");
  EXPECT_EQ(header_fault(with_u32(good, 8, 0x01000000)),
            "the message has protocol version 16777216, this program speaks 3");
  EXPECT_EQ(header_fault(with_u32(good, 12, 0)), "there is no message of kind 0");
  EXPECT_EQ(header_fault(with_u32(good, 12, 5)), "there is no message of kind 5");
}

TEST(Frame, AnnouncedSizeIsBounded) {
  EXPECT_EQ(header_fault(with_u64(good, 24, max_payload_size)), "");
  EXPECT_EQ(header_fault(with_u64(good, 24, max_payload_size + 1)),
            "the header announces 17179869185 bytes, at most 17179869184 are allowed");
  EXPECT_NE(header_fault(with_u64(good, 24, ~std::uint64_t{0})), "");
}

TEST(Printable, LeavesNoByteThatMovesACursor) {
  EXPECT_EQ(safe_line("all ~ right !"), "all ~ right !");
  EXPECT_EQ(safe_line("\x1b[2Jgone\n\x7f\xc3\xa9"), "?[2Jgone????");
  std::string cut(200, 'a');
  cut += "...";
  EXPECT_EQ(safe_line(std::string(201, 'a')), cut);
}

}  // namespace
}  // namespace nbody::protocol
