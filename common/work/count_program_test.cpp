// Count programs as they are run: that of part 1's naive, and those of small implementations that
// are counted, or refused, for one reason each.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "simulator/test_program/command.hpp"

namespace nbody::work {
namespace {

using Json = nlohmann::json;
using namespace std::string_literals;

Outcome count(const std::string& name, std::vector<std::string> options = {}) {
  std::vector<std::string> words = {COUNT_PROGRAMS "/" + name + "_count"};
  words.insert(words.end(), options.begin(), options.end());
  return Command(words).wait();
}

Json json_from(const std::string& program, std::vector<std::string> options = {}) {
  const TestFolder folder;
  options.insert(options.end(), {"--json", folder / "count.json"});
  options.insert(options.begin(), program);
  const Outcome outcome = Command(options).wait();
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  return Json::parse(text_of(folder / "count.json"));
}

std::string polynomial(const Json& json, const std::string& function, const std::string& kind) {
  return json["work"][function][kind]["polynomial"]["text"];
}

void expect_polynomials(const Json& json, const std::string& function,
                        const std::map<std::string, std::string>& expected) {
  for (const auto& [kind, text] : expected) {
    EXPECT_EQ(polynomial(json, function, kind), text) << function << ", " << kind;
  }
}

// Counted by hand in naive.hpp, for the pairs i != j, of which there are P = n^2 - n.
//   dx dy dz              3 sub; loads 6 positions
//   distance              4 pow, 3 add, 1 sqrt; dx, dy, dz and softening are no memory
//   force                 2 mul, 1 pow, 1 div; loads both masses
//   ax += ..., 3 times    1 mul, 2 div, 1 add each; loads ax and the mass of i, stores ax
// A pair: 3 + 3 + 3 add, 2 + 3 mul, 1 + 6 div, 1 sqrt, 5 pow; 6 + 2 + 6 loads, 3 stores.
// A body: ax = ay = az = 0 is 3 stores, so 3 P + 3 n = 3 n^2 in all.
TEST(CountOfNaive, AccelerationsAreWhatAHandCounts) {
  expect_polynomials(json_from(NAIVE_COUNT), "compute_accelerations",
                     {{"add", "9 n^2 - 9 n"},
                      {"mul", "5 n^2 - 5 n"},
                      {"div", "7 n^2 - 7 n"},
                      {"sqrt", "n^2 - n"},
                      {"rsqrt", "0"},
                      {"fma", "0"},
                      {"pow", "5 n^2 - 5 n"},
                      {"flops", "27 n^2 - 27 n"},
                      {"loads", "14 n^2 - 14 n"},
                      {"stores", "3 n^2"}});
}

// A pair: 3 sub, 3 pow, 2 add, 1 sqrt; loads 6 positions. A body, for v and for a: 3 pow, 2 add,
// 1 sqrt, 3 loads; for dt: 0.2 * nearest, 0.2 * a * nearest 3 mul, v^2 1 pow, 2 add, 1 sqrt, 1 div.
// So 5 P + 6 n add, 3 n mul, n div, P + 3 n sqrt, 3 P + 7 n pow, 6 P + 6 n loads, no store.
TEST(CountOfNaive, TimeStepIsWhatAHandCounts) {
  expect_polynomials(json_from(NAIVE_COUNT), "largest_time_step",
                     {{"add", "5 n^2 + n"},
                      {"mul", "3 n"},
                      {"div", "n"},
                      {"sqrt", "n^2 + 2 n"},
                      {"pow", "3 n^2 + 4 n"},
                      {"flops", "9 n^2 + 11 n"},
                      {"loads", "6 n^2"},
                      {"stores", "0"}});
}

// An axis: q += v dt + a dt^2/2 is 2 mul, 1 pow, 1 div, 2 add, loads q, v, a, stores q;
// v += a dt is 1 mul, 1 add, loads v and a, stores v.
TEST(CountOfNaive, UpdateIsWhatAHandCounts) {
  expect_polynomials(json_from(NAIVE_COUNT), "update_bodies",
                     {{"add", "9 n"},
                      {"mul", "9 n"},
                      {"div", "3 n"},
                      {"sqrt", "0"},
                      {"pow", "3 n"},
                      {"loads", "15 n"},
                      {"stores", "6 n"}});
}

TEST(CountOfNaive, IterationsAreSums) {
  const Json json = json_from(NAIVE_COUNT);
  expect_polynomials(json, "fixed_step", {{"flops", "27 n^2 - 3 n"}, {"memops", "17 n^2 + 7 n"}});
  expect_polynomials(json, "adaptive_step", {{"flops", "36 n^2 + 8 n"}, {"stores", "3 n^2 + 6 n"}});
}

// What integrators are made of. An axis of kick() or drift(): 1 mul, 1 add; 2 loads, 1 store. A
// pair of the jerk: 6 sub; r2: 4 mul, 3 add; pull: 2 mul, 1 sqrt, 1 div; approach: 4 mul, 2 add, 1
// div; a: 3 mul, 3 add; jerk: 6 mul, 6 add and sub. Loads 12 places and speeds, a mass, 6 sums;
// stores 6 sums. A body: 6 stores of zero.
TEST(CountOfNaive, MovesAndJerkAreWhatAHandCounts) {
  const Json json = json_from(NAIVE_COUNT);
  for (const char* move : {"kick", "drift"}) {
    expect_polynomials(json, move, {{"flops", "6 n"}, {"loads", "6 n"}, {"stores", "3 n"}});
  }
  expect_polynomials(json, "accelerations_and_jerk",
                     {{"add", "20 n^2 - 20 n"},
                      {"mul", "19 n^2 - 19 n"},
                      {"div", "2 n^2 - 2 n"},
                      {"sqrt", "n^2 - n"},
                      {"flops", "42 n^2 - 42 n"},
                      {"loads", "19 n^2 - 19 n"},
                      {"stores", "6 n^2"}});
}

// 27 P for the accelerations, 6 n for a kick or drift; 17 n^2 - 14 n and 9 n loads and stores.
TEST(CountOfNaive, StepsAreWhatTheirSchemesAskFor) {
  const std::string out = Command({NAIVE_COUNT}).wait().out;
  for (const char* line :
       {"\n  a step of each integrator  evaluations            flops  loads and stores\n",
        "\n  eq45                                 1     27 n^2 - 3 n      17 n^2 + 7 n\n",
        "\n  semi-implicit                        1    27 n^2 - 15 n      17 n^2 + 4 n\n",
        "\n  kdk                                  1     27 n^2 - 9 n     17 n^2 + 13 n\n",
        "\n  yoshida4                             3    81 n^2 - 39 n     51 n^2 + 21 n\n",
        "\n  rk4                                  4  108 n^2 - 108 n     68 n^2 - 56 n\n",
        "\n  hermite4                             1    42 n^2 - 42 n     25 n^2 - 19 n\n",
        "\n  kick(): 6 n flops, 9 n loads and stores\n"}) {
    EXPECT_NE(out.find(line), std::string::npos) << line << out;
  }
}

// Part 2's: a pair 41, and 6 mul by G a body.
TEST(CountOfVectorNaive, MovesAndJerkAreWhatAHandCounts) {
  const std::string program = VECTOR_PROGRAMS "/naive_count";
  if (!std::filesystem::exists(program)) GTEST_SKIP() << "part 2 has no count program here";
  const Json json = json_from(program);
  expect_polynomials(json, "kick", {{"flops", "6 n"}, {"memops", "9 n"}});
  expect_polynomials(json, "drift", {{"flops", "6 n"}, {"memops", "9 n"}});
  expect_polynomials(json, "accelerations_and_jerk",
                     {{"flops", "41 n^2 - 35 n"}, {"loads", "13 n^2 - 13 n"}, {"stores", "6 n"}});
}

// The rungs of the ladder, where there is one (solutions/): what each of them is about.
void expect_of_rung(const std::string& name, const std::string& kind, std::int64_t n2,
                    std::int64_t over) {
  const std::string program = LADDER_PROGRAMS "/" + name + "_count";
  if (!std::filesystem::exists(program)) return;
  const Json fit = json_from(program)["work"]["compute_accelerations"][kind]["polynomial"];
  EXPECT_EQ(fit["n2"].get<std::int64_t>() * over, n2 * fit["over"].get<std::int64_t>())
      << name << ", " << kind << ": " << fit["text"];
}

TEST(CountOfTheLadder, RungsSaveWhatTheyAreAbout) {
  expect_of_rung("algebra", "flops", 20, 1);  // 9 add, 9 mul, 1 div, 1 sqrt
  expect_of_rung("algebra", "pow", 0, 1);
  expect_of_rung("algebra", "loads", 10, 1);  // 6 positions, a mass, 3 sums
  expect_of_rung("algebra", "stores", 3, 1);
  expect_of_rung("locals", "loads", 4, 1);  // position and mass of j
  expect_of_rung("locals", "stores", 0, 1);
  expect_of_rung("third_law", "sqrt", 1, 2);  // one for both bodies
  expect_of_rung("third_law", "div", 1, 2);
  expect_of_rung("array_reduction", "flops", 13, 1);  // as third_law
}

void expect_of_vector_rung(const std::string& name,
                           const std::map<std::string, std::string>& expected) {
  const std::string program = VECTOR_PROGRAMS "/" + name + "_count";
  if (!std::filesystem::exists(program)) return;  // no xsimd, or no solutions
  SCOPED_TRACE(name);
  expect_polynomials(json_from(program), "compute_accelerations", expected);
}

// An interaction, of all n^2 since i = j is computed and not taken:
//   dx dy dz            3 sub; r2: 3 fma
//   xsimd_exact         sqrt, 1 mul, 1 div                              loads x, y, z, m of j
//   newton, blocked     rsqrt; y^2, y^3, y^3 times ( ), m: 4 mul; ( ): 1 fma
//   ax, ay, az          3 fma
// A body: 15 add for each of 3 sums of 16 lanes, 3 mul by G; pad() loads and stores 4 numbers; i is
// 3 loads, a 3 stores. blocked meets four i with one j: a fourth of the loads.
TEST(CountOfTheVectorLadder, IsWhatAHandCounts) {
  expect_of_vector_rung("xsimd_exact", {{"add", "3 n^2 + 45 n"},
                                        {"mul", "n^2 + 3 n + 1"},
                                        {"div", "n^2"},
                                        {"sqrt", "n^2"},
                                        {"fma", "6 n^2"},
                                        {"flops", "18 n^2 + 48 n + 1"},
                                        {"loads", "4 n^2 + 7 n"},
                                        {"stores", "7 n"}});
  expect_of_vector_rung("newton", {{"add", "3 n^2 + 45 n"},
                                   {"mul", "4 n^2 + 3 n + 2"},
                                   {"div", "0"},
                                   {"sqrt", "0"},
                                   {"rsqrt", "n^2"},
                                   {"fma", "7 n^2"},
                                   {"flops", "22 n^2 + 48 n + 2"},
                                   {"loads", "4 n^2 + 7 n"}});
  // Softening and factor for each block of four.
  expect_of_vector_rung("blocked", {{"mul", "4 n^2 + 7/2 n"},
                                    {"rsqrt", "n^2"},
                                    {"fma", "7 n^2"},
                                    {"flops", "22 n^2 + 97/2 n"},
                                    {"loads", "n^2 + 7 n"},
                                    {"stores", "7 n"}});
  // Sums at once: 3 times 15 + 1 add for 16 interactions, and mul in place of fma.
  expect_of_vector_rung("horizontal_sum", {{"add", "6 n^2"},
                                           {"mul", "7 n^2 + 3 n + 2"},
                                           {"fma", "4 n^2"},
                                           {"flops", "22 n^2 + 3 n + 2"}});
}

// A pair: 3 sub, 3 + 1 + 3 + 3 fma, 1 rsqrt, 3 + 2 mul: 29, of n^2/2 pairs, and those of the own
// batch twice, 22 for each of 16 n. Four i with a j: 7 loads and 3 stores for 4 pairs.
TEST(CountOfTheVectorLadder, ThirdLawIsOnePairForTwo) {
  const std::string program = VECTOR_PROGRAMS "/third_law_count";
  if (!std::filesystem::exists(program)) return;
  const Json work = json_from(program)["work"]["compute_accelerations"];
  const auto expect_n2 = [&](const char* kind, double factor) {
    const Json& fit = work[kind]["polynomial"];
    EXPECT_EQ(fit["n2"].get<double>() / fit["over"].get<double>(), factor) << kind;
  };
  expect_n2("flops", 29 / 2.0);
  expect_n2("add", 3 / 2.0);
  expect_n2("fma", 10 / 2.0);
  expect_n2("mul", 5 / 2.0);
  expect_n2("rsqrt", 1 / 2.0);
  expect_n2("loads", 7 / 8.0);
  expect_n2("stores", 3 / 8.0);
  EXPECT_EQ(work["rsqrt"]["polynomial"]["text"], "1/2 n^2 + 8 n");
}

// Body i and the sums in locals: 4 loads a pair (position and mass of j), 3 loads and stores a
// body.
TEST(CountProgram, LocalsAreRegisters) {
  expect_polynomials(json_from(COUNT_PROGRAMS "/hoisted_count"), "compute_accelerations",
                     {{"add", "8 n^2 - 8 n"},
                      {"mul", "7 n^2 - 4 n"},
                      {"div", "n^2 - n"},
                      {"sqrt", "n^2 - n"},
                      {"loads", "4 n^2 - n"},
                      {"stores", "3 n"},
                      {"memops", "4 n^2 + 2 n"}});
}

TEST(CountProgram, WhatIsDoneOnceIsNotCounted) {
  expect_polynomials(json_from(COUNT_PROGRAMS "/prepared_count"), "compute_accelerations",
                     {{"mul", "7 n^2 - 7 n"}, {"loads", "4 n^2 - n"}, {"stores", "3 n"}});
}

// Stores of a body: 3 sums of zero for one thread, 3 atomic additions, 3 accelerations.
TEST(CountProgram, OpenmpIsPassedOverAndHasOneThread) {
  const std::string program = COUNT_PROGRAMS "/with_openmp_count";
  if (!std::filesystem::exists(program)) GTEST_SKIP() << "no OpenMP here";
  expect_polynomials(json_from(program), "compute_accelerations",
                     {{"add", "8 n^2 - 4 n"}, {"loads", "4 n^2 + 5 n"}, {"stores", "9 n"}});
}

TEST(CountProgram, RemaindersAreCountedBesideThePolynomial) {
  const Json json = json_from(COUNT_PROGRAMS "/padded_count");
  EXPECT_EQ(polynomial(json, "compute_accelerations", "add"), "8 n^2 - 8 n");
  EXPECT_EQ(json["work"]["compute_accelerations"]["add"]["counted"]["1000"], 8 * 1007 * 1000);
  const Outcome outcome = count("padded");
  EXPECT_NE(outcome.out.find("remainders of loops count, too: compute_accelerations, add, "
                             "subtract: 8056000 instead of 7992000"),
            std::string::npos)
      << outcome.out;
  EXPECT_EQ(count("padded", {"-n", "512"}).out.find("remainders"), std::string::npos);
}

TEST(CountProgram, WorkThatDependsOnPositionsIsNoPolynomial) {
  const Json json = json_from(COUNT_PROGRAMS "/nearest_count");
  const Json& work = json["work"]["compute_accelerations"];
  EXPECT_TRUE(work["stores"]["polynomial"].is_null());
  EXPECT_GT(work["stores"]["counted"]["1000"], 3 * 1000 + 1000);
  EXPECT_EQ(work["add"]["polynomial"]["text"], "9 n^2 - 9 n");
  const std::string out = count("nearest").out;
  EXPECT_NE(out.find("about 0.01 n^2"), std::string::npos) << out;
  EXPECT_NE(out.find("compute_accelerations, stores: depends on where the bodies are: "),
            std::string::npos)
      << out;
  EXPECT_NE(count("nearest", {"-n", "5000"}).out.find("  ?  "), std::string::npos);
}

TEST(CountProgram, ManyBodiesAreToldByThePolynomials) {
  const Outcome outcome = count("hoisted", {"-n", "1000000"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("  3999999000000  "), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find("by the polynomials"), std::string::npos);
  EXPECT_EQ(count("hoisted", {"-n", "2"}).status, 0);
}

TEST(CountProgram, ATableForReading) {
  const std::string out = count("hoisted").out;
  for (const char* line :
       {"work_test/hoisted: work of one iteration, counted by running it on a counting number\n",
        "\n  loads                            4 n^2 - n                  0              0\n",
        "\n  found by counting with n = 256, 512 and 768 bodies; the count with 1024 agrees\n",
        "\n  bytes per interaction, float                  16.008              0.000 ",
        "\nflops per iteration: 17 n^2 - 14 n with a fixed step, 17 n^2 - 14 n with ",
        "\naccelerations right: error "}) {
    EXPECT_NE(out.find(line), std::string::npos) << line << out;
  }
  EXPECT_EQ(out.find("pow"), std::string::npos);
  EXPECT_EQ(out.find("fma"), std::string::npos);
}

TEST(CountProgram, WhatOnlyIntegratorsNeedMayBeMissing) {
  const Json work = json_from(COUNT_PROGRAMS "/hoisted_count")["work"];
  for (const char* function : {"kick", "drift", "accelerations_and_jerk"}) {
    EXPECT_FALSE(work.contains(function)) << function;
  }
  const std::string out = count("hoisted").out;
  EXPECT_NE(
      out.find("\n  rk4                                  4  68 n^2 - 56 n      16 n^2 + 8 n\n"),
      std::string::npos)
      << out;
  EXPECT_NE(out.find("none of those that need kick() or drift() or accelerations_and_jerk()"),
            std::string::npos)
      << out;
  for (const char* name : {"\n  kdk", "\n  hermite4"}) {
    EXPECT_EQ(out.find(name), std::string::npos) << out;
  }
}

TEST(CountProgram, LinesFitTheScreen) {
  for (const std::string& program : {std::string(NAIVE_COUNT), COUNT_PROGRAMS "/hoisted_count"s}) {
    std::istringstream lines(Command({program}).wait().out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
  }
}

void expect_refusal(const Outcome& outcome, int status, const std::string& words) {
  EXPECT_EQ(outcome.status, status);
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
}

TEST(CountProgram, WhatGoesPastTheCountingIsRefused) {
  expect_refusal(count("past_the_counting"), 1, "its counted accelerations are wrong");
  expect_refusal(count("way_out"), 1,
                 "compute_accelerations() turns 65280 numbers into double by as_double()");
  expect_refusal(count("not_on_the_heap"), 1, "loads nothing from the heap");
}

TEST(CountProgram, ARefusalWritesNothing) {
  const TestFolder folder;
  EXPECT_EQ(count("way_out", {"--json", folder / "count.json"}).status, 1);
  EXPECT_TRUE(folder.contents().empty());
}

TEST(CountProgram, BadWordsAreRefused) {
  expect_refusal(count("hoisted", {"-n", "1"}), 2, "-n needs a whole number");
  expect_refusal(count("hoisted", {"-n", "many"}), 2, "-n needs a whole number");
  expect_refusal(count("hoisted", {"--jsn", "x"}), 2, "--jsn");
  expect_refusal(count("hoisted", {"--json", "/dev/null/x.json"}), 2, "/dev/null");
}

}  // namespace
}  // namespace nbody::work
