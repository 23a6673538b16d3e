#include "view/movie.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "bodies/input_error.hpp"
#include "bodies/text_file.hpp"
#include "simulator/test_program/command.hpp"

namespace nbody::view {
namespace {

namespace fs = std::filesystem;

class MovieTest : public testing::Test {
 protected:
  static Picture grey(unsigned char shade) {
    return {64, 64, std::vector<unsigned char>(3 * 64 * 64, shade)};
  }
  const TestFolder folder_;
};

TEST_F(MovieTest, EveryEndingIsAFilmAndNothingElseIsLeft) {
  const std::map<std::string, std::string> begins = {
      {"a.gif", "GIF89a"}, {"a.webm", "\x1a\x45\xdf\xa3"}, {"a.mp4", std::string("\0\0\0\x20", 4)}};
  for (const auto& [name, begin] : begins) {
    const fs::path file = folder_ / name;
    demand_movie(file, 64, 64);
    {
      Movie movie(file, 64, 64, 30);
      for (int k = 0; k < 10; ++k) movie.add(grey(static_cast<unsigned char>(20 * k)));
      movie.finish();
    }
    EXPECT_EQ(read_text_file(file).substr(0, begin.size()), begin) << name;
  }
  EXPECT_EQ(folder_.contents().size(), begins.size());
}

TEST_F(MovieTest, WithoutItsEndNothingIsLeft) {
  {
    Movie movie(folder_ / "a.mp4", 64, 64, 30);
    for (int k = 0; k < 100; ++k) movie.add(grey(100));
  }
  EXPECT_EQ(folder_.contents().size(), 0u);
}

TEST_F(MovieTest, WhatFfmpegCannotDoItSays) {
  Movie movie(folder_ / "a.mp4", 64, 64, 30);
  movie.add(grey(0));
  fs::remove_all(folder_ / "");
  EXPECT_THROW(movie.finish(), InputError);
}

TEST_F(MovieTest, BadNamesAndSizesAreRefused) {
  EXPECT_THROW(demand_movie(folder_ / "a.avi", 64, 64), InputError);
  EXPECT_THROW(demand_movie(folder_ / "a.mp4", 65, 64), InputError);
  EXPECT_NO_THROW(demand_movie(folder_ / "a.gif", 65, 64));
  EXPECT_THROW(demand_movie(folder_ / "no/a.gif", 64, 64), InputError);
}

TEST_F(MovieTest, NoFfmpegIsSaidBefore) {
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", (folder_ / "").c_str(), 1);
  EXPECT_THROW(demand_movie(folder_ / "a.mp4", 64, 64), InputError);
  ::setenv("PATH", path.c_str(), 1);
}

}  // namespace
}  // namespace nbody::view
