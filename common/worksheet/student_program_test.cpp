// The judge with a worksheet that is right, and that tries to fool or stop it.
#include "worksheet/student_program.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <thread>

#include "command_line/test_help.hpp"
#include "simulator/test_program/command.hpp"

namespace nbody {
namespace {

Outcome judged(const std::string& sheet, const std::string& lock = "") {
  const auto in_child = [&] {
    ::setenv("SHEET", sheet.c_str(), 1);
    ::setenv("LOCK", lock.c_str(), 1);
    ::dup2(STDIN_FILENO, 200);  // stands for the lock of ./lab, no matter of the student's code
  };
  return Command({JUDGE, "--answers", SHEET, "--counts", "/nowhere", "--seconds",
                  sheet == "endless" ? "1" : "30"},
                 in_child)
      .wait();
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

void expect_one_line(const Outcome& outcome, const std::string& start) {
  EXPECT_EQ(outcome.status, 2) << start;
  EXPECT_EQ(outcome.out, "") << start;
  EXPECT_EQ(outcome.err.rfind("worksheet: worksheet.hpp: " + start, 0), 0u) << outcome.err;
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.err;
}

TEST(StudentProgram, MayPrint) {
  const Outcome outcome = judged("printing");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "here I am\nsix and one\nsix and one\n");
  EXPECT_TRUE(contains(outcome.out, "paper machine of Ada Lovelace, Charles Babbage: none"))
      << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "2 of 2 lines answered\n")) << outcome.out;
}

TEST(StudentProgram, CannotSayThatItIsRight) {
  expect_one_line(judged("fooling"), "exited with status 0 before it gave its answers");
}

// A process that was killed holds its locks until the system has cleared it away.
bool becomes_free(const std::string& lock) {
  const int descriptor = ::open(lock.c_str(), O_RDWR);
  bool free = false;
  for (int k = 0; k < 500 && !free; ++k) {
    free = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
    if (!free) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ::close(descriptor);
  return free;
}

// Nothing that it started is left.
TEST(StudentProgram, ALoopWithoutEndIsStopped) {
  const TestFolder folder;
  const std::string lock = folder / "lock";
  write_text(lock, "");
  const auto start = std::chrono::steady_clock::now();
  const Outcome outcome = judged("endless", lock);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  expect_one_line(outcome, "no answers within 1 s: is there a loop in it that does not end?");
  EXPECT_TRUE(becomes_free(lock));
}

TEST(StudentProgram, MayCrash) { expect_one_line(judged("crashing"), "killed by signal 6"); }

TEST(StudentProgram, MayThrow) {
  expect_one_line(judged("throwing"), "exited with status 1 before it gave its answers: stod");
}

TEST(StudentProgram, IsNotThere) {
  const Outcome outcome = Command({JUDGE, "--answers", "/nowhere", "--counts", "/"}).wait();
  EXPECT_EQ(outcome.status, 2);
  EXPECT_TRUE(contains(outcome.err, "/nowhere: cannot start")) << outcome.err;
}

// What ./lab and those who write questions say is not for students.
TEST(Worksheet, HelpIsWhatLabShows) {
  const Outcome outcome = Command({JUDGE, "--help"}).wait();
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(test::differing_words(outcome.out, HELP_FILE), "");
  for (const char* own : {"--seal", "--counts", "--notebook", "--may-show", "--question"}) {
    EXPECT_FALSE(contains(outcome.out, own)) << own;
  }
}

TEST(AnswerText, GivesTheSameNumbersBack) {
  AnswersAtBothSizes answers;
  answers.first.add("third", 1.0 / 3);
  answers.first.add("none", std::numeric_limits<double>::quiet_NaN());
  answers.first.add("too_many", std::numeric_limits<double>::infinity());
  answers.second.add("letter", ' ');
  answers.second.add("text", std::string("two\nlines"));
  const AnswersAtBothSizes back =
      parse_answers("words before\n" + format_answers(answers) + "and after");
  EXPECT_EQ(back.first.numbers.at("third"), 1.0 / 3);
  EXPECT_TRUE(std::isnan(back.first.numbers.at("none")));
  EXPECT_TRUE(std::isinf(back.first.numbers.at("too_many")));
  EXPECT_EQ(back.second.letters.at("letter"), ' ');
  EXPECT_EQ(back.second.texts.at("text"), "two lines");
}

TEST(AnswerText, AnUnfinishedOneIsRefused) {
  const std::string text = format_answers({});
  EXPECT_NO_THROW(parse_answers(text));
  EXPECT_THROW(parse_answers(text.substr(0, text.size() - 2)), std::logic_error);
  EXPECT_THROW(parse_answers(""), std::logic_error);
  EXPECT_THROW(parse_answers(std::string(text).insert(text.find('\n') + 1, "2 number a 1\n")),
               std::logic_error);
}

}  // namespace
}  // namespace nbody
