#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "bench/statistics.hpp"
#include "bodies/scene.hpp"
#include "protocol/expected_program.hpp"
#include "protocol/messages.hpp"

namespace nbody {

// How fast simulator programs are, measured from outside: the clock is ours. Time of K steps is
// t(2K) - t(K), each on fresh bodies, so that starting, sending and copying cancel. All programs
// are timed in turn, round by round, so that a disturbance of the machine meets them all.

struct TimingPlan {
  Scene scene;
  Precision precision = Precision::single_precision;
  bool adaptive = false;
  unsigned threads = 0;   // 0: the program's default
  int rounds = 7;         // after one more that warms up and is dropped
  double seconds = 0.05;  // least time of K steps; K is chosen for it
  double timeout_s = 60;  // for one request
  bool starts_slowly =
      false;  // a GPU: what a request costs besides its steps is no sign of trouble
  std::function<void(const std::string&)> on_progress = [](const std::string&) {};
};

struct Timing {
  std::string name;
  Statistics seconds_per_step;
  Statistics interactions_per_second;
  // Seconds of a step in each round, for comparing programs round by round; 0 where the machine was
  // too busy to tell.
  std::vector<double> rounds;
  // Of the accelerations at the end of the last timed run: what was timed is checked.
  double error = 0;
  std::string fault;    // why there are no numbers; empty if there are
  bool writes = false;  // to standard output or error, while it is timed
};

struct TimedProgram {
  std::string name;
  std::filesystem::path program;
  std::vector<std::string> arguments = {};  // behind --serve
  ExpectedProgram hello = {};               // what it must say of itself, beside the precision
};

std::vector<Timing> time_interleaved(const std::vector<TimedProgram>& programs,
                                     const TimingPlan& plan);

}  // namespace nbody
