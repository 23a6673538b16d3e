#pragma once

#include <optional>
#include <string>
#include <vector>

#include "protocol/messages.hpp"

namespace nbody {

// What the command line of the bench program asks for.
struct BenchPlan {
  std::string manifest = "build/release/manifest.json";
  std::string part;
  std::vector<std::string> names;  // empty: all of the part
  std::vector<std::size_t> sizes = {5000};
  std::string scene = "plummer";
  unsigned threads = 1;
  int rounds = 7;
  bool adaptive = false;
  std::string precision_name = "float";
  Precision precision = Precision::single_precision;
  std::string json;
};

// "500,1000,2000" as typed behind -n. Throws InputError.
std::vector<std::size_t> sizes_of(const std::string& text);

// Empty when the program has nothing more to do (--help). Throws InputError.
std::optional<BenchPlan> parse_bench_plan(int argc, char** argv);

}  // namespace nbody
