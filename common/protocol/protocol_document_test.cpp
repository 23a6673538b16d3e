#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "protocol/test_messages.hpp"
#include "protocol/test_servers/honest_answer.hpp"

namespace nbody::protocol {
namespace {

std::string document() {
  std::ifstream stream(PROTOCOL_DOCUMENT);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// The bytes of the block that is fenced with this word: up to 8 a line or one that is repeated, as
// in "00 x 56"; then an explanation.
std::string example(const std::string& word) {
  const std::string text = document(), opening = "\n```" + word + "\n";
  const std::size_t start = text.find(opening) + opening.size();
  std::istringstream lines(text.substr(start, text.find("\n```", start) - start));
  std::string bytes;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream row(line.substr(0, line.find("   ")));
    for (std::string byte; row >> byte;) {
      std::size_t times = 1;
      if (byte != "x") {
        bytes += static_cast<char>(std::stoi(byte, nullptr, 16));
      } else if (row >> times) {
        bytes.append(times - 1, bytes.back());
      }
    }
  }
  return bytes;
}

TEST(ProtocolDocument, ItsHelloIsOne) {
  const std::string bytes = example("hello");
  EXPECT_EQ(parse_hello_frame(bytes),
            (Hello{Precision::double_precision, false, 1, "part1", "mine", ""}));
  EXPECT_EQ(format_hello(parse_hello_frame(bytes)), bytes);
}

TEST(ProtocolDocument, ItsRequestIsOne) {
  const std::string bytes = example("request");
  const Request request = parse_request_frame(bytes);
  EXPECT_EQ(request.id, 5u);
  EXPECT_EQ(request.precision, Precision::double_precision);
  EXPECT_TRUE(request.want_accelerations);
  EXPECT_EQ(request.steps, 1u);
  EXPECT_EQ(request.bodies.mass, std::vector<double>{2});
  EXPECT_EQ(request.bodies.qz, std::vector<double>{3});
  EXPECT_EQ(request.bodies.vx, std::vector<double>{0.5});
  EXPECT_EQ(format_request(request), bytes);
}

TEST(ProtocolDocument, ItsAnswerIsTheAnswerToItsRequest) {
  const Request request = parse_request_frame(example("request"));
  EXPECT_EQ(format_answer(honest_answer(request)), example("answer"));
}

TEST(ProtocolDocument, ItsRefusalIsOne) {
  const Answer refusal = parse_answer_frame(example("refusal"));
  EXPECT_EQ(refusal.id, 5u);
  EXPECT_EQ(refusal.error, "not today");
  EXPECT_EQ(format_answer(refusal), example("refusal"));
}

}  // namespace
}  // namespace nbody::protocol
