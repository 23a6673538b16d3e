#pragma once

#include <string>
#include <vector>

#include "bench/statistics.hpp"
#include "bench/timing.hpp"
#include "simulator/tuning.hpp"

namespace nbody::bench {

// What an implementation is measured under.
struct BenchSetup {
  std::size_t n = 0;
  unsigned threads = 1;
  std::string precision = "float";
  Tuning tuning = {};  // of the launch, if requested
  // Threads of all processes together.
  unsigned workers() const { return threads * (tuning.ranks > 1 ? tuning.ranks : 1); }
  bool operator==(const BenchSetup&) const = default;
};

// One implementation under one setup.
struct BenchRow {
  std::string name;   // with its instruction set if one was requested: direct_avx2
  std::string flags;  // of its compiler
  BenchSetup setup;
  int rounds = 0;
  Statistics rate;              // interactions/s; the median is the speed
  Statistics seconds;           // per iteration
  double flops = 20;            // per interaction
  bool flops_counted = false;   // else by the literature's convention
  double error = 0, limit = 0;  // of the forces after timed requests, and what is allowed
  std::string kind;             // naive, mine, rung, exhibit, solution or guest
  std::string parent;           // the row that it comes from; empty: it has none
  // Seconds of a step and cores that others used, round by round; 0 s: the round does not count.
  std::vector<double> round_seconds, round_neighbours;
  double cores = 0;         // processor time over wall time, while it was timed; 0: not known
  std::string about_cores;  // too few for a speed, or fewer than its threads
  bool writes = false;      // to standard output or error, which takes time
  bool step_count_verified = false;  // half the steps at twice the dt would have been noticed
  Outcome outcome = Outcome::failed;
  std::string verdict;  // the outcome in words, and what was wrong with the timed answers

  bool measured() const { return rate.median > 0; }
  // Timed while other programs ran: the figures depend on them, too.
  bool on_busy_machine() const {
    return measured() &&
           (rate.spread() > 0.25 || (setup.workers() == 1 && cores > 0 && cores < 0.75));
  }
  bool as_expected() const {
    return outcome == Outcome::right || outcome == Outcome::wrong_as_expected;
  }
};

struct BenchContext {
  std::string part, scene, cpu, compiler, date, revision, schedule;
  bool adaptive = false;
  std::string device;      // empty: the CPU
  double device_peak = 0;  // flop/s in float; 0: not known
  double clock_hz = 0;     // of a core, during the measurements; 0: not known
  double load = 0;         // load average over the minute before
  TimeSpent spent = {};
  bool stopped = false;  // before all rounds were measured
  bool operator==(const BenchContext&) const = default;
};

struct BenchResult {
  BenchContext context;
  std::vector<BenchRow> rows;
};

// In the order of their first row.
std::vector<BenchSetup> setups_in(const BenchResult& result);
// Null if it was not measured.
const BenchRow* find_row(const BenchResult& result, const std::string& name,
                         const BenchSetup& setup);

// How many times as fast one row is as another: the median of the rounds' ratios, since both were
// timed in turn. Rounds count if both were measured beside about the same neighbours. 0: too few.
double ratio_between(const BenchRow& row, const BenchRow& other);

// The same to the first implementation under the same setup, launched as in the first row; 0: one
// of them is missing.
double ratio_to_first(const BenchResult& result, const BenchRow& row);

bool as_expected(const BenchResult& result);

// Bodies that this rate moves 60 times per second.
std::size_t bodies_at_60_a_second(const BenchRow& row);

// Google Benchmark's JSON with additions: facts about the machine and the programs in `context`,
// and beside `benchmarks` a list `summary` with a row for each of them.
std::string result_json(const BenchResult& result, const std::string& google_json);

}  // namespace nbody::bench
