// What all messages share; hellos, requests, answers.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "protocol/test_messages.hpp"

namespace nbody::protocol {
namespace {

using namespace std::string_literals;

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

const std::string good_hello = format_hello(small_hello());
const std::string good_request = format_request(small_request());
const std::string good_answer = format_answer(small_answer());

// A message with one of its 32-bit numbers changed.
struct Change {
  std::size_t offset;
  std::uint32_t value;
  std::string fault;  // empty: none
};

template <typename Parse>
void expect_faults(Parse parse, const std::string& good, const std::vector<Change>& changes) {
  EXPECT_EQ(fault_of(parse, good), "");
  for (const auto& [offset, value, fault] : changes) {
    EXPECT_EQ(fault_of(parse, with_u32(good, offset, value)), fault) << offset << ": " << value;
  }
}

std::string hello_fault(const std::string& bytes) { return fault_of(parse_hello_frame, bytes); }
std::string request_fault(const std::string& bytes) { return fault_of(parse_request_frame, bytes); }
std::string answer_fault(const std::string& bytes) { return fault_of(parse_answer_frame, bytes); }

FrameHeader parse_header_of(const std::string& bytes) {
  return parse_header(bytes.substr(0, frame_header_size));
}
std::string header_fault(const std::string& bytes) { return fault_of(parse_header_of, bytes); }

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
  expect_faults(
      parse_header_of, good_request,
      {{8, 1, "the message has protocol version 1, this program speaks 3"},
       {8, 0x01000000, "the message has protocol version 16777216, this program speaks 3"},
       {12, 0, "there is no message of kind 0"},
       {12, 6, "there is no message of kind 6"}});
  EXPECT_EQ(header_fault(good_request.substr(0, 31)), "a header has 32 bytes, not 31");
  EXPECT_EQ(header_fault(std::string(32, 'X')),
            "a message begins with NBODYLAB, this one does not");
}

TEST(Frame, AnnouncedSizeIsBounded) {
  EXPECT_EQ(header_fault(with_u64(good_request, 24, max_payload_size)), "");
  EXPECT_EQ(header_fault(with_u64(good_request, 24, max_payload_size + 1)),
            "the header announces 17179869185 bytes, at most 17179869184 are allowed");
  EXPECT_NE(header_fault(with_u64(good_request, 24, ~std::uint64_t{0})), "");
}

TEST(Printable, LeavesNoByteThatMovesACursor) {
  EXPECT_EQ(safe_line("all ~ right !"), "all ~ right !");
  EXPECT_EQ(safe_line("\x1b[2Jgone\n\x7f\xc3\xa9"), R"(\x1b[2Jgone\x0a\x7f\xc3\xa9)");
  std::string cut(200, 'a');
  cut += "...";
  EXPECT_EQ(safe_line(std::string(201, 'a')), cut);
}

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// Of the folder that has the kind's name, files named good_* are messages, all others are none.
TEST(MessageCorpus, OnlyGoodFilesAreMessages) {
  for (const MessageKind& kind : message_kinds) {
    int good = 0, bad = 0;
    for (const auto& entry : std::filesystem::directory_iterator(CORPUS + ("/"s + kind.name))) {
      const std::string bytes = bytes_of(entry.path());
      const bool expected = entry.path().filename().string().starts_with("good_");
      EXPECT_EQ(broken_property(kind, bytes), nullptr) << entry.path();
      EXPECT_EQ(is_message(kind, bytes), expected) << entry.path();
      ++(expected ? good : bad);
    }
    EXPECT_GE(good, 3) << kind.name;
    EXPECT_GE(bad, 5) << kind.name;
  }
}

// Also when its header states the size that is left.
TEST(MessageCorpus, ACutMessageIsAlwaysAFault) {
  const std::string messages[] = {good_hello, good_request, good_answer};
  for (std::size_t k = 0; k < 3; ++k) {
    const MessageKind& kind = message_kinds[k];
    const std::string& whole = messages[k];
    EXPECT_TRUE(is_message(kind, whole)) << kind.name;
    EXPECT_FALSE(is_message(kind, whole + "x")) << kind.name;
    for (std::size_t size = frame_header_size; size < whole.size(); ++size) {
      const std::string cut = whole.substr(0, size);
      EXPECT_FALSE(is_message(kind, cut)) << kind.name << size;
      EXPECT_FALSE(is_message(kind, with_u64(cut, 24, size - frame_header_size)))
          << kind.name << size;
    }
  }
}

TEST(HelloMessage, RoundTripKeepsEveryField) {
  EXPECT_EQ(parse_hello_frame(good_hello), small_hello());
  EXPECT_EQ(good_hello.size(), frame_header_size + hello_size);
  const Hello plain{Precision::single_precision, false, 1, "part1", "naive", ""};
  EXPECT_EQ(parse_hello_frame(format_hello(plain)), plain);
}

TEST(HelloMessage, FaultsAreNamed) {
  expect_faults(parse_hello_frame, good_hello,
                {{12, 1, "a hello was expected, but the message is a request"},
                 {12, 3, "a hello was expected, but the message is a refusal"},
                 {16, 1, "the id of a hello must be 0"},
                 {32, 2, "precision is 2: 4 (float) or 8 (double) are allowed"},
                 {36, 3, "flags of the hello are 0x3: only bit 0 has a meaning"},
                 {40, 0, "the hello names 0 ranks, and a program has at least 1"},
                 {40, 65537, "the message speaks of 65537 ranks, at most 65536 are allowed"},
                 {44, 1, "the bytes 12 to 15 of a hello must be 0"}});
}

// Part, name and instruction set at 48, 112 and 176, 64 bytes each.
TEST(HelloMessage, NamesArePrintableAndPadded) {
  for (const std::size_t offset : {48, 112, 176}) {
    const auto with_byte = [&](std::size_t k, char byte) {
      return std::string(good_hello).replace(offset + k, 1, 1, byte);
    };
    for (const char bad : {' ', '\n', '\x1b', '\x7f', '\x80'}) {
      EXPECT_NE(hello_fault(with_byte(0, bad)).find("not printable ASCII"), std::string::npos);
    }
    EXPECT_NE(hello_fault(with_byte(2, '\0')).find("bytes follow the end of the name"),
              std::string::npos);
    EXPECT_NE(hello_fault(with_byte(63, 'x')).find("bytes follow the end of the name"),
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

TEST(RequestMessage, RoundTripKeepsEveryField) {
  EXPECT_EQ(parse_request_frame(good_request), small_request());
}

TEST(RequestMessage, EveryFlagHasItsBit) {
  for (std::uint32_t flags = 0; flags < 16; ++flags) {
    const Request read = parse_request_frame(with_u32(good_request, 36, flags));
    EXPECT_EQ(read.want_accelerations, (flags & 1) != 0);
    EXPECT_EQ(read.want_every_state, (flags & 2) != 0);
    EXPECT_EQ(read.adaptive, (flags & 4) != 0);
    EXPECT_EQ(read.want_jerk, (flags & 8) != 0);
    EXPECT_EQ(format_request(read), with_u32(good_request, 36, flags));
  }
}

TEST(RequestMessage, AnotherIdCanBeSent) {
  EXPECT_EQ(format_request(small_request(), 8), with_u64(good_request, 16, 8));
}

TEST(RequestMessage, FaultsOfTheFixedFieldsAreNamed) {
  expect_faults(parse_request_frame, good_request,
                {{12, 2, "a request was expected, but the message is an answer"},
                 {32, 5, "precision is 5: 4 (float) or 8 (double) are allowed"},
                 {36, 16, "flags are 0x10: only the bits 0xf have a meaning"},
                 {40, 4096, ""},
                 {40, 4097, "4097 threads are asked for, at most 4096 are allowed"},
                 {44, 65536, ""},
                 {44, 65537, "the message speaks of 65537 ranks, at most 65536 are allowed"}});
}

TEST(RequestMessage, CountsMustMatchTheBytes) {
  expect_faults(
      parse_request_frame, good_request,
      {{48, 0, "the message holds 0 bodies, 1 to 134217728 are allowed"},
       {48, 134217729, "the message holds 134217729 bodies, 1 to 134217728 are allowed"},
       {48, 3, "the counts of the message ask for 304 bytes, its header states 248, 248 came"},
       {24, 249, "the counts of the message ask for 248 bytes, its header states 249, 248 came"}});
  // 56 bytes each: 2^61 more bodies give the same size modulo 2^64.
  for (std::uint64_t k = 1; k < 8; ++k)
    EXPECT_NE(request_fault(with_u64(good_request, 48, 2 + (k << 61))), "");
  EXPECT_NE(request_fault(with_u64(good_request, 48, ~std::uint64_t{0})), "");
}

TEST(RequestMessage, SettingsMustBeFiniteAndNotNegative) {
  const char* names[] = {"G", "softening", "dt", "dt_floor"};
  for (std::size_t k = 0; k < 4; ++k) {
    const std::size_t offset = 64 + 8 * k;
    EXPECT_EQ(request_fault(with_f64(good_request, offset, 0)), "");
    for (const double bad : {-1.0, not_a_number, infinity}) {
      EXPECT_NE(
          request_fault(with_f64(good_request, offset, bad)).find(std::string(names[k]) + " is "),
          std::string::npos);
    }
  }
}

TEST(RequestMessage, DampingLiesBetween0And1) {
  EXPECT_EQ(request_fault(with_f64(good_request, 96, 0)), "");
  EXPECT_EQ(request_fault(with_f64(good_request, 96, 1)), "");
  for (const double bad : {-0.5, 1.5, not_a_number}) {
    EXPECT_NE(request_fault(with_f64(good_request, 96, bad)).find("damping is "),
              std::string::npos);
  }
}

TEST(RequestMessage, BodiesMustBeFiniteAndHaveMass) {
  EXPECT_EQ(request_fault(with_f64(good_request, 176, 0)), "mass of body 1 is 0: it must be > 0");
  EXPECT_EQ(request_fault(with_f64(good_request, 168, -2)), "mass of body 0 is -2: it must be > 0");
  const char* names[] = {"mass", "qx", "qy", "qz", "vx", "vy", "vz"};
  for (std::size_t k = 0; k < 14; ++k) {
    const std::string where = std::string(names[k / 2]) + " of body " + std::to_string(k % 2);
    for (const double bad : {not_a_number, infinity, -infinity}) {
      EXPECT_EQ(request_fault(with_f64(good_request, 168 + 8 * k, bad)).find(where + " is "), 0u)
          << where;
    }
  }
}

// Offset 104, 64 bytes.
TEST(RequestMessage, AnIntegratorIsAName) {
  const auto with_name = [](std::string name) {
    name.resize(name_size, '\0');
    return std::string(good_request).replace(104, name_size, name);
  };
  EXPECT_EQ(parse_request_frame(with_name("")).setting.integrator, "");
  EXPECT_EQ(parse_request_frame(with_name(std::string(64, 'x'))).setting.integrator,
            std::string(64, 'x'));
  EXPECT_EQ(request_fault(with_name("leap frog")),
            "the name 'leap frog' holds blanks, or bytes that are not printable ASCII");
  EXPECT_EQ(request_fault(with_name("le\nap")),
            "the name 'le\\x0aap' holds blanks, or bytes that are not printable ASCII");
  EXPECT_EQ(request_fault(with_name(std::string("euler\0x", 7))),
            "bytes follow the end of the name 'euler'");
  Request request = small_request();
  request.setting.integrator = std::string(65, 'x');
  EXPECT_THROW(format_request(request), ProtocolError);
  request.setting.integrator = "a\tb";
  EXPECT_THROW(format_request(request), ProtocolError);
}

TEST(RequestMessage, StatesMustFitInOneAnswer) {
  const std::string every_state = with_u32(good_request, 36, 2);
  const std::uint64_t fitting = (max_payload_size - 24) / (8 + 2 * 48);
  EXPECT_EQ(request_fault(with_u64(every_state, 56, fitting)), "");
  EXPECT_NE(request_fault(with_u64(every_state, 56, fitting + 1)).find("do not fit"),
            std::string::npos);
  EXPECT_NE(request_fault(with_u64(every_state, 56, ~std::uint64_t{0})), "");
  // Only the last state: any number of steps.
  EXPECT_EQ(request_fault(with_u64(good_request, 56, ~std::uint64_t{0})), "");
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

Answer refusal(const std::string& text) {
  Answer answer;
  answer.id = 5;
  answer.error = text;
  return answer;
}

TEST(AnswerMessage, RoundTripKeepsEveryField) {
  EXPECT_EQ(parse_answer_frame(good_answer), small_answer());
}

TEST(AnswerMessage, AccelerationsAndJerksMayBeAbsent) {
  Answer answer = small_answer();
  for (const bool with_jerk : {false, true}) {
    answer.jerk = with_jerk ? numbered_vectors(2, 60) : Vectors<double>();
    for (const bool with_accelerations : {false, true}) {
      answer.accelerations = with_accelerations ? numbered_vectors(2, 50) : Vectors<double>();
      EXPECT_EQ(parse_answer_frame(format_answer(answer)), answer);
    }
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
    for (std::size_t offset = 32 + 24; offset < good_answer.size(); offset += 8) {
      const std::string odd = with_u64(good_answer, offset, pattern);
      EXPECT_EQ(format_answer(parse_answer_frame(odd)), odd);
    }
  }
}

TEST(AnswerMessage, FaultsAreNamed) {
  expect_faults(
      parse_answer_frame, good_answer,
      {{12, 1, "an answer was expected, but the message is a request"},
       {32, 5, "flags of the answer are 0x5: only the bits 0x3 have a meaning"},
       {36, 1, "the bytes 4 to 7 of an answer must be 0"},
       {40, 0, "the message holds 0 bodies, 1 to 134217728 are allowed"},
       {48, 0, "an answer holds at least one state"},
       {32, 0, "the counts of the message ask for 232 bytes, its header states 280, 280 came"}});
}

TEST(AnswerMessage, LyingCountsDoNotWrapAround) {
  EXPECT_NE(answer_fault(with_u64(good_answer, 48, ~std::uint64_t{0})).find("do not fit"),
            std::string::npos);
  // Multiples of 8 bytes: 2^61 more states or bodies give the same size modulo 2^64.
  for (std::uint64_t k = 1; k < 8; ++k) {
    EXPECT_NE(answer_fault(with_u64(good_answer, 48, 2 + (k << 61))), "");
    EXPECT_NE(answer_fault(with_u64(good_answer, 40, 2 + (k << 61))), "");
  }
  EXPECT_THROW(answer_payload_size({false, std::uint64_t{1} << 61, 1}), ProtocolError);
  EXPECT_THROW(answer_payload_size({true, ~std::uint64_t{0}, 1}), ProtocolError);
  EXPECT_THROW(answer_payload_size({true, 1, ~std::uint64_t{0}}), ProtocolError);
  EXPECT_EQ(answer_payload_size({true, 3, 4}), 24u + 4 * (8 + 48 * 3) + 24 * 3);
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
  EXPECT_EQ(answer_fault(with_u64(one.substr(0, 32), 24, 0)),
            "a refusal has 0 bytes of text, 1 to 4096 are allowed");
  EXPECT_NE(answer_fault(with_u64(one + longest, 24, max_refusal_size + 1)), "");
  EXPECT_NE(answer_fault(with_u64(one, 24, 2)), "");
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
