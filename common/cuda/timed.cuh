#pragma once

#include <cstddef>
#include <source_location>
#include <string>

#include "cuda/cuda_check.cuh"

namespace nbody {

// Is ./lab profile active? If not, the clocks below only test a bool.
void start_profile();
std::string profile_so_far(double wall_s);

// Times its own lifetime, for the row `name` of the profile: by GPU events, which are read later so
// that the host need not wait; or by the host's clock.
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

// Every launch goes through timed():
//
//   timed("accelerations", [&] { accelerations<<<blocks, block>>>(...); });
//
// checks the launch and makes a row of the profile. Do not put it around launches captured into a
// CUDA graph, but around the launch of the graph.
template <typename Launch>
void timed(const char* name, const Launch& launch,
           const std::source_location& where = std::source_location::current()) {
  const Stopwatch watch(name, Stopwatch::Clock::device);
  launch();
  check_launch(where);
}

}  // namespace nbody
