#pragma once

#include <sys/types.h>

#include <cstdio>
#include <filesystem>
#include <string>

#include "view/gl.hpp"

namespace nbody::view {

// Throws InputError: an unknown extension, a size that the format does not allow, a place that
// cannot be written, no ffmpeg.
void demand_movie(const std::filesystem::path& file, int width, int height);

// From now on Ctrl-C and SIGTERM end the process at once with one line and status 130 or 143; the
// simulators die with it. A film that is half written is removed.
void end_when_interrupted();

// A film that ffmpeg writes from pictures, under a temporary name; finish() renames it to `file`.
// Without finish(), or if the process is interrupted, nothing is left.
class Movie {
 public:
  Movie(std::filesystem::path file, int width, int height, int frames_per_second);
  ~Movie();
  Movie(const Movie&) = delete;
  Movie& operator=(const Movie&) = delete;

  // Both throw InputError with ffmpeg's message if it failed.
  void add(const Picture& picture);
  void finish();

 private:
  void start(int width, int height, int frames_per_second);
  [[noreturn]] void fail();
  bool ended_well();

  const std::filesystem::path file_;
  const std::string temporary_;
  std::FILE* complaints_;
  int pipe_ = -1;
  pid_t ffmpeg_ = -1;
};

}  // namespace nbody::view
