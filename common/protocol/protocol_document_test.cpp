// The example in docs/protocol.md is what programs say.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <sstream>
#include <string>

#include "protocol/test_messages.hpp"

namespace nbody::protocol {
namespace {

// The message in the block that is fenced with this word: a header, and lines that end in a number.
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

TEST(ProtocolDocument, ItsMessagesAreThoseOfTheLab) {
  const Hello hello{Precision::double_precision, false, 1, "part1", "mine", ""};
  EXPECT_EQ(example("hello"), format_hello(hello));
  const Request request = parse_request_message(example("request"));
  EXPECT_EQ(example("request"), format_request(request));
  EXPECT_EQ(example("answer"), format_answer(honest_answer(request)));
  const Answer refusal = parse_answer_message(example("refusal"));
  EXPECT_EQ(example("refusal"), format_answer(refusal));
  EXPECT_EQ(refusal.id, request.id);
}

}  // namespace
}  // namespace nbody::protocol
