#include "command_line/command_line.hpp"

#include <gtest/gtest.h>

#include "core/input_error.hpp"

namespace nbody::command_line {
namespace {

struct Typed {
  std::string name, part;
  std::vector<std::string> pair;
  std::uint64_t rounds = 7;
  double seconds = 0;
  bool quick = false;
};

bool parse(CommandLine& line, std::vector<std::string> words) {
  words.insert(words.begin(), "program");
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  return line.parse(static_cast<int>(arguments.size()), arguments.data());
}

Typed typed(const std::vector<std::string>& words) {
  Typed values;
  CommandLine line("A program.", "program");
  line.text("part", "", values.part, "a position").required();
  line.text("--name", "NAME", values.name, "text");
  line.words("--pair", "FILE", values.pair, "two words", 2);
  line.number("--rounds", "K", values.rounds, "a number", 1, 1000).last_wins();
  line.number("--seconds", "S", values.seconds, "another");
  line.flag("--quick", values.quick, "a flag");
  EXPECT_TRUE(parse(line, words));
  return values;
}

std::string complaint(const std::vector<std::string>& words) {
  try {
    typed(words);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

TEST(CommandLine, HandsOverWhatWasTyped) {
  const Typed values = typed({"part1", "--name", "x", "--pair", "a", "b", "--rounds", "3",
                              "--rounds", "4", "--seconds", "0.5", "--quick"});
  EXPECT_EQ(values.part, "part1");
  EXPECT_EQ(values.name, "x");
  EXPECT_EQ(values.pair, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(values.rounds, 4u);
  EXPECT_EQ(values.seconds, 0.5);
  EXPECT_TRUE(values.quick);
  EXPECT_EQ(typed({"part1"}).rounds, 7u);
}

TEST(CommandLine, SaysWhatIsWrongInPlainWords) {
  const std::string end = "; --help lists the options";
  EXPECT_EQ(complaint({"part1", "--name"}), "--name needs a value: --name NAME" + end);
  EXPECT_EQ(complaint({"part1", "--name", "x", "--name", "y"}),
            "--name is given 2 times: keep one" + end);
  EXPECT_EQ(complaint({"part1", "--seconds", "x"}),
            "--seconds needs a finite number >= 0, not 'x'");
  EXPECT_EQ(complaint({}), "part is required" + end);
  EXPECT_NE(complaint({"part1", "--pair", "a"}).find("--pair"), std::string::npos);
  for (const std::string rounds : {"0", "1001", "-1", "2.5", "x"}) {
    EXPECT_EQ(complaint({"part1", "--rounds", rounds}),
              "--rounds needs a whole number from 1 to 1000, not '" + rounds + "'");
  }
  for (const std::string unknown : {"extra", "a=b", "-", "-x", "--bogus"}) {
    EXPECT_NE(complaint({"part1", unknown}).find(unknown + end), std::string::npos) << unknown;
  }
}

TEST(CommandLine, KnowsWhatWasTyped) {
  CommandLine line("A program.", "program");
  bool quick = false, slow = false;
  line.flag("--quick", quick, "a flag");
  line.flag("--slow", slow, "a flag");
  ASSERT_TRUE(parse(line, {"--quick"}));
  EXPECT_TRUE(line.given("--quick"));
  EXPECT_FALSE(line.given("--slow"));
  EXPECT_EQ(line.given(), std::vector<std::string>{"--quick"});
}

TEST(CommandLine, HelpIsAllThereIsToDo) {
  CommandLine line("What it is.", "program");
  bool quick = false, hidden = false;
  line.flag("--quick", quick, "seen");
  line.group("");
  line.flag("--own", hidden, "not seen");
  testing::internal::CaptureStdout();
  EXPECT_FALSE(parse(line, {"--help"}));
  const std::string help = testing::internal::GetCapturedStdout();
  EXPECT_NE(help.find("What it is."), std::string::npos);
  EXPECT_NE(help.find("--quick"), std::string::npos);
  EXPECT_EQ(help.find("--own"), std::string::npos) << help;
}

TEST(Values, CommasSeparate) {
  EXPECT_EQ(words_between_commas("1,2"), (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(words_between_commas("1,"), (std::vector<std::string>{"1", ""}));
  EXPECT_EQ(words_between_commas(""), std::vector<std::string>{""});
}

}  // namespace
}  // namespace nbody::command_line
