// The bench program as a child process: exit status, messages, what it writes.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
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
    add("needy", NAIVE_PROGRAM, "no_such_feature", "");
    // A program that is told how to launch what it launches, and leaves it at that.
    const std::string wrapper = folder / "takes_block";
    write_text(wrapper,
               "#!/bin/sh\n[ \"$2\" = --block ] && exec '" NAIVE_PROGRAM "' \"$1\"\nexit 3\n");
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

  Outcome bench(const std::string& arguments) const {
    std::vector<std::string> words = {BENCH_PROGRAM, "--manifest", folder / "manifest.json"};
    std::istringstream in(arguments);
    for (std::string word; in >> word;) words.push_back(word);
    // Other programs come and go: they may take all cores for a while, and no test is about that.
    for (int attempt = 0;; ++attempt) {
      Outcome run = Command(words).wait();
      if (attempt == most_attempts || !contains(run.out, "too busy to measure")) return run;
      if (attempt == 0) words.insert(words.end(), {"--wait", "20"});
    }
  }
  static constexpr int most_attempts = 5;
  Outcome quick(const std::string& arguments) const { return bench(arguments + " --rounds 2"); }

  const TestFolder folder;
};

std::size_t lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}
// The words of the lines that start with `name`, one string a line.
std::vector<std::string> rows_of(const std::string& text, const std::string& name) {
  std::vector<std::string> rows;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string row, word;
    while (words >> word) row += (row.empty() ? "" : " ") + word;
    if (row.rfind(name + " ", 0) == 0) rows.push_back(row);
  }
  return rows;
}

TEST_F(BenchProgram, WaitsAsLongAsItIsTold) {
  const Outcome run = bench("zoo naive -n 5000 --quick --timeout 0.01");
  EXPECT_TRUE(contains(run.out, "no answer in time")) << run.out << run.err;
}

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
      {"nopart/naive", "no part 'nopart/naive'"},
      {"zoo nopart/naive", "no part 'nopart'"},
      {"zoo naive --precision float,float", "names float twice"},
      {"zoo naive --filter [", "'['"},
      {"zoo naive --filter nothing_like_it", "matches no name; names look like naive/n:5000/"},
      {"zoo naive --arch sse2", "none of these is built for 'sse2'"},
      {"--compare one.json", "--compare"},
      {"--compare /no/one.json /no/two.json", "/no/one.json"},
      {"zoo naive --rounds 0", "--rounds"},
      {"zoo naive --timeout -1", "--timeout needs a number from 0.01"},
      {"zoo naive --precision half", "'half'"},
      {"zoo naive --scene nowhere", "nowhere"},
      {"zoo naive --scene lagrange -n 3,500", "scene lagrange has 3 bodies"},
      {"zoo nobody", "no implementation 'nobody'"},
      {"nopart", "no part 'nopart'"},
      {"zoo needy", "nothing of zoo can run on this machine"},
      {"zoo naive --json /proc/no/result.json", "/proc/no/result.json: cannot be written"},
      {"zoo naive --json .", "cannot be written"}};
  for (const auto& [arguments, part] : cases) {
    const Outcome run = bench(arguments);
    EXPECT_EQ(run.status, 2) << arguments;
    EXPECT_EQ(run.err.rfind("bench: ", 0), 0u) << arguments << "\n" << run.err;
    EXPECT_EQ(lines(run.err), 1u) << arguments << "\n" << run.err;
    EXPECT_TRUE(contains(run.err, part)) << arguments << "\n" << run.err;
    EXPECT_FALSE(contains(run.out, "interactions")) << arguments << "\n" << run.out;
  }
}

TEST_F(BenchProgram, JsonThatCannotBeWrittenIsRefusedBeforeMeasuring) {
  const Outcome run = quick("zoo naive -n 100 --json /proc/no/result.json");
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(run.out, "");
  const Outcome missing = quick("zoo naive -n 100 --json " + (folder / "new/result.json").string());
  EXPECT_EQ(missing.status, 2);
  EXPECT_NE(missing.err.find("cannot be written (no folder "), std::string::npos) << missing.err;
  EXPECT_EQ(folder.contents(),
            (std::vector<std::string>{"manifest.json", "multi_avx512", "multi_count.json",
                                      "multi_sse2", "takes_block"}));
}

TEST_F(BenchProgram, HelpIsNoError) {
  const Outcome run = bench("--help");
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_TRUE(contains(run.out, "500,1000,2000")) << run.out;
  EXPECT_EQ(command_line::test::differing_words(run.out, HELP_FILE), "");
}

TEST_F(BenchProgram, ALaunchIsAskedOfTheProgramAndHasARowOfItsOwn) {
  const Outcome run =
      quick("zoo takes_block -n 100,200 --block 32,64 --json " + (folder / "result.json").string());
  EXPECT_EQ(run.status, 0) << run.out << run.err;
  EXPECT_EQ(rows_of(run.out, "takes_block, block 32").size(), 3u) << run.out;
  EXPECT_EQ(rows_of(run.out, "takes_block, block 64").size(), 3u) << run.out;
  const Json rows = Json::parse(text_of(folder / "result.json"))["summary"];
  EXPECT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[3]["block"], 64);
  // One that does not take it says so, and has no numbers.
  const Outcome refused = quick("zoo naive -n 100 --block 32");
  EXPECT_EQ(refused.status, 1) << refused.out;
}

TEST_F(BenchProgram, AnotherPartIsNamedWithItsNames) {
  const Outcome run = quick("zoo zoo/again naive -n 100");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_FALSE(rows_of(run.out, "zoo/again").empty()) << run.out;
  EXPECT_TRUE(contains(run.out, "x zoo/again")) << run.out;
}

TEST_F(BenchProgram, OneSizeHasARowWithEverything) {
  const Outcome run = quick("zoo naive again needy -n 100");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(contains(run.out, "needy skipped: needs no_such_feature")) << run.out;
  EXPECT_TRUE(contains(run.out, "ms/iteration")) << run.out;
  ASSERT_EQ(rows_of(run.out, "again").size(), 2u) << run.out;  // speeds, and work
  EXPECT_TRUE(contains(rows_of(run.out, "again")[0], "right")) << run.out;
  EXPECT_TRUE(contains(rows_of(run.out, "again")[1], "again 20.0* ")) << run.out;
  EXPECT_TRUE(contains(run.out, "* not counted: 20")) << run.out;
}

TEST_F(BenchProgram, SeveralSizesGiveAColumnEachAndJson) {
  const std::string file = folder / "result.json";
  const Outcome run = quick("zoo naive again -n 50,100,70 --vdt --json " + file);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(rows_of(run.out, "implementation")[0], "implementation N = 50 N = 100 N = 70 verdict")
      << run.out;
  const auto speeds = rows_of(run.out, "again");
  ASSERT_EQ(speeds.size(), 3u) << run.out;  // then ms, and times the first row
  EXPECT_EQ(rows_of(run.out, "naive")[2], "naive 1.00 1.00 1.00");

  const Json json = Json::parse(text_of(file));
  EXPECT_EQ(json["context"]["adaptive"], true);
  ASSERT_EQ(json["summary"].size(), 6u);
  std::string expected = "again";
  for (std::size_t k = 0; k < 3; ++k) {
    const Json& again = json["summary"][2 * k + 1];
    EXPECT_EQ(again["n"], std::vector<int>({50, 100, 70})[k]);
    EXPECT_EQ(again["name"], "again");
    const Json& rates = again["interactions_per_s"];
    char text[32];
    const double spread =
        (rates["upper_quartile"].get<double>() - rates["lower_quartile"].get<double>()) /
        rates["median"].get<double>();
    const double median = again["interactions_per_s"]["median"];
    std::snprintf(text, sizeof text, " %.3f (%.0f %%)", median / 1e9, 100 * spread);
    expected += text;
  }
  EXPECT_EQ(speeds[0], expected + " right");  // the table shows what the file holds
}

TEST_F(BenchProgram, AResultThatIsReplacedIsNamed) {
  const std::string file = folder / "result.json";
  EXPECT_EQ(command_line::test::without_progress(quick("zoo naive -n 50 --json " + file).err), "");
  Outcome again = quick("zoo naive -n 50 --json " + file);
  // Status 1: the machine was too busy to time anything.
  if (again.status == 1) again = quick("zoo naive -n 50 --json " + file);
  EXPECT_EQ(again.status, 0) << again.out;
  EXPECT_EQ(command_line::test::without_progress(again.err),
            "bench: " + file + " already exists and will be replaced (Ctrl-C keeps it)\n");
}

TEST_F(BenchProgram, OneRoundHasNoSpread) {
  const Outcome one = bench("zoo naive -n 100 --rounds 1");
  EXPECT_EQ(one.status, 0) << one.err;
  ASSERT_FALSE(rows_of(one.out, "naive").empty()) << one.out;
  EXPECT_TRUE(contains(rows_of(one.out, "naive")[0], " - ")) << one.out;
  EXPECT_FALSE(contains(rows_of(one.out, "naive")[0], "%")) << one.out;
  EXPECT_TRUE(contains(one.out, "1 round\n")) << one.out;
  EXPECT_TRUE(contains(one.out, "each with new")) << one.out;
  EXPECT_TRUE(contains(bench("zoo naive -n 50,60 --rounds 1").out, " (-)")) << one.out;
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

TEST_F(BenchProgram, EveryCombinationOfTheListsHasAColumn) {
  const Outcome run = quick("zoo naive again -n 50,60 --threads 1,2 --precision float,double");
  EXPECT_EQ(run.status, 0) << run.err;
  for (const char* column : {"N = 50, 1 thread, float", "N = 60, 2 threads, double"}) {
    EXPECT_TRUE(contains(run.out, column)) << column << "\n" << run.out;
  }
  EXPECT_TRUE(contains(run.out, "faster than naive (2 threads, double)")) << run.out;
  EXPECT_TRUE(contains(run.out, "2 threads faster than one (float)")) << run.out;
}

TEST_F(BenchProgram, FilterChoosesByName) {
  const Outcome run = quick("zoo -n 50,60 --filter again/n:60");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(rows_of(run.out, "naive").empty()) << run.out;
  EXPECT_TRUE(contains(run.out, "60 bodies")) << run.out;
}

TEST_F(BenchProgram, ArchMeasuresTheProgramOfThatInstructionSet) {
  const Outcome both = quick("zoo multi -n 50 --arch first_of_all");
  EXPECT_EQ(both.status, 2);
#if defined(__x86_64__)
  const Outcome run = quick("zoo naive multi -n 50 --arch sse2");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(rows_of(run.out, "multi_sse2").size(), 2u) << run.out;
  EXPECT_EQ(rows_of(run.out, "naive").size(), 2u) << run.out;
#endif
}

TEST_F(BenchProgram, CountedFlopsAreUsedUnlessHidden) {
  const Outcome counted = quick("zoo multi -n 50");
  EXPECT_TRUE(contains(rows_of(counted.out, "multi")[1], "multi 27.5 ")) << counted.out;
  EXPECT_FALSE(contains(counted.out, "not counted")) << counted.out;
  const Outcome hidden = quick("zoo multi -n 50 --hide-counts multi");
  EXPECT_TRUE(contains(rows_of(hidden.out, "multi")[1], "multi 20.0* ")) << hidden.out;
}

TEST_F(BenchProgram, ComparesTwoFiles) {
  const std::string file = folder / "result.json", other = folder / "other.json";
  EXPECT_EQ(bench("zoo naive -n 50 --rounds 2 --json " + file).status, 0);
  const Outcome same = bench("--compare " + file + " " + file);
  EXPECT_EQ(same.status, 0) << same.err;
  EXPECT_TRUE(contains(same.out, "no difference shown")) << same.out;
  for (const char* text : {"", "{", "[]", "{\"context\": {}, \"summary\": []}"}) {
    write_text(other, text);
    const Outcome bad = bench("--compare " + file + " " + other);
    EXPECT_EQ(bad.status, 2) << text;
    EXPECT_EQ(bad.err,
              "bench: " + other + ": not a result of ./lab bench: write one with --json\n");
    EXPECT_EQ(bad.out, "") << text;
  }
}

TEST_F(BenchProgram, WithoutGoogleBenchmarkItSaysWhatToInstall) {
  const Outcome run =
      Command({BENCH_WITHOUT_GOOGLE, "zoo", "naive", "--manifest", folder / "manifest.json"})
          .wait();
  EXPECT_EQ(run.status, 2);
  EXPECT_EQ(lines(run.err), 1u) << run.err;
  EXPECT_TRUE(contains(run.err, "libbenchmark-dev")) << run.err;
}

TEST_F(BenchProgram, StatusTellsWhetherWhatWasTimedIsAsItShould) {
  for (const char* sizes : {"100", "50,100"}) {
    const std::string size = std::string(" -n ") + sizes;
    const Outcome wrong = quick("zoo naive weak" + size);
    EXPECT_EQ(wrong.status, 1) << sizes;
    EXPECT_TRUE(contains(rows_of(wrong.out, "weak")[0], "WRONG")) << wrong.out;
    const Outcome exhibit = quick("zoo naive exhibit" + size);
    EXPECT_EQ(exhibit.status, 0) << sizes;
    EXPECT_TRUE(contains(rows_of(exhibit.out, "exhibit")[0], "wrong, as expected")) << exhibit.out;
    const Outcome crash = quick("zoo crash naive" + size);
    EXPECT_EQ(crash.status, 1) << sizes;
    EXPECT_TRUE(contains(rows_of(crash.out, "crash")[0], "signal")) << crash.out;
    EXPECT_TRUE(contains(rows_of(crash.out, "naive")[0], "right")) << crash.out;
    EXPECT_FALSE(contains(crash.out, "inf") || contains(crash.out, "nan")) << crash.out;
  }
}

}  // namespace
}  // namespace nbody::bench
