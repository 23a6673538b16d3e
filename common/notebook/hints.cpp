#include "notebook/hints.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bodies/input_error.hpp"
#include "bodies/words.hpp"
#include "notebook/markdown.hpp"

namespace nbody {
namespace {

constexpr int stages_of_a_task = 3;
const std::string section = "Hints opened";

bool starts_with(const std::string& text, const std::string& start) {
  return text.rfind(start, 0) == 0;
}

// "Task 8a: algebra"
HintTask task_of(const std::string& heading) {
  const std::string rest = heading.substr(std::string("Task ").size());
  const std::size_t colon = std::min(rest.find(':'), rest.size());
  return {
      trimmed(rest.substr(0, colon)), trimmed(rest.substr(std::min(colon + 1, rest.size()))), {}};
}

void demand_three_stages(const HintTask& task, const std::string& file) {
  if (task.stages.size() != stages_of_a_task) {
    throw InputError(fmt::format("{}: task {} has {} stages instead of {}", file, task.name,
                                 task.stages.size(), stages_of_a_task));
  }
  for (std::size_t k = 0; k < task.stages.size(); ++k) {
    if (!task.stages[k].empty()) continue;
    throw InputError(fmt::format("{}: stage {} of task {} is empty", file, k + 1, task.name));
  }
}

std::string stage_start(const std::string& task) { return "- task " + task + ", stage "; }

// Lines [begin, end) are the section behind its heading; begin == 0 when there is none.
struct Section {
  std::size_t begin = 0, end = 0;
};

Section opened_section(const std::vector<std::string>& lines) {
  Section place;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const std::string heading = heading_of(lines[k]);
    if (place.begin != 0 && !heading.empty()) return place;
    if (place.begin == 0 && heading == section) place.begin = k + 1;
    if (place.begin != 0) place.end = k + 1;
  }
  return place;
}

}  // namespace

std::vector<HintTask> parse_hints(const std::string& text, const std::string& file) {
  std::vector<HintTask> tasks;
  for (const std::string& line : lines_of(text)) {
    if (starts_with(line, "## Task ")) {
      tasks.push_back(task_of(heading_of(line)));
    } else if (starts_with(line, "### ")) {
      const std::string expected =
          tasks.empty() ? "" : std::to_string(tasks.back().stages.size() + 1);
      if (heading_of(line) != expected) {
        throw InputError(fmt::format("{}: stage {} of task {} is out of turn", file,
                                     heading_of(line), tasks.empty() ? "?" : tasks.back().name));
      }
      tasks.back().stages.emplace_back();
    } else if (!tasks.empty() && !tasks.back().stages.empty()) {
      tasks.back().stages.back() += line;
    }
  }
  if (tasks.empty()) throw InputError(fmt::format("{}: no hints in it", file));
  for (HintTask& task : tasks) {
    // A stage may begin with indented lines, so only whole blank ones are taken off.
    for (std::string& stage : task.stages) {
      if (trimmed(stage).empty()) stage.clear();
      while (starts_with(stage, "\n")) stage.erase(0, 1);
      stage.erase(stage.find_last_not_of(" \r\n") + 1);
    }
    demand_three_stages(task, file);
  }
  return tasks;
}

const HintTask& hint_task_named(const std::vector<HintTask>& tasks, const std::string& name,
                                const std::string& part) {
  std::string known, ideas;
  for (const HintTask& task : tasks) {
    if (task.name == name) return task;
    const std::string shown = task.title.empty() ? task.name : task.name + " " + task.title;
    known += (known.empty() ? "" : ", ") + task.name;
    if (!name.empty() && task.name.size() == name.size() + 1 && starts_with(task.name, name) &&
        task.name.back() >= 'a') {
      ideas += (ideas.empty() ? "" : ", ") + shown;
    }
  }
  if (name.empty()) {
    throw InputError(fmt::format("which task? {} has hints for {}", part, known));
  }
  if (!ideas.empty()) {
    throw InputError(fmt::format("task {} has hints for each of its ideas: {}", name, ideas));
  }
  throw InputError(
      fmt::format("{} has no hints for task {}: choose from {}", part, in_quotes(name), known));
}

int next_stage(const std::string& notebook, const std::string& task) {
  const auto lines = lines_of(notebook);
  const Section place = opened_section(lines);
  for (int stage = 1; stage <= stages_of_a_task; ++stage) {
    const std::string start = stage_start(task) + std::to_string(stage);
    bool opened = false;
    for (std::size_t k = place.begin; k < place.end; ++k) {
      opened = opened || starts_with(trimmed(lines[k]), start);
    }
    if (!opened) return stage;
  }
  return 0;
}

std::string with_opened_stage(const std::string& notebook, const std::string& task, int stage,
                              const std::string& date) {
  const std::string entry = fmt::format("{}{}, {}", stage_start(task), stage, date);
  auto lines = lines_of(notebook);
  if (!lines.empty() && lines.back().back() != '\n') lines.back() += line_ending_of(lines[0]);
  const std::string ending = lines.empty() ? "\n" : line_ending_of(lines[0]);
  const Section place = opened_section(lines);
  if (place.begin == 0) {
    return joined(lines) + (lines.empty() ? "" : ending) + "## " + section + ending + ending +
           entry + ending;
  }
  std::size_t last = 0;  // behind the last entry, or behind the heading
  for (std::size_t k = place.begin; k < place.end; ++k) {
    if (starts_with(trimmed(lines[k]), "- task ")) last = k + 1;
  }
  const std::string gap = last == 0 ? ending : "";
  if (last == 0) last = place.begin;
  lines.insert(lines.begin() + static_cast<std::ptrdiff_t>(last), gap + entry + ending);
  return joined(lines);
}

}  // namespace nbody
