#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "protocol/message_property.hpp"

namespace nbody {
namespace {

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// Files named good_* are messages, all others are none.
void check_corpus(const std::string& folder, const char* (*broken)(std::string_view),
                  bool (*is_message)(std::string_view)) {
  int good = 0, bad = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(CORPUS) + folder)) {
    const std::string bytes = bytes_of(entry.path());
    const bool expected = entry.path().filename().string().starts_with("good_");
    EXPECT_EQ(broken(bytes), nullptr) << entry.path();
    EXPECT_EQ(is_message(bytes), expected) << entry.path();
    ++(expected ? good : bad);
  }
  EXPECT_GE(good, 3);
  EXPECT_GE(bad, 5);
}

TEST(MessageCorpus, Requests) { check_corpus("/request", broken_request_property, is_request); }
TEST(MessageCorpus, Answers) { check_corpus("/answer", broken_answer_property, is_answer); }

}  // namespace
}  // namespace nbody
