#pragma once

#include <optional>
#include <string>
#include <vector>

namespace nbody::bench {

// What the command line of the bench program asks for. With several sizes, thread counts,
// precisions or instruction sets, every combination is measured.
struct BenchPlan {
  std::string manifest = "build/release/manifest.json";
  std::string part;
  std::vector<std::string> names;  // empty: all of the part
  std::vector<std::size_t> sizes = {5000};
  std::vector<unsigned> threads = {1};  // 0: as many as each program wants
  std::vector<std::string> precisions = {"float"};
  std::vector<unsigned> blocks = {0}, unrolls = {0}, grids = {0};  // 0: each program's default
  std::vector<unsigned> ranks = {0};  // for programs of several processes
  std::vector<std::string> archs;     // empty: the best that the machine has
  std::string filter;                 // a regular expression on the names of the benchmarks
  std::string scene = "plummer";
  int rounds = 7;
  std::uint64_t seed = 0;  // 0: unpredictable
  double seconds = 0.05;   // least time of a timed request
  double starts = 8;       // that it lasts at least, where a request starts slowly
  double timeout_s = 60;   // for one request
  double longest_s = 60;   // of all rounds of a row with long steps
  double wait_s = 0;       // for free cores, in all
  bool adaptive = false;
  bool progress = false;  // said on standard error
  std::string json;       // the file to write
  std::string revision;
  double device_peak = 0;                  // flop/s in float; 0: not known
  std::string device;                      // for programs on a device: its name, clock, software
  std::vector<std::string> hidden_counts;  // implementations whose counts are hidden
};

// Empty if the program has nothing more to do (--help). Throws InputError.
std::optional<BenchPlan> parse_bench_plan(int argc, char** argv);

}  // namespace nbody::bench
