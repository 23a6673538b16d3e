#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "protocol/message_property.hpp"

namespace nbody::protocol {
namespace {

using namespace std::string_literals;

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

}  // namespace
}  // namespace nbody::protocol
