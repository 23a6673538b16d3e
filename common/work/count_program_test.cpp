// Count programs as they are run, against counts by hand.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "simulator/test_program/command.hpp"

namespace nbody::work {
namespace {

using Json = nlohmann::json;
constexpr double n = 512;  // a multiple of tiles and batches

// Of n bodies, after the line of the program itself.
Json counted(const std::string& program) {
  const std::string command = R"(echo '{"bodies": [512]}' | )" BIN + program + "_count";
  const Outcome outcome = shell(TestFolder(), command);
  EXPECT_EQ(outcome.status, 0) << program << outcome.err;
  return Json::parse(outcome.out.substr(outcome.out.find('\n')));
}

// "add 9 -8 7": 9 n^2 - 8 n + 7 of them.
struct Row {
  const char *program, *function, *counts;
};

// Counted by hand in naive.hpp, for the pairs i != j, of which there are P = n^2 - n.
//   dx dy dz              3 sub; loads 6 positions
//   distance              4 pow, 3 add, 1 sqrt; dx, dy, dz and softening are no memory
//   force                 2 mul, 1 pow, 1 div; loads both masses
//   ax += ..., 3 times    1 mul, 2 div, 1 add each; loads ax and the mass of i, stores ax
// A body: ax = ay = az = 0 is 3 stores, so 3 P + 3 n = 3 n^2 in all. Time step, a pair: 3 sub,
// 3 pow, 2 add, 1 sqrt; a body, for v and for a: 3 pow, 2 add, 1 sqrt; for dt: 3 mul, 1 pow, 2 add,
// 1 sqrt, 1 div. Update, an axis: 3 mul, 1 pow, 1 div, 3 add.
//
// xsimd computes i = j, too. newton: dx dy dz 3 sub, r2 3 fma, rsqrt, 4 mul and 1 fma, sums 3 fma;
// a body: 15 add for each of 3 sums of 16 lanes, 3 mul by G; pad() loads and stores 4 numbers.
// blocked meets four i with one j: a fourth of the loads.
//
// tiles: each thread loads its body and stores a 1/256 of each tile, 4 numbers, and loads all of
// it.
const Row rows[] = {
    {"part1/naive", "compute_accelerations",
     "add 9 -9, mul 5 -5, div 7 -7, sqrt 1 -1, pow 5 -5, loads 14 -14, stores 3"},
    {"part1/naive", "largest_time_step", "add 5 1, mul 0 3, div 0 1, sqrt 1 2, pow 3 4, loads 6"},
    {"part1/naive", "update_bodies", "add 0 9, mul 0 9, div 0 3, pow 0 3, loads 0 15, stores 0 6"},
    // Body i and its sums in registers; softening is squared once.
    {"part1/locals", "compute_accelerations",
     "add 9 -9, mul 7 -4 1, div 1 -1, sqrt 1 -1, loads 4 -1, stores 0 3"},
    {"part1/third_law", "compute_accelerations", "sqrt 0.5 -0.5, div 0.5 -0.5"},
    // Pragmas and omp.h, which know no counting numbers.
    {"part1/private_sums", "compute_accelerations", "sqrt 0.5 -0.5, div 0.5 -0.5"},
    {"part2/newton", "compute_accelerations",
     "add 3 45, mul 4 3 2, rsqrt 1, fma 7, loads 4 7, stores 0 7"},
    {"part2/blocked", "compute_accelerations",
     "add 3 45, mul 4 3.5, rsqrt 1, fma 7, loads 1 7, stores 0 7"},
    {"part2/third_law", "compute_accelerations", "rsqrt 0.5 8"},  // blocks of 16 by 16
    {"part3/naive", "compute_accelerations",
     "add 9 -9, mul 10 -7, div 1 -1, sqrt 1 -1, loads 7 -7, stores 0 3"},
    {"part3/naive", "largest_time_step",
     "add 5 1, mul 3 7, div 0 1, sqrt 0 4, loads 6 1, stores 0 1 1, "
     "shared_loads 0 0 511, shared_stores 0 0 511"},
    {"part3/tiles", "compute_accelerations",
     "loads 0.015625 4, shared_loads 4 -4, shared_stores 0.015625"},
    {"work_test/odd", "compute_accelerations",
     "mul 5 -5, loads 14 -14 1, stores 3 0 2, escapes 0 0 1"},
};

TEST(CountProgram, CountsWhatAHandCounts) {
  std::map<std::string, Json> known;
  for (const auto& [program, function, counts] : rows) {
    if (!std::filesystem::exists(std::string(BIN) + program + "_count")) continue;
    if (!known.contains(program)) known[program] = counted(program);
    const Json& work = known[program].at("work").at(function);
    std::istringstream each(counts);
    for (std::string one; std::getline(each, one, ',');) {
      std::istringstream words(one);
      std::string kind;
      double a = 0, b = 0, c = 0;
      words >> kind >> a >> b >> c;
      EXPECT_EQ(work.at(kind).get<double>(), (a * n + b) * n + c)
          << program << ", " << function << ", " << kind;
    }
    EXPECT_EQ(known[program].at("error") < 1e-12, std::string(program) != "work_test/odd")
        << program;
  }
  EXPECT_TRUE(known.contains("part1/naive") && known.contains("work_test/odd"));
}

}  // namespace
}  // namespace nbody::work
