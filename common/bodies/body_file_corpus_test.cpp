#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "bodies/body_file.hpp"
#include "bodies/body_file_property.hpp"
#include "bodies/input_error.hpp"

namespace nbody {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> corpus() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(CORPUS)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The fuzzer's seeds: names that begin with good_ are scenes, all others are refused.
TEST(BodyFileCorpus, IsReadOrRefusedAsItsNameSays) {
  ASSERT_GE(corpus().size(), 15u);
  for (const fs::path& file : corpus()) {
    SCOPED_TRACE(file.filename().string());
    const bool good = file.filename().string().rfind("good_", 0) == 0;
    if (good) {
      EXPECT_NO_THROW(read_body_file(file));
    } else {
      EXPECT_THROW(read_body_file(file), InputError);
    }
  }
}

TEST(BodyFileCorpus, KeepsTheFuzzersProperty) {
  for (const fs::path& file : corpus()) {
    EXPECT_STREQ(broken_body_file_property(content(file)), nullptr) << file;
  }
}

// A cut or a flipped bit anywhere must be as harmless as the file itself.
TEST(BodyFileCorpus, KeepsItWhenCutOrDamaged) {
  for (const fs::path& file : corpus()) {
    const std::string text = content(file);
    for (std::size_t i = 0; i < text.size(); ++i) {
      ASSERT_STREQ(broken_body_file_property(text.substr(0, i)), nullptr)
          << file << " cut at " << i;
      for (int bit = 0; bit < 8; ++bit) {
        std::string damaged = text;
        damaged[i] = static_cast<char>(damaged[i] ^ (1 << bit));
        ASSERT_STREQ(broken_body_file_property(damaged), nullptr)
            << file << ", byte " << i << ", bit " << bit;
      }
    }
  }
}

}  // namespace
}  // namespace nbody
