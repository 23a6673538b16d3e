#include "attempt/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "bodies/input_error.hpp"
#include "bodies/words.hpp"
#include "command_line/progress.hpp"
#include "machine/facts.hpp"
#include "machine/machine.hpp"

namespace nbody::attempt {
namespace {

// Enough to give a small GPU work, few enough to take seconds there.
constexpr std::size_t bodies_on_device = 16384;

// The most threads it may take: a program's own default, see threads.hpp.
std::string number_of_threads(std::uint64_t threads, const protocol::Launch& launcher) {
  const char* wish = std::getenv("OMP_NUM_THREADS");
  if (threads > 0) return std::to_string(threads);
  if (wish != nullptr) return printable(wish);
  const unsigned processes = launcher.has_ranks() ? launcher.ranks : 1;
  return std::to_string(
      std::max(1U, unsigned(machine::machine_facts().hardware_threads) / processes));
}

std::string ranks_text(const protocol::Launch& launcher) {
  return launcher.has_ranks()
             ? fmt::format("{} rank{}, ", launcher.ranks, launcher.ranks == 1 ? "" : "s")
             : "";
}

std::string threads_text(const std::string& number) {
  return number + (number == "1" ? " thread" : " threads at most");
}

check::ImplementationEntry entry_of(const AttemptOptions& options, const std::string& name) {
  return check::select(check::read_manifest(options.manifest), options.part, {name}).front();
}

bench::TimedProgram program_of(const AttemptOptions& options, const std::string& name) {
  const auto entry = entry_of(options, name);
  const std::string skipped = check::reason_to_skip(entry);
  if (!skipped.empty()) throw InputError(fmt::format("{} cannot run here: {}", name, skipped));
  const auto program = check::program_in(entry, protocol::Precision::single_precision);
  if (!program || !std::filesystem::exists(program->file)) {
    throw InputError(fmt::format("{0} is not built: run ./lab build {1} {0}", name, options.part));
  }
  protocol::Launch launcher = program->launcher;
  if (options.ranks > 0 && !launcher.has_ranks()) {
    throw InputError(
        fmt::format("--ranks: {} runs as one process; part 4 runs as several", options.part));
  }
  if (options.ranks > 0) launcher.ranks = static_cast<unsigned>(options.ranks);
  return {name, program->file, program->arguments, program->hello, launcher};
}

AttemptPlan plan_of(const AttemptOptions& options) {
  AttemptPlan plan;
  plan.naive = program_of(options, "naive");
  plan.mine = program_of(options, options.name);
  plan.part_and_name = options.part + " " + options.name;
  if (!options.program.empty()) plan.mine.program = options.program;
  plan.threads = static_cast<unsigned>(options.threads);
  plan.wait_s = options.wait_s;
  plan.adaptive = options.adaptive;
  plan.on_gpu = !options.device.empty();
  if (plan.on_gpu) plan.n = bodies_on_device;
  if (options.n > 0) plan.n = options.n;
  plan.on_progress = command_line::show_progress;
  return plan;
}

// The previous row runs with the threads it was measured with.
void add_before(const AttemptOptions& options, PlannedAttempt& planned) {
  planned.plan.before = bench::TimedProgram{"row " + options.before.number, options.before_program};
  if (planned.plan.mine.launcher.has_ranks()) {
    planned.plan.before->launcher = planned.plan.mine.launcher;  // the same for all
  }
  if (options.before_threads == 0 || std::to_string(options.before_threads) == planned.threads) {
    return;
  }
  planned.plan.threads_before = static_cast<unsigned>(options.before_threads);
  planned.conditions_before =
      fmt::format("row {} with {}, as it was measured", options.before.number,
                  threads_text(std::to_string(options.before_threads)));
}

}  // namespace

PlannedAttempt planned(const AttemptOptions& options) {
  PlannedAttempt planned;
  planned.plan = plan_of(options);
  planned.device = options.device;
  planned.entry = entry_of(options, options.name);
  if (!planned.plan.on_gpu)
    planned.threads = number_of_threads(options.threads, planned.plan.mine.launcher);
  planned.conditions = fmt::format(
      "{} bodies, {} step, float, {}{}, flags {}", planned.plan.n,
      planned.plan.adaptive ? "adaptive" : "fixed", ranks_text(planned.plan.mine.launcher),
      planned.plan.on_gpu ? options.device : threads_text(planned.threads), planned.entry.flags);
  if (!options.before_program.empty()) add_before(options, planned);
  return planned;
}

}  // namespace nbody::attempt
