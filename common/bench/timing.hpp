#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "bench/statistics.hpp"
#include "session/session.hpp"
#include "simulator/messages.hpp"

namespace nbody::bench {

// How fast simulator programs are, measured from outside: the clock is ours. They are timed in
// turn, round by round and in random order, so that noise affects all alike. Each round sends a
// program three requests of different lengths, with new bodies; the slope is the time of a step
// (step_time.hpp). Where a step takes long, a round is one request of one step: then the start of a
// request no longer matters. Between its rounds a program on the CPU is stopped. Every timed answer
// is checked, and some are asked for again in parts: were all their steps made (halves.hpp)?

struct TimedProgram {
  std::string name;
  std::filesystem::path program;
  std::vector<std::string> arguments = {};  // after --serve
  ExpectedProgram hello = {};               // what it must say of itself, beside the precision
  Launch launcher = {};                     // before its path
};

// The request.
struct TimingPlan {
  std::string scene = "plummer";
  std::size_t n = 2000;
  Precision precision = Precision::single_precision;
  bool adaptive = false;
  unsigned threads = 0;        // 0: the program's default
  double seconds = 0.05;       // least time between the shortest and the longest request
  double timeout_s = 60;       // for one request, or five times what a smaller size lets expect
  double starts = 8;           // that the steps between two requests last, at least
  double long_step_s = 0.5;    // beside which the start of a request, some ms, no longer matters
  double longest_s = 60;       // of all rounds, where steps are long: then there are fewer rounds
  std::uint64_t seed = 0;      // of all random numbers; 0: unpredictable
  bool starts_slowly = false;  // a GPU: the fixed cost of a request is large and varies
};

struct TimedCase {
  TimedProgram program;
  TimingPlan plan;
  double flops = 20;  // per interaction
};

// What came of timing a program.
enum class Outcome { right, wrong, wrong_as_expected, late, busy, failed };

struct Timing {
  std::string name;
  Statistics seconds_per_step;
  Statistics interactions_per_second;
  // Seconds per step in each round, to compare programs round by round; 0 if the round does not
  // count: the machine was too busy.
  std::vector<double> rounds;
  std::vector<double> neighbours;  // cores that other programs used in each round
  std::vector<double> cycles;      // seconds per cycle of a core around each measured round
  double error = 0;   // of the accelerations after all timed answers, some rows of each
  double limit = 0;   // of the error: honest sums of these bodies stay below it
  std::string wrong;  // what else was wrong with a timed answer
  bool step_count_verified = false;  // half the steps at twice the dt would have been noticed
  double cores = 0;                  // processor time over wall time, while it was timed
  std::string about_cores;  // it had too few, or has more threads than the machine has cores
  std::string fault;        // why there are no numbers; empty if there are
  Outcome outcome = Outcome::failed;  // of a fault: late, busy (the machine's doing), or failed
  bool writes = false;                // to standard output or error, while it is timed
};

// Where the time of a measurement went, s of wall-clock time.
struct TimeSpent {
  double all = 0, warming_up = 0, timed = 0, judging = 0;
  bool operator==(const TimeSpent&) const = default;
};

struct Measurement {
  std::vector<Timing> timings;  // in the order of the cases
  std::string google_json;      // what Google Benchmark writes about them
  TimeSpent spent;
  bool stopped = false;  // by the listener: with the rounds that were complete until then
};

// Who waits for a measurement.
struct Listener {
  // How many rounds of how many are measured, and what is being done.
  std::function<void(std::size_t done, std::size_t all, const std::string&)> progress =
      [](std::size_t, std::size_t, const std::string&) {};
  // A case that is measured; those of fewer bodies come first.
  std::function<void(std::size_t, const Timing&)> known = [](std::size_t, const Timing&) {};
  std::function<bool()> stops = [] { return false; };
};

// Waits for free cores where other programs have them, in all at most `wait_s`. Throws InputError
// without Google Benchmark, or for an unknown scene.
Measurement measure_in_turn(const std::vector<TimedCase>& cases, int rounds,
                            const Listener& listener = {}, double wait_s = 0);

}  // namespace nbody::bench
