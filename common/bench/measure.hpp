#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/plan.hpp"

namespace nbody::bench {

// How fast simulator programs are, measured from outside: the clock is ours. They are timed in
// turn, round by round and in random order, so that noise affects all alike. Each round sends a
// program three requests of different lengths, with new bodies; the slope is the time of a step
// (step_time.hpp). Where a step takes long, a round is one request of one step: then the start of a
// request no longer matters. Between its rounds a program on the CPU is stopped. Every timed answer
// is checked, and some are asked for again in parts: were all their steps made (halves.hpp)?

// Of a row without numbers: what it computes is wrong, no answer came in time, other programs had
// the cores, or another fault.
enum class NoNumbers { wrong, late, busy, failed };
NLOHMANN_JSON_SERIALIZE_ENUM(NoNumbers, {{NoNumbers::wrong, "wrong"},
                                         {NoNumbers::late, "late"},
                                         {NoNumbers::busy, "busy"},
                                         {NoNumbers::failed, "failed"}})

struct Timing {
  // Seconds per step in each round, to compare programs round by round; 0 if the round does not
  // count: the machine was too busy.
  std::vector<double> rounds;
  std::vector<double> neighbours;  // cores that other programs used in each round
  std::vector<double> cycles;      // seconds per cycle of a core around each measured round
  double error = 0;   // of the accelerations after all timed answers, some rows of each
  double limit = 0;   // of the error: honest sums of these bodies stay below it
  std::string wrong;  // what else was wrong with a timed answer
  bool step_count_verified = false;       // half the steps at twice the dt would have been noticed
  double cores = 0;                       // processor time over wall time, while it was timed
  double others = 0;                      // cores that other programs used meanwhile
  unsigned workers = 1;                   // threads of all its processes
  bool starved = false;                   // some rounds do not count, since others had its cores
  std::string fault;                      // why there are no numbers; empty if there are
  NoNumbers outcome = NoNumbers::failed;  // of a fault
  bool writes = false;                    // to standard output or error, while it is timed
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Timing, rounds, neighbours, cycles, error, limit, wrong,
                                   step_count_verified, cores, others, workers, starved, fault,
                                   outcome, writes)

// Where the time of a measurement went, s of wall-clock time.
struct TimeSpent {
  double all = 0, warming_up = 0, timed = 0, judging = 0;
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TimeSpent, all, warming_up, timed, judging)

struct Measurement {
  std::vector<Timing> timings;  // in the order of the plan's rows
  std::string google_json;      // what Google Benchmark writes about them
  TimeSpent spent;
  bool stopped = false;  // by the listener: with the rounds that were complete until then
};

// Who waits for a measurement.
struct Listener {
  // How many rounds of how many are measured, and what is being done.
  std::function<void(std::size_t done, std::size_t all, const std::string&)> progress =
      [](std::size_t, std::size_t, const std::string&) {};
  // The number of a row, and what is known of it; those of fewer bodies come first.
  std::function<void(std::size_t, const Timing&)> known = [](std::size_t, const Timing&) {};
  std::function<bool()> stops = [] { return false; };
};

// Throws InputError for a scene that is not known, or has another number of bodies.
Measurement measure(const Plan& plan, const Listener& listener = {});

}  // namespace nbody::bench
