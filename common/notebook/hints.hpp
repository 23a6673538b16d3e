#pragma once

#include <string>
#include <vector>

namespace nbody {

// Hints to the tasks of a part, in three stages each: a question, a direction, nearly the recipe.
// docs/hints/PART.md:
//
//   ## Task 8a: algebra
//   ### 1
//   text
struct HintTask {
  std::string name, title;          // "8a", "algebra"
  std::vector<std::string> stages;  // three texts
};

// Throws InputError, naming the file, unless every task has its three stages and each says
// something.
std::vector<HintTask> parse_hints(const std::string& text, const std::string& file);

// Throws InputError that lists what there is.
const HintTask& hint_task_named(const std::vector<HintTask>& tasks, const std::string& name,
                                const std::string& part);

// Which stages of a task were opened is known from the notebook alone, from the lines
// "- task 3, stage 1, 2026-11-21" of its section "Hints opened". 1 to 3; 0 when all are open.
int next_stage(const std::string& notebook, const std::string& task);
// The text with one more such line, and with the section where there is none.
std::string with_opened_stage(const std::string& notebook, const std::string& task, int stage,
                              const std::string& date);

}  // namespace nbody
