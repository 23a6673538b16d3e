#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "bodies/input_error.hpp"
#include "bodies/text_file.hpp"
#include "bodies/words.hpp"
#include "check/manifest.hpp"
#include "machine/facts.hpp"
#include "machine/machine.hpp"
#include "notebook/attempt.hpp"
#include "notebook/commands.hpp"
#include "notebook/markdown.hpp"
#include "notebook/notebook_file.hpp"
#include "notebook/trial.hpp"

namespace nbody {
namespace {

// Enough to give a small GPU work, few enough to take seconds there.
constexpr std::size_t bodies_on_device = 16384;

double expectation_of(const TryOptions& options) {
  if (options.expect.empty()) {
    throw InputError(
        "--expect is missing: predict first, then measure; --expect 1.5 says 1.5 times as fast as "
        "the row that it is compared with");
  }
  const auto number = finite_number(options.expect);
  if (number && *number >= 0.01 && *number <= 1000) return *number;
  throw InputError(
      fmt::format("--expect wants a factor from 0.01 to 1000, such as 1.5 for 1.5 times as fast; "
                  "not {}",
                  in_quotes(options.expect)));
}

void demand_an_idea(const TryOptions& options) {
  if (options.name.empty()) throw InputError("which implementation? For example: mine");
  if (options.name == "naive") {
    throw InputError("naive is what the others are compared with: try one of your own");
  }
  if (!trimmed(options.idea).empty()) return;
  throw InputError("what is the idea? One sentence in quotes, for example \"sums in locals\"");
}

// What it ran on. As a program's own default is: see threads.hpp.
std::string threads_text(std::uint64_t threads) {
  const char* wish = std::getenv("OMP_NUM_THREADS");
  const std::string number = threads > 0       ? std::to_string(threads)
                             : wish != nullptr ? printable(wish)
                                               : std::to_string(machine_facts().hardware_threads);
  return number + (number == "1" ? " thread" : " threads at most");
}

std::string place_text(const TryOptions& options) {
  return options.device.empty() ? threads_text(options.threads) : options.device;
}

std::string conditions_of(const TryOptions& options, const AttemptPlan& plan) {
  const auto entry = select(read_manifest(options.manifest), options.part, {options.name}).front();
  return fmt::format("{} bodies, {} step, float, {}, flags {}", plan.n,
                     plan.adaptive ? "adaptive" : "fixed", place_text(options), entry.flags);
}

TimedProgram program_of(const TryOptions& options, const std::string& name) {
  const auto entry = select(read_manifest(options.manifest), options.part, {name}).front();
  const std::string skipped = reason_to_skip(entry);
  if (!skipped.empty()) throw InputError(fmt::format("{} cannot run here: {}", name, skipped));
  const auto program = program_in(entry, Precision::single_precision);
  if (!program || !std::filesystem::exists(program->file)) {
    throw InputError(fmt::format("{0} is not built: run ./lab build {1} {0}", name, options.part));
  }
  return {name, program->file, program->arguments, program->hello};
}

AttemptPlan plan_of(const TryOptions& options) {
  AttemptPlan plan;
  plan.naive = program_of(options, "naive");
  plan.mine = program_of(options, options.name);
  plan.threads = options.threads;
  plan.adaptive = options.adaptive;
  plan.on_gpu = !options.device.empty();
  if (plan.on_gpu) plan.n = bodies_on_device;
  if (options.n > 0) plan.n = options.n;
  plan.on_progress = [](const std::string& text) {
    if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r  {:70.70}\r", text);
  };
  return plan;
}

// The notebook is read again: its student may have written in it meanwhile.
NotebookRow written_row(const TryOptions& options, const Trial& trial) {
  const auto file = notebook_in(options.folder);
  const std::string notebook = read_notebook(file);
  NotebookRow row = row_of(trial);
  const int number = free_number(options.folder, next_number(notebook_rows(notebook)));
  row.number = std::to_string(number);
  row.date = date_today();
  row.name = options.name;
  row.idea = options.idea;
  if (options.n > 0) row.idea += fmt::format(", {} bodies", options.n);
  const auto kept = kept_source(options.folder, number, options.name, options.source);
  std::error_code ignored;
  // Where it cannot be created, writing says why.
  std::filesystem::create_directory(kept.parent_path(), ignored);
  write_text_file(kept, fmt::format("// Row {}, {}: {}; compared with {}\n", number, row.date,
                                    trial.conditions, name_of_before(trial)) +
                            read_text_file(options.source));
  try {
    write_text_file(file, with_row(notebook, row));
  } catch (const InputError&) {
    std::filesystem::remove(kept, ignored);
    throw;
  }
  fmt::print("\nrow {} is in {}, its source in {}\n", number,
             std::filesystem::relative(file).string(), std::filesystem::relative(kept).string());
  return row;
}

}  // namespace

int try_idea(const TryOptions& options) {
  Trial trial;
  trial.expected = expectation_of(options);
  demand_an_idea(options);
  AttemptPlan plan = plan_of(options);
  trial.conditions = conditions_of(options, plan);
  const auto rows = notebook_rows(read_notebook(notebook_in(options.folder)));
  trial.before =
      options.against.empty() ? row_before(rows, options.name) : row_against(rows, options.against);
  const KeptPrograms kept(options.manifest.parent_path() / "notebook" / options.part);
  if (trial.before) {
    const auto program = kept.of(*trial.before);
    if (program) plan.before = TimedProgram{"row " + trial.before->number, *program};
    plan.threads_before = kept.threads_of(*trial.before);
    if (program && plan.threads_before && *plan.threads_before != plan.threads) {
      trial.conditions += fmt::format("; row {} with {}, as it was measured", trial.before->number,
                                      threads_text(*plan.threads_before));
    }
  }
  trial.attempt = make_attempt(plan);
  compare(trial);
  fmt::print("{}", trial_text(trial, options.part + "/" + options.name));
  const NotebookRow row = written_row(options, trial);
  if (!trial.attempt.wrong.empty()) return 1;
  kept.keep(plan.mine.program, row, plan.threads);
  return 0;
}

}  // namespace nbody
