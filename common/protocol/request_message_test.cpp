#include <gtest/gtest.h>

#include <limits>

#include "protocol/test_messages.hpp"

namespace nbody::protocol {
namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

const std::string good = format_request(small_request());

std::string fault(const std::string& bytes) { return fault_of(parse_request_frame, bytes); }

TEST(RequestMessage, RoundTripKeepsEveryField) {
  const Request sent = small_request();
  const Request read = parse_request_frame(good);
  EXPECT_EQ(read.id, 7u);
  EXPECT_EQ(read.precision, Precision::double_precision);
  EXPECT_TRUE(read.want_accelerations);
  EXPECT_FALSE(read.want_every_state);
  EXPECT_FALSE(read.adaptive);
  EXPECT_FALSE(read.want_jerk);
  EXPECT_EQ(read.threads, 3u);
  EXPECT_EQ(read.ranks, 2u);
  EXPECT_EQ(read.setting.integrator, "hermite4");
  EXPECT_EQ(read.steps, 2u);
  EXPECT_EQ(read.setting, sent.setting);
  EXPECT_EQ(read.bodies, sent.bodies);
  EXPECT_EQ(format_request(read), good);
}

TEST(RequestMessage, EveryFlagHasItsBit) {
  for (std::uint32_t flags = 0; flags < 16; ++flags) {
    const Request read = parse_request_frame(with_u32(good, 36, flags));
    EXPECT_EQ(read.want_accelerations, (flags & 1) != 0);
    EXPECT_EQ(read.want_every_state, (flags & 2) != 0);
    EXPECT_EQ(read.adaptive, (flags & 4) != 0);
    EXPECT_EQ(read.want_jerk, (flags & 8) != 0);
    EXPECT_EQ(format_request(read), with_u32(good, 36, flags));
  }
}

TEST(RequestMessage, AnotherIdCanBeSent) {
  EXPECT_EQ(format_request(small_request(), 8), with_u64(good, 16, 8));
}

TEST(RequestMessage, FaultsOfTheFixedFieldsAreNamed) {
  EXPECT_EQ(fault(good), "");
  EXPECT_EQ(fault(with_u32(good, 12, 2)), "a request was expected, but the message is an answer");
  EXPECT_EQ(fault(with_u32(good, 32, 5)), "precision is 5: 4 (float) or 8 (double) are allowed");
  EXPECT_EQ(fault(with_u32(good, 36, 16)), "flags are 0x10: only the bits 0xf have a meaning");
  EXPECT_EQ(fault(with_u32(good, 40, 4096)), "");
  EXPECT_EQ(fault(with_u32(good, 40, 4097)),
            "4097 threads are asked for, at most 4096 are allowed");
  EXPECT_EQ(fault(with_u32(good, 44, 65536)), "");
  EXPECT_EQ(fault(with_u32(good, 44, 65537)),
            "the message speaks of 65537 ranks, at most 65536 are allowed");
}

TEST(RequestMessage, CountsMustMatchTheBytes) {
  EXPECT_EQ(fault(with_u64(good, 48, 0)), "the message holds 0 bodies, 1 to 134217728 are allowed");
  EXPECT_EQ(fault(with_u64(good, 48, 134217729)),
            "the message holds 134217729 bodies, 1 to 134217728 are allowed");
  EXPECT_EQ(fault(with_u64(good, 48, 3)),
            "the counts of the message ask for 304 bytes, its header states 248, 248 came");
  EXPECT_EQ(fault(with_u64(good, 24, 249)),
            "the counts of the message ask for 248 bytes, its header states 249, 248 came");
  // 56 bytes each: 2^61 more bodies give the same size modulo 2^64.
  for (std::uint64_t k = 1; k < 8; ++k) EXPECT_NE(fault(with_u64(good, 48, 2 + (k << 61))), "");
  EXPECT_NE(fault(with_u64(good, 48, ~std::uint64_t{0})), "");
}

TEST(RequestMessage, SettingsMustBeFiniteAndNotNegative) {
  const char* names[] = {"G", "softening", "dt", "dt_floor"};
  for (std::size_t k = 0; k < 4; ++k) {
    const std::size_t offset = 64 + 8 * k;
    EXPECT_EQ(fault(with_f64(good, offset, 0)), "");
    for (const double bad : {-1.0, not_a_number, infinity}) {
      EXPECT_NE(fault(with_f64(good, offset, bad)).find(std::string(names[k]) + " is "),
                std::string::npos);
    }
  }
}

TEST(RequestMessage, DampingLiesBetween0And1) {
  EXPECT_EQ(fault(with_f64(good, 96, 0)), "");
  EXPECT_EQ(fault(with_f64(good, 96, 1)), "");
  for (const double bad : {-0.5, 1.5, not_a_number}) {
    EXPECT_NE(fault(with_f64(good, 96, bad)).find("damping is "), std::string::npos);
  }
}

TEST(RequestMessage, BodiesMustBeFiniteAndHaveMass) {
  EXPECT_EQ(fault(with_f64(good, 176, 0)), "mass of body 1 is 0: it must be > 0");
  EXPECT_EQ(fault(with_f64(good, 168, -2)), "mass of body 0 is -2: it must be > 0");
  const char* names[] = {"mass", "qx", "qy", "qz", "vx", "vy", "vz"};
  for (std::size_t k = 0; k < 14; ++k) {
    const std::string where = std::string(names[k / 2]) + " of body " + std::to_string(k % 2);
    for (const double bad : {not_a_number, infinity, -infinity}) {
      EXPECT_EQ(fault(with_f64(good, 168 + 8 * k, bad)).find(where + " is "), 0u) << where;
    }
  }
}

// Offset 104, 64 bytes.
TEST(RequestMessage, AnIntegratorIsAName) {
  const auto with_name = [](std::string name) {
    name.resize(name_size, '\0');
    return std::string(good).replace(104, name_size, name);
  };
  EXPECT_EQ(parse_request_frame(with_name("")).setting.integrator, "");
  EXPECT_EQ(parse_request_frame(with_name(std::string(64, 'x'))).setting.integrator,
            std::string(64, 'x'));
  EXPECT_EQ(fault(with_name("leap frog")),
            "the name 'leap frog' holds blanks, or bytes that are not printable ASCII");
  EXPECT_EQ(fault(with_name("le\nap")),
            "the name 'le?ap' holds blanks, or bytes that are not printable ASCII");
  EXPECT_EQ(fault(with_name(std::string("euler\0x", 7))),
            "bytes follow the end of the name 'euler'");
  Request request = small_request();
  request.setting.integrator = std::string(65, 'x');
  EXPECT_THROW(format_request(request), ProtocolError);
  request.setting.integrator = "a\tb";
  EXPECT_THROW(format_request(request), ProtocolError);
}

TEST(RequestMessage, StatesMustFitInOneAnswer) {
  const std::string every_state = with_u32(good, 36, 2);
  const std::uint64_t fitting = (max_payload_size - 24) / (8 + 2 * 48);
  EXPECT_EQ(fault(with_u64(every_state, 56, fitting)), "");
  EXPECT_NE(fault(with_u64(every_state, 56, fitting + 1)).find("do not fit"), std::string::npos);
  EXPECT_NE(fault(with_u64(every_state, 56, ~std::uint64_t{0})), "");
  // Only the last state: any number of steps.
  EXPECT_EQ(fault(with_u64(good, 56, ~std::uint64_t{0})), "");
}

TEST(RequestMessage, ExpectedShapeFollowsTheRequest) {
  Request request = small_request();
  EXPECT_EQ(expected_shape(request), (AnswerShape{true, 2, 1}));
  request.want_every_state = true;
  request.want_accelerations = false;
  EXPECT_EQ(expected_shape(request), (AnswerShape{false, 2, 2}));
  request.steps = 0;
  EXPECT_EQ(expected_shape(request), (AnswerShape{false, 2, 1}));
  request.want_jerk = true;
  EXPECT_EQ(expected_shape(request), (AnswerShape{false, 2, 1, true}));
}

TEST(RequestMessage, UnequalColumnsAreNotSent) {
  Request request = small_request();
  request.bodies.vy.pop_back();
  EXPECT_THROW(format_request(request), ProtocolError);
  EXPECT_THROW(format_request(Request{}), ProtocolError);
}

}  // namespace
}  // namespace nbody::protocol
