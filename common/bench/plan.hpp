#pragma once

#include <cstdint>
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

}  // namespace nbody::bench
