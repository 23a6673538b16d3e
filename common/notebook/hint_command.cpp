#include <fmt/format.h>

#include "bodies/text_file.hpp"
#include "machine/machine.hpp"
#include "notebook/commands.hpp"
#include "notebook/hints.hpp"
#include "notebook/notebook_file.hpp"

namespace nbody {
namespace {

std::string title_of(const HintOptions& options, const HintTask& task, int stage) {
  const std::string title = task.title.empty() ? "" : fmt::format(" ({})", task.title);
  return fmt::format("{}, task {}{}, hint {} of {}", options.part, task.name, title, stage,
                     task.stages.size());
}

void print_stage(const HintOptions& options, const HintTask& task, int stage) {
  fmt::print("{}\n\n{}\n\n", title_of(options, task, stage),
             task.stages[static_cast<std::size_t>(stage - 1)]);
}

}  // namespace

int open_hint(const HintOptions& options) {
  const auto tasks = parse_hints(read_text_file(options.hints), options.hints.string());
  const HintTask& task = hint_task_named(tasks, options.task, options.part);
  const auto file = notebook_in(options.folder);
  const std::string notebook = read_notebook(file);
  const int stage = next_stage(notebook, task.name);
  if (stage == 0) {
    fmt::print("All hints to task {} are open:\n\n", task.name);
    for (int opened = 1; opened <= 3; ++opened) print_stage(options, task, opened);
    return 0;
  }
  // Noted first: nothing is read that is not in the notebook.
  write_text_file(file, with_opened_stage(notebook, task.name, stage, date_today()));
  print_stage(options, task, stage);
  if (stage < 3) {
    fmt::print("Try it before you ask for the next: ./lab hint {} {}\n", options.part, task.name);
  } else {
    fmt::print("That was the last one.\n");
  }
  return 0;
}

}  // namespace nbody
