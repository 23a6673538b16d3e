#include "notebook/hints.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "bodies/input_error.hpp"
#include "bodies/text_file.hpp"

namespace nbody {
namespace {

const std::string good =
    "# Hints\nabout\n\n## Task 3: flops\n### 1\n\nwhy?\n\n### 2\nlook\nthere\n### 3\n\n    code\n\n"
    "## Task 8a\n### 1\na\n### 2\nb\n### 3\nc";

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}
std::string refusal(const std::string& text) {
  return message_of([&] { parse_hints(text, "part1.md"); });
}
std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

TEST(Hints, ThreeStagesATask) {
  const auto tasks = parse_hints(good, "part1.md");
  ASSERT_EQ(tasks.size(), 2u);
  EXPECT_EQ(tasks[0].name, "3");
  EXPECT_EQ(tasks[0].title, "flops");
  EXPECT_EQ(tasks[0].stages, (std::vector<std::string>{"why?", "look\nthere", "    code"}));
  EXPECT_EQ(tasks[1].name, "8a");
  EXPECT_EQ(tasks[1].title, "");
  EXPECT_EQ(tasks[1].stages, (std::vector<std::string>{"a", "b", "c"}));
}

TEST(Hints, AFileThatIsNotCompleteIsRefused) {
  EXPECT_EQ(refusal(""), "part1.md: no hints in it");
  EXPECT_EQ(refusal("# Hints\n"), "part1.md: no hints in it");
  EXPECT_EQ(refusal(replaced(good, "why?", " ")), "part1.md: stage 1 of task 3 is empty");
  EXPECT_EQ(refusal(replaced(good, "### 3\nc", "")), "part1.md: task 8a has 2 stages instead of 3");
  EXPECT_EQ(refusal(good + "\n### 4\nd"), "part1.md: task 8a has 4 stages instead of 3");
  EXPECT_EQ(refusal(replaced(good, "### 2", "### 3")),
            "part1.md: stage 3 of task 3 is out of turn");
  EXPECT_EQ(refusal("### 1\na\n" + good), "part1.md: stage 1 of task ? is out of turn");
}

TEST(Hints, UnknownTasksAreAnsweredWithWhatThereIs) {
  const auto tasks = parse_hints(good, "part1.md");
  EXPECT_EQ(hint_task_named(tasks, "8a", "part1").name, "8a");
  const auto refused = [&](const std::string& name) {
    return message_of([&] { hint_task_named(tasks, name, "part1"); });
  };
  EXPECT_EQ(refused("99"), "part1 has no hints for task '99': choose from 3, 8a");
  EXPECT_EQ(refused(""), "which task? part1 has hints for 3, 8a");
  EXPECT_EQ(refused("8"), "task 8 has hints for each of its ideas: 8a");
}

TEST(Hints, ANumberIsNoIdeaOfAnother) {
  const auto tasks = parse_hints(replaced(good, "Task 3", "Task 11"), "part1.md");
  EXPECT_EQ(message_of([&] { hint_task_named(tasks, "1", "part1"); }),
            "part1 has no hints for task '1': choose from 11, 8a");
}

TEST(OpenedStages, AreInTheNotebookAlone) {
  std::string notebook = "# Notebook\n";
  for (int stage = 1; stage <= 3; ++stage) {
    EXPECT_EQ(next_stage(notebook, "3"), stage);
    notebook = with_opened_stage(notebook, "3", stage, "2026-11-21");
  }
  EXPECT_EQ(next_stage(notebook, "3"), 0);
  EXPECT_EQ(next_stage(notebook, "8a"), 1);
  EXPECT_EQ(notebook,
            "# Notebook\n\n## Hints opened\n\n- task 3, stage 1, 2026-11-21\n"
            "- task 3, stage 2, 2026-11-21\n- task 3, stage 3, 2026-11-21\n");
}

TEST(OpenedStages, LeaveTheTextAroundThemAlone) {
  const std::string above = "# N\r\n\r\n## Hints opened\r\n";
  const std::string entry = "- task 2, stage 1, 2026-11-20\r\n";
  const std::string below = "my words\r\n\r\n## More\r\n- task 3, stage 1, no section of hints";
  const std::string notebook = above + entry + below;
  EXPECT_EQ(next_stage(notebook, "2"), 2);
  EXPECT_EQ(next_stage(notebook, "3"), 1);
  EXPECT_EQ(with_opened_stage(notebook + "\r\n", "3", 1, "d"),
            above + entry + "- task 3, stage 1, d\r\n" + below + "\r\n");
  EXPECT_EQ(with_opened_stage(above + below + "\r\n", "3", 1, "d"),
            above + "\r\n- task 3, stage 1, d\r\n" + below + "\r\n");
}

TEST(OpenedStages, TenIsNotOne) {
  const std::string notebook = with_opened_stage("", "10a", 1, "d");
  EXPECT_EQ(next_stage(notebook, "10a"), 2);
  EXPECT_EQ(next_stage(notebook, "1"), 1);
  EXPECT_EQ(next_stage(notebook, "10"), 1);
}

// Names of the tasks; a stage is shown on one screen, with room for the command.
std::vector<std::string> tasks_in(const std::string& file) {
  std::vector<std::string> names;
  for (const auto& task : parse_hints(read_text_file(file), file)) {
    names.push_back(task.name);
    for (const auto& stage : task.stages) {
      EXPECT_LE(std::count(stage.begin(), stage.end(), '\n'), 20) << task.name;
      EXPECT_GE(stage.size(), 60u) << task.name;
    }
  }
  return names;
}

TEST(HintsOfPart1, EveryTaskHasThem) {
  EXPECT_EQ(tasks_in(HINTS_OF_PART1),
            (std::vector<std::string>{"2", "3", "4", "5", "6", "7", "8a", "8b", "8c", "8d", "9",
                                      "10a", "10b", "11"}));
}

TEST(HintsOfPart2, EveryTaskHasThem) {
  EXPECT_EQ(tasks_in(HINTS_OF_PART2),
            (std::vector<std::string>{"2", "3", "4", "5", "6", "7", "8", "9", "10"}));
}

TEST(HintsOfPart3, EveryTaskHasThem) {
  EXPECT_EQ(tasks_in(HINTS_OF_PART3),
            (std::vector<std::string>{"1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"}));
}

}  // namespace
}  // namespace nbody
