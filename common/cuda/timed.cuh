#pragma once

#include <cstddef>
#include <source_location>
#include <string>

#include "cuda/check.cuh"

namespace nbody {

// Is ./lab profile looking? Off, the clocks below cost a test of a bool.
void start_profile();
std::string profile_so_far(double wall_s);

// Times what happens while it lives, for the row `name` of the profile: by events on the GPU, which
// are read later, so that the host need not wait; or by the clock of the host.
class Stopwatch {
 public:
  enum class Clock { device, host };
  Stopwatch(const char* name, Clock clock, std::size_t bytes = 0);
  ~Stopwatch();
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  const char* name_;
  Clock clock_;
  std::size_t bytes_;
  cudaEvent_t start_ = nullptr, stop_ = nullptr;
  double started_s_ = 0;
};

// Every launch goes through it:
//
//   timed("accelerations", [&] { accelerations<<<blocks, block>>>(...); });
//
// checks it, and is a row of the profile. Not around what is captured into a CUDA graph: put it
// around the launch of the graph.
template <typename Launch>
void timed(const char* name, const Launch& launch,
           const std::source_location& where = std::source_location::current()) {
  const Stopwatch watch(name, Stopwatch::Clock::device);
  launch();
  check_launch(where);
}

}  // namespace nbody
