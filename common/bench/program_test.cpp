// The bench program as a child process: exit status, messages, what it writes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "check/test_manifest.hpp"
#include "command_line/test_output.hpp"
#include "simulator/test_program/command.hpp"

namespace nbody::bench {
namespace {

using command_line::test::contains;
using Json = nlohmann::json;

class BenchProgram : public testing::Test {
 protected:
  BenchProgram() {
    Json rows = Json::array();
    const auto add = [&](const char* name, const char* program, const char* needs,
                         const char* expect) {
      rows.push_back(check::test::manifest_row("zoo", name, program));
      if (*needs != 0) rows.back()["needs"] = {needs};
      rows.back()["expect"] = expect;
      rows.back()["flags"] = {"-O3"};
    };
    add("naive", NAIVE_PROGRAM, "", "");
    check::test::add_program(rows.back(), "double", "", NAIVE_IN_DOUBLE);
    add("again", NAIVE_PROGRAM, "", "");
    check::test::add_program(rows.back(), "double", "", NAIVE_IN_DOUBLE);
    for (const char* expect : {"", "too weak"}) {
      add(*expect == 0 ? "weak" : "exhibit", WRONG_PROGRAM, "", expect);
      rows.back()["arguments"] = {"--mistake", "weak"};
    }
    add("crash", CRASHING_PROGRAM, "", "");
    add("liar", CHEATS_PROGRAM, "", "");
    rows.back()["arguments"] = {"--cheat", "says_right"};
    add("needy", NAIVE_PROGRAM, "no_such_feature", "");
    // A program that is told how to launch what it launches, and leaves it at that.
    const std::string wrapper = folder / "takes_block";
    write_text(wrapper, "#!/bin/sh\n[ \"$2$4\" = --block--grid ] && exec '" NAIVE_PROGRAM
                        "' \"$1\"\nexit 3\n");
    std::filesystem::permissions(wrapper, std::filesystem::perms::owner_all);
    add("takes_block", wrapper.c_str(), "", "");
    // Two programs, NAME and NAME_sse2, and what they count.
    const std::string multi = folder / "multi";
    add("multi", multi.c_str(), "", "");
    rows.back()["programs"].clear();
    for (const char* set : {"sse2", "avx512"}) {
      check::test::add_program(rows.back(), "float", set, multi + "_" + set);
    }
    rows.back()["count"] = {{"result", multi + "_count.json"}};
    for (const char* end : {"_avx512", "_sse2"})
      std::filesystem::create_symlink(NAIVE_PROGRAM, multi + end);
    write_text(multi + "_count.json", R"({"work": {"fixed_step": {"flops": {"polynomial":
      {"n2": 55, "n": 0, "1": 0, "over": 2}}}}})");
    write_text(folder / "manifest.json", check::test::manifest_of(rows).dump());
  }

  // Writes result.json, unless the arguments name another file.
  Outcome bench(const std::string& arguments) {
    std::vector<std::string> words = {BENCH_PROGRAM, "--manifest", folder / "manifest.json"};
    std::istringstream in(arguments);
    for (std::string word; in >> word;) words.push_back(word);
    const auto named = std::find(words.begin(), words.end(), "--json");
    const bool is_named = named != words.end();
    const std::string file = is_named && named + 1 != words.end() ? *(named + 1) : result;
    if (!is_named) words.insert(words.end(), {"--json", result});
    // Other programs come and go: they may take all cores for a while, and no test is about that.
    for (int attempt = 0;; ++attempt) {
      if (!is_named) std::filesystem::remove(result);
      Outcome run = Command(words).wait();
      if (run.status == 2 || !std::filesystem::exists(file)) return run;
      is_busy = contains(text_of(file), "\"outcome\": \"busy\"");
      if (!is_busy || attempt == most_attempts) return run;
      if (attempt == 0) words.insert(words.end(), {"--wait", "20"});
    }
  }
  static constexpr int most_attempts = 2;
  bool is_busy = false;  // in the last attempt, too: then a test can say nothing

  // A line for each row of result.json; begins with an end of line.
  std::string rows_written() const {
    if (!std::filesystem::exists(result)) return "\n";
    std::string text = "\n";
    const Json json = Json::parse(text_of(result));
    for (const Json& row : json["summary"]) {
      text += fmt::format("{} N={} threads={} {} rounds={} flops={:.1f}{} {}: {}\n",
                          row["name"].get<std::string>(), row["n"].get<int>(),
                          row["threads"].get<int>(), row["precision"].get<std::string>(),
                          row["rounds"].get<int>(), row["flops_per_interaction"].get<double>(),
                          row["flops_counted"].get<bool>() ? "" : "*",
                          row["outcome"].get<std::string>(), row["verdict"].get<std::string>());
    }
    return text;
  }

  const TestFolder folder;
  const std::string result = folder / "result.json";
};

// What is timed, the status, and expressions for rows that are written and for those that are not.
struct Row {
  const char *name, *arguments;
  int status;
  std::vector<const char*> said;
  const char* unsaid = nullptr;
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.arguments; }

const Row rows[] = {
    {"short_timeout", "zoo naive -n 5000 --quick --timeout 0.01", 1, {" late: no answer in time"}},
    {"one_size",
     "zoo naive again needy -n 100 --rounds 2",
     0,
     {"\nagain [^\n]*flops=20.0\\* right: right\n"}},
    {"another_part", "zoo zoo/again naive -n 100 --rounds 2", 0, {"^\nzoo/again ", "\nnaive "}},
    {"one_round", "zoo naive -n 100 --rounds 1", 0, {"\nnaive N=100 [^\n]* rounds=1 "}},
    {"combinations",
     "zoo naive again -n 50,60 --threads 1,2 --precision float,double --rounds 2",
     0,
     {"\nnaive N=50 threads=1 float", "\nagain N=60 threads=2 double"}},
    {"filter", "zoo -n 50,60 --filter again/n:60 --rounds 2", 0, {"^\nagain N=60 "}, "naive|N=50"},
    {"no_such_set", "zoo multi -n 50 --arch first_of_all", 2, {}, "multi"},
#if defined(__x86_64__)
    {"one_set",
     "zoo naive multi -n 50 --arch sse2 --rounds 2",
     0,
     {"\nmulti_sse2 [^\n]*right\n", "\nnaive [^\n]*right\n"}},
#endif
    {"counted", "zoo multi -n 50 --rounds 2", 0, {"\nmulti [^\n]*flops=27.5 "}},
    {"hidden",
     "zoo multi -n 50 --rounds 2 --hide-counts multi",
     0,
     {"\nmulti [^\n]*flops=20.0\\* "}},
    {"refused_launch", "zoo naive -n 100 --rounds 2 --block 32", 1, {}},
    {"says_right",
     "zoo naive liar -n 100 --rounds 2",
     1,
     {"\nliar [^\n]* failed: stopped with: right\n"}},
    {"wrong", "zoo naive weak -n 100 --rounds 2", 1, {"\nweak [^\n]* wrong: WRONG"}},
    {"wrong_of_several", "zoo naive weak -n 50,100 --rounds 2", 1, {"\nweak [^\n]*WRONG"}},
    {"exhibit", "zoo naive exhibit -n 100 --rounds 2", 0, {"\nexhibit [^\n]* wrong as expected:"}},
    {"exhibit_of_several",
     "zoo naive exhibit -n 50,100 --rounds 2",
     0,
     {"\nexhibit [^\n]*wrong, as expected"}},
    {"crash",
     "zoo crash naive -n 100 --rounds 2",
     1,
     {"\ncrash [^\n]*signal", "\nnaive [^\n]*right"},
     "inf|nan"},
    {"crash_of_several",
     "zoo crash naive -n 50,100 --rounds 2",
     1,
     {"\ncrash [^\n]*signal", "\nnaive [^\n]*right"},
     "inf|nan"},
};

class BenchWrites : public BenchProgram, public testing::WithParamInterface<Row> {};

TEST_P(BenchWrites, WhatItShould) {
  const Outcome run = bench(GetParam().arguments);
  if (is_busy) GTEST_SKIP() << "other programs have the cores";
  const std::string text = rows_written();
  const bool skips =
      !contains(GetParam().arguments, "naive") || contains(GetParam().arguments, "needy");
  EXPECT_TRUE(run.out.empty() || (skips && run.out == "  needy skipped: needs no_such_feature\n"))
      << run.out;
  EXPECT_EQ(run.status, GetParam().status) << text << run.err;
  for (const char* said : GetParam().said) {
    EXPECT_TRUE(std::regex_search(text, std::regex(said))) << said << "\n" << text;
  }
  if (GetParam().unsaid == nullptr) return;
  EXPECT_FALSE(std::regex_search(text, std::regex(GetParam().unsaid))) << text;
}

INSTANTIATE_TEST_SUITE_P(Rows, BenchWrites, testing::ValuesIn(rows),
                         [](const auto& row) { return std::string(row.param.name); });

TEST_F(BenchProgram, UsageErrorsAreOneLineAndStatus2) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "part is required"},
      {"zoo naive --bogus", "--bogus"},
      {"zoo naive -n", "-n"},
      {"zoo naive -n 0", "'0'"},
      {"zoo naive -n -5", "'-5'"},
      {"zoo naive -n 1e3", "'1e3'"},
      {"zoo naive -n 500,", "not ''"},
      {"zoo naive -n ,500", "not ''"},
      {"zoo naive -n 500,0,2000", "'0'"},
      {"zoo naive -n 500,1000,500", "-n names 500 twice"},
      {"zoo naive -n 16777217", "from 1 to 16777216"},
      {"zoo naive -n 99999999999999999999", "from 1 to 16777216"},
      {"zoo naive --threads 0", "--threads"},
      {"zoo naive --threads 1,two", "'two'"},
      {"zoo naive --threads 2,2", "names 2 twice"},
      {"zoo naive --block 32,x", "--block needs threads per block from 1"},
      {"zoo naive --unroll 0", "--unroll needs unroll factors from 1"},
      {"zoo naive --grid 65536", "--grid needs numbers of blocks from 1 to 65535"},
      {"nopart/naive", "no part 'nopart/naive'"},
      {"zoo nopart/naive", "no part 'nopart'"},
      {"zoo naive --precision float,float", "names float twice"},
      {"zoo naive --filter [", "'['"},
      {"zoo naive --filter nothing_like_it", "matches no name; names look like naive/n:5000/"},
      {"zoo naive --arch sse2", "none of these is built for 'sse2'"},
      {"zoo naive --json", "--json"},
      {"zoo naive --rounds 0", "--rounds"},
      {"zoo naive --timeout -1", "--timeout needs a number from 0.01"},
      {"zoo naive --precision half", "'half'"},
      {"zoo naive --scene nowhere", "nowhere"},
      {"zoo naive --scene lagrange -n 3,500", "scene lagrange has 3 bodies"},
      {"zoo nobody", "no implementation 'nobody'"},
      {"nopart", "no part 'nopart'"},
      {"zoo needy", "nothing of zoo can run on this machine"},
      {"zoo naive --json /proc/no/result.json", "/proc/no/result.json: cannot be written"},
      {"zoo naive -n 100 --json no_such_folder/result.json", "cannot be written (no folder "},
      {"zoo naive --json .", "cannot be written"}};
  const auto before = folder.contents();
  for (const auto& [arguments, part] : cases) {
    const Outcome run = bench(arguments);
    EXPECT_EQ(run.status, 2) << arguments;
    EXPECT_EQ(run.err.rfind("bench: ", 0), 0u) << arguments << "\n" << run.err;
    EXPECT_EQ(std::count(run.err.begin(), run.err.end(), '\n'), 1) << arguments << "\n" << run.err;
    EXPECT_TRUE(contains(run.err, part)) << arguments << "\n" << run.err;
    EXPECT_FALSE(contains(run.out, "interactions")) << arguments << "\n" << run.out;
  }
  EXPECT_EQ(folder.contents(), before);
}

TEST_F(BenchProgram, HelpIsNoError) {
  const Outcome run = bench("--help");
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_TRUE(contains(run.out, "500,1000,2000")) << run.out;
  EXPECT_EQ(command_line::test::differing_words(run.out, HELP_FILE), "");
}

TEST_F(BenchProgram, ALaunchIsAskedOfTheProgramAndHasARowOfItsOwn) {
  const Outcome run = bench("zoo takes_block -n 100 --block 32,64 --grid 5,7 --rounds 2");
  if (is_busy) GTEST_SKIP() << "other programs have the cores";
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  const Json rows_of_file = Json::parse(text_of(result))["summary"];
  EXPECT_EQ(rows_of_file.size(), 4u);
  EXPECT_EQ(rows_of_file[3]["block"], 64);
  EXPECT_EQ(rows_of_file[3]["grid"], 7);
}

TEST_F(BenchProgram, SeveralSizesGiveARowEach) {
  const Outcome run = bench("zoo naive again -n 50,100,70 --vdt --rounds 2");
  if (is_busy) GTEST_SKIP() << "other programs have the cores";
  EXPECT_EQ(run.status, 0) << run.err;
  const Json json = Json::parse(text_of(result));
  EXPECT_EQ(json["context"]["adaptive"], true);
  ASSERT_EQ(json["summary"].size(), 6u);
  const std::array sizes = {50, 100, 70};
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const Json &naive = json["summary"][2 * k], &again = json["summary"][2 * k + 1];
    EXPECT_EQ(again["n"], sizes[k]);
    EXPECT_EQ(again["name"], "again");
    EXPECT_EQ(naive["ratio_to_naive"], 1);
  }
}

TEST_F(BenchProgram, NeedsAFileToWrite) {
  const Outcome run = Command({BENCH_PROGRAM, "zoo", "naive"}).wait();
  EXPECT_EQ(run.status, 2);
  EXPECT_TRUE(contains(run.err, "--json FILE is required")) << run.err;
}

TEST_F(BenchProgram, JsonIsGoogleBenchmarksWithAContextOfOurs) {
  const std::string file = folder / "result.json";
  EXPECT_EQ(
      bench("zoo naive -n 100 --rounds 2 --revision abc --device Abacus --json " + file).status, 0);
  const Json json = Json::parse(text_of(file)), &context = json["context"];
  for (const char* key : {"cpu", "compiler", "day", "schedule", "date", "num_cpus"}) {
    EXPECT_TRUE(context.contains(key)) << key;
  }
  EXPECT_EQ(context["part"], "zoo");
  EXPECT_EQ(context["scene"], "plummer");
  EXPECT_EQ(context["revision"], "abc");
  EXPECT_EQ(context["device"], "Abacus");
  EXPECT_EQ(context["flags"]["naive"], "-O3");
  EXPECT_GT(context["clock_hz"], 1e8);
  EXPECT_FALSE(context.contains("host_name"));  // results are shared
  std::vector<double> rates;
  for (const Json& one : json["benchmarks"]) {
    if (one["run_type"] == "iteration") rates.push_back(one["interactions_per_s"]);
  }
  ASSERT_EQ(rates.size(), 2u);
  const Json& row = json["summary"][0];
  EXPECT_NEAR((rates[0] + rates[1]) / 2 / row["interactions_per_s"]["median"].get<double>(), 1,
              1e-9);
  EXPECT_EQ(row["threads"], 1);
  EXPECT_EQ(row["ratio_to_naive"], 1);
}

TEST_F(BenchProgram, WithoutGoogleBenchmarkItSaysWhatToInstall) {
  const std::string manifest = folder / "manifest.json";
  const Outcome run =
      Command({BENCH_WITHOUT_GOOGLE, "zoo", "naive", "--manifest", manifest, "--json", result})
          .wait();
  EXPECT_EQ(run.status, 2);
  EXPECT_TRUE(contains(run.err, "libbenchmark-dev")) << run.err;
}

}  // namespace
}  // namespace nbody::bench
