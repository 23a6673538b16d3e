// The notebook program as a child process, with simulators that are right and wrong.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "check/test_manifest.hpp"
#include "command_line/test_help.hpp"
#include "notebook/rows.hpp"
#include "simulator/test_program/command.hpp"

namespace nbody {
namespace {

namespace fs = std::filesystem;

class NotebookProgram : public testing::Test {
 protected:
  NotebookProgram() {
    nlohmann::json rows = nlohmann::json::array();
    const auto add = [&](const char* name, const char* program, const char* needs = "") {
      rows.push_back(test::manifest_row("zoo", name, program));
      if (*needs != 0) rows.back()["needs"] = {needs};
      rows.back()["flags"] = {"-O3"};
    };
    add("naive", NAIVE_PROGRAM);
    add("mine", THIRD_LAW_PROGRAM);
    add("loud", LOUD_PROGRAM);
    add("rough", WRONG_PROGRAM);
    rows.back()["arguments"] = {"--mistake", "raw_rsqrt"};
    add("crash", CRASHING_PROGRAM);
    add("needy", NAIVE_PROGRAM, "no_such_feature");
    add("missing", "/no/such/program");
    write_text(folder / "manifest.json", test::manifest_of(rows).dump());
    write_text(folder / "mine.hpp", "the source");
  }

  Outcome run(std::vector<std::string> words) const {
    words.insert(words.begin() + 1, {"--folder", folder / ""});
    words.insert(words.begin(), NOTEBOOK_PROGRAM);
    return Command(words).wait();
  }
  Outcome attempt(const std::vector<std::string>& arguments) const {
    std::vector<std::string> words = {"try",      "--manifest",        folder / "manifest.json",
                                      "--source", folder / "mine.hpp", "zoo"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return run(words);
  }
  std::string notebook() const { return text_of(folder / "NOTEBOOK.md"); }
  std::vector<NotebookRow> rows() const { return notebook_rows(notebook()); }

  fs::path kept(std::size_t row) const {
    const NotebookRow one = rows().at(row);
    return folder / ("notebook/zoo/" + one.number + "_" + one.date + "_" + one.name);
  }

  const TestFolder folder;
};

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

void expect_one_line(const Outcome& outcome, const std::string& part) {
  EXPECT_EQ(outcome.status, 2) << part;
  EXPECT_EQ(outcome.out, "") << part;
  EXPECT_TRUE(contains(outcome.err, part)) << part << "\n" << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
}

TEST_F(NotebookProgram, UsageErrorsAreOneLineAndLeaveNothing) {
  const auto before = folder.contents();
  expect_one_line(attempt({"mine", "idea"}), "--expect is missing: predict first");
  for (const char* bad : {"0", "0.001", "-1", "nan", "inf", "1e9", "fast", "1.5x"}) {
    expect_one_line(attempt({"mine", "idea", "--expect", bad}), "--expect wants");
  }
  expect_one_line(attempt({"mine", "--expect", "2"}), "what is the idea?");
  expect_one_line(attempt({"mine", " \n", "--expect", "2"}), "what is the idea?");
  expect_one_line(attempt({"--expect", "2"}), "which implementation?");
  expect_one_line(attempt({"naive", "idea", "--expect", "2"}), "try one of your own");
  expect_one_line(attempt({"nobody", "idea", "--expect", "2"}), "no implementation 'nobody'");
  expect_one_line(attempt({"needy", "idea", "--expect", "2"}), "needs no_such_feature");
  expect_one_line(attempt({"missing", "idea", "--expect", "2"}), "not built");
  expect_one_line(attempt({"mine", "two", "words", "--expect", "2"}), "goes in quotes");
  expect_one_line(attempt({"mine", "idea", "--expect", "2", "--threads", "0"}), "--threads");
  expect_one_line(attempt({"mine", "idea", "--expect", "2", "-n", "1"}), "--n");
  expect_one_line(run({"try"}), "required");
  expect_one_line(attempt({"mine", "idea", "--expect", "2", "--against", "7"}), "no right row");
  EXPECT_EQ(folder.contents(), before);
}

TEST_F(NotebookProgram, HelpNamesWhatAStudentMayType) {
  const Outcome help = run({"try", "--help"});
  EXPECT_EQ(help.status, 0) << help.err;
  for (const char* option : {"--expect", "--against", "--threads", "--n"}) {
    EXPECT_TRUE(contains(help.out, option)) << option << help.out;
  }
  for (const char* own : {"--manifest", "--folder", "--source", "--device"}) {
    EXPECT_FALSE(contains(help.out, own)) << own << help.out;
  }
  EXPECT_EQ(test::differing_words(help.out, HELP_FILE), "");
}

TEST_F(NotebookProgram, ANotebookThatMustNotBeReplacedIsRefusedBeforeMeasuring) {
  fs::create_symlink("elsewhere", folder / "NOTEBOOK.md");
  expect_one_line(attempt({"mine", "idea", "--expect", "2"}), "is a symbolic link");
  fs::remove(folder / "NOTEBOOK.md");
  write_text(folder / "NOTEBOOK.md", "words");
  fs::permissions(folder / "NOTEBOOK.md", fs::perms::owner_read);
  expect_one_line(attempt({"mine", "idea", "--expect", "2"}), "is read-only");
  EXPECT_EQ(notebook(), "words");
}

// One notebook through a student's afternoon: every row costs seconds.
TEST_F(NotebookProgram, RowsFollowEachOther) {
  write_text(folder / "NOTEBOOK.md", "# Mine\n\n" + empty_table() + "\nmy words\n");
  const Outcome first =
      attempt({"mine", "each | pair\nonce", "--expect", "100", "--threads", "1", "--vdt"});
  ASSERT_EQ(first.status, 0) << first.err;
  EXPECT_TRUE(contains(first.out, "zoo/mine: right")) << first.out;
  // On a machine that others use, the noise may hide even a factor of two.
  const std::string verdict = rows().empty() ? "no row" : rows()[0].verdict;
  EXPECT_TRUE(verdict == "less than expected" || verdict == "no difference beyond the spread" ||
              verdict == "too noisy to tell")
      << first.out;
  EXPECT_TRUE(contains(first.out, "verdict   " + verdict)) << first.out;
  ASSERT_EQ(rows().size(), 1u);
  EXPECT_EQ(rows()[0].idea, "each | pair once");
  EXPECT_EQ(rows()[0].expected, "100.00");
  EXPECT_EQ(rows()[0].measured, rows()[0].times_naive);  // naive is the row before
  EXPECT_GT(number_in(rows()[0].rate), 0);
  EXPECT_TRUE(
      contains(first.out, "timed with 2000 bodies, adaptive step, float, 1 thread, flags -O3\n"))
      << first.out;
  EXPECT_FALSE(contains(first.out, "note ")) << first.out;
  const std::string source = text_of(folder / "notebook/001_mine.hpp");
  EXPECT_EQ(source.rfind("// Row 1, 20", 0), 0u) << source;
  EXPECT_TRUE(contains(source, "1 thread, flags -O3; compared with naive\nthe source")) << source;
  EXPECT_EQ(text_of(kept(0)), text_of(THIRD_LAW_PROGRAM));

  const Outcome rough = attempt({"rough", "an estimated root", "--expect", "1.5"});
  EXPECT_EQ(rough.status, 1);
  EXPECT_TRUE(contains(rough.out, "zoo/rough: WRONG")) << rough.out;
  EXPECT_TRUE(contains(rough.out, "x row 1, mine")) << rough.out;
  EXPECT_EQ(rows()[1].verdict.rfind("wrong: ", 0), 0u) << rows()[1].verdict;
  EXPECT_TRUE(contains(rows()[1].verdict, "reciprocal square root")) << rows()[1].verdict;
  EXPECT_GT(number_in(rows()[1].measured), 0);  // its speed is told all the same
  EXPECT_EQ(text_of(kept(0)), text_of(THIRD_LAW_PROGRAM));

  const Outcome crash = attempt({"crash", "none", "--expect", "1.5"});
  EXPECT_EQ(crash.status, 1);
  EXPECT_EQ(rows()[2].measured, "-");
  EXPECT_TRUE(contains(rows()[2].verdict, "died")) << rows()[2].verdict;

  // The program of row 1 is gone: it is estimated, and still the row before.
  fs::remove(kept(0));
  const Outcome again = attempt({"mine", "the same", "--expect", "0.01", "--threads", "1"});
  EXPECT_EQ(again.status, 0) << again.err;
  EXPECT_TRUE(contains(again.out, "x row 1, mine")) << again.out;
  EXPECT_EQ(rows()[3].number, "4");
  EXPECT_EQ(rows()[3].measured.substr(0, 1), "~");
  EXPECT_TRUE(fs::exists(kept(3)));

  const Outcome chosen = attempt({"loud", "prints", "--expect", "1", "--against", "4"});
  ASSERT_EQ(chosen.status, 0) << chosen.err;
  EXPECT_TRUE(contains(chosen.out, "x row 4, mine")) << chosen.out;
  EXPECT_TRUE(contains(chosen.out, "; row 4 with 1 thread, as it was measured")) << chosen.out;
  EXPECT_NE(rows()[4].measured.substr(0, 1), "~");
  EXPECT_TRUE(contains(chosen.out, "it writes to standard output or error")) << chosen.out;
  EXPECT_TRUE(contains(text_of(folder / "notebook/005_loud.hpp"), "compared with row 4, mine"));

  const Outcome small =
      attempt({"mine", "few", "--expect", "1", "-n", "100", "--device", "Abacus"});
  EXPECT_EQ(small.status, 0) << small.err;
  EXPECT_TRUE(contains(small.out, "timed with 100 bodies, fixed step, float, Abacus, flags -O3"))
      << small.out;
  EXPECT_EQ(rows()[5].idea, "few, 100 bodies");

  const std::string text = notebook();
  EXPECT_EQ(text.rfind("# Mine\n\n| # |", 0), 0u) << text;
  EXPECT_TRUE(contains(text, "|\n\nmy words\n")) << text;
}

}  // namespace
}  // namespace nbody
