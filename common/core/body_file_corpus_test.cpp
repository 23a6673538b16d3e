#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/body_file_property.hpp"

namespace nbody {
namespace {

struct Sample {
  std::filesystem::path file;
  std::string text;
};

// Written by make_corpus.py.
std::vector<Sample> corpus() {
  std::vector<Sample> samples;
  for (const auto& entry : std::filesystem::directory_iterator(CORPUS)) {
    std::ifstream in(entry.path(), std::ios::binary);
    samples.push_back({entry.path(), {std::istreambuf_iterator<char>(in), {}}});
  }
  return samples;
}

// The fuzzer's seeds: names that begin with good_ are scenes, all others are refused.
TEST(BodyFileCorpus, IsReadOrRefusedAsItsNameSays) {
  ASSERT_GE(corpus().size(), 15u);
  for (const auto& [file, text] : corpus()) {
    SCOPED_TRACE(file);
    if (file.filename().string().starts_with("good_")) {
      EXPECT_NO_THROW(read_body_file(file));
    } else {
      EXPECT_THROW(read_body_file(file), InputError);
    }
    EXPECT_STREQ(broken_body_file_property(text), nullptr);
  }
}

// A cut or a flipped bit anywhere must be as harmless as the file itself.
TEST(BodyFileCorpus, KeepsTheFuzzersPropertyWhenCutOrDamaged) {
  for (const auto& [file, text] : corpus()) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      SCOPED_TRACE(file.string() + ", byte " + std::to_string(i));
      ASSERT_STREQ(broken_body_file_property(text.substr(0, i)), nullptr) << "cut";
      for (int bit = 0; bit < 8; ++bit) {
        std::string damaged = text;
        damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
        ASSERT_STREQ(broken_body_file_property(damaged), nullptr) << "bit " << bit;
      }
    }
  }
}

}  // namespace
}  // namespace nbody
