// The bench program as a child process: exit status, messages, what it writes.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "simulator/test_program/command.hpp"

namespace nbody {
namespace {

using Json = nlohmann::json;

class BenchProgram : public testing::Test {
 protected:
  BenchProgram() {
    Json rows = Json::array();
    const auto add = [&](const char* name, const char* program, const char* needs,
                         const char* expect) {
      rows.push_back({{"part", "zoo"},
                      {"name", name},
                      {"summary", ""},
                      {"kind", "rung"},
                      {"flags", "-O3"},
                      {"needs", needs},
                      {"expect", expect},
                      {"program", program}});
    };
    add("naive", NAIVE_PROGRAM, "", "");
    add("again", NAIVE_PROGRAM, "", "");
    add("weak", WEAK_PROGRAM, "", "");
    add("exhibit", WEAK_PROGRAM, "", "too weak");
    add("crash", CRASHING_PROGRAM, "", "");
    add("needy", NAIVE_PROGRAM, "no_such_feature", "");
    write_text(folder / "manifest.json", rows.dump());
  }

  Outcome bench(const std::string& arguments) const {
    std::vector<std::string> words = {BENCH_PROGRAM, "--manifest", folder / "manifest.json"};
    std::istringstream in(arguments);
    for (std::string word; in >> word;) words.push_back(word);
    return Command(words).wait();
  }
  Outcome quick(const std::string& arguments) const { return bench(arguments + " --rounds 1"); }

  const TestFolder folder;
};

std::size_t lines(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}
bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
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
      {"zoo naive -n 500,1000,500", "500 bodies twice"},
      {"zoo naive -n 16777217", "from 1 to 16777216"},
      {"zoo naive -n 99999999999999999999", "from 1 to 16777216"},
      {"zoo naive --threads 0", "--threads"},
      {"zoo naive --rounds 0", "--rounds"},
      {"zoo naive --precision half", "'half'"},
      {"zoo naive --scene nowhere", "nowhere"},
      {"zoo naive --scene six -n 6,500", "scene six has 6 bodies"},
      {"zoo nobody", "no implementation 'nobody'"},
      {"nopart", "no part 'nopart'"},
      {"zoo needy", "nothing is built"},
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
  EXPECT_EQ(folder.contents(), std::vector<std::string>{"manifest.json"});
}

TEST_F(BenchProgram, HelpIsNoError) {
  const Outcome run = bench("--help");
  EXPECT_EQ(run.status, 0);
  EXPECT_EQ(run.err, "");
  EXPECT_TRUE(contains(run.out, "500,1000,2000")) << run.out;
}

TEST_F(BenchProgram, OneSizeHasARowWithEverything) {
  const Outcome run = quick("zoo naive again needy -n 100");
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_TRUE(contains(run.out, "needy skipped: needs no_such_feature")) << run.out;
  EXPECT_TRUE(contains(run.out, "ms an iteration")) << run.out;
  ASSERT_EQ(rows_of(run.out, "again").size(), 1u) << run.out;
  EXPECT_TRUE(contains(rows_of(run.out, "again")[0], "right")) << run.out;
}

TEST_F(BenchProgram, SeveralSizesGiveAColumnEachAndJson) {
  const std::string file = folder / "result.json";
  const Outcome run = quick("zoo naive again -n 50,100,70 --vdt --json " + file);
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_EQ(rows_of(run.out, "implementation")[0],
            "implementation N = 50 N = 100 N = 70 what was timed")
      << run.out;
  const auto speeds = rows_of(run.out, "again");
  ASSERT_EQ(speeds.size(), 2u) << run.out;  // the second table: times the first row
  EXPECT_EQ(rows_of(run.out, "naive")[1], "naive 1.00 1.00 1.00");

  const Json json = Json::parse(text_of(file));
  EXPECT_EQ(json["part"], "zoo");
  EXPECT_EQ(json["adaptive"], true);
  EXPECT_FALSE(json.contains("n"));
  ASSERT_EQ(json["sizes"].size(), 3u);
  std::string expected = "again";
  for (std::size_t k = 0; k < 3; ++k) {
    const Json& size = json["sizes"][k];
    EXPECT_EQ(size["n"], std::vector<int>({50, 100, 70})[k]);
    ASSERT_EQ(size["implementations"].size(), 2u);
    const Json& again = size["implementations"][1];
    EXPECT_EQ(again["name"], "again");
    EXPECT_EQ(again["flags"], "-O3");
    const double rate = again["interactions_per_s_median"];
    char text[32];
    std::snprintf(text, sizeof text, " %.3f", rate / 1e9);
    expected += text;
  }
  EXPECT_EQ(speeds[0], expected + " right");  // the table shows what the file holds
}

TEST_F(BenchProgram, OneSizeIsAListOfOneInJson) {
  const std::string file = folder / "result.json";
  EXPECT_EQ(quick("zoo naive -n 100 --json " + file).status, 0);
  const Json json = Json::parse(text_of(file));
  ASSERT_EQ(json["sizes"].size(), 1u);
  EXPECT_EQ(json["sizes"][0]["n"], 100);
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
}  // namespace nbody
