#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace nbody::bench {

// One program under one setup, as ./lab asks for it (measure/bench_plan.py of its Python package).
struct PlannedRow {
  std::string name = {};                    // naive/n:5000/threads:1/float
  std::string program = {};                 // its path
  std::vector<std::string> arguments = {};  // after --serve
  std::vector<std::string> launcher = {};   // words before the path, with RANKS and SOCKET
  unsigned ranks = 1;                       // processes that the launcher starts
  std::vector<std::string> hello = {};  // part, name and instruction set that it must say; or none
  std::size_t n = 2000;
  unsigned threads = 1;  // 0: the program's default
  std::string precision = "float";
  double flops = 20;           // per interaction
  bool starts_slowly = false;  // a GPU: the fixed cost of a request is large and varies
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(PlannedRow, name, program, arguments, launcher, ranks, hello, n,
                                   threads, precision, flops, starts_slowly)

struct Plan {
  std::string scene = "plummer";
  bool adaptive = false;
  int rounds = 7;
  double seconds = 0.05;   // least time between the shortest and the longest request
  double starts = 8;       // that the steps between two requests last, at least
  double timeout_s = 60;   // for one request, or five times what a smaller size lets expect
  double longest_s = 60;   // of all rounds, where steps are long: then there are fewer rounds
  double wait_s = 0;       // for cores that other programs use, in all
  std::uint64_t seed = 0;  // of all random numbers; 0: unpredictable
  std::vector<PlannedRow> rows = {};
  double long_step_s = 0.5;  // beside which the start of a request, some ms, no longer matters
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Plan, scene, adaptive, rounds, seconds, starts, timeout_s,
                                   longest_s, wait_s, seed, rows)

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

// Who waits for a measurement.
struct Listener {
  // How many rounds of how many are measured, and what is being done; the number of a row, and its
  // timing, those of fewer bodies first; and at the end what Google Benchmark writes.
  std::function<void(const nlohmann::json& line)> hear = [](const nlohmann::json&) {};
  // Then the rounds that are complete are all.
  std::function<bool()> stops = [] { return false; };
};

// In the order of the plan's rows. Throws InputError for a scene that is not known, or has another
// number of bodies.
std::vector<Timing> measure(const Plan& plan, const Listener& listener = {});

}  // namespace nbody::bench
