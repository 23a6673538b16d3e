#include "bench/measure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <regex>

#include "bench/programs.hpp"
#include "bench/timing.hpp"
#include "core/input_error.hpp"
#include "machine/machine.hpp"

namespace nbody::bench {
namespace {

struct Case {
  BenchProgram program;
  BenchSetup setup;
  TimedCase timed;
  BenchRow row;
};

std::string name_of(const Case& one) {
  const Tuning& tuning = one.setup.tuning;
  return fmt::format("{}/n:{}/threads:{}/{}{}{}{}{}", one.program.name, one.setup.n,
                     one.setup.threads, one.setup.precision,
                     tuning.block > 0 ? fmt::format("/block:{}", tuning.block) : "",
                     tuning.unroll > 0 ? fmt::format("/unroll:{}", tuning.unroll) : "",
                     tuning.grid > 0 ? fmt::format("/grid:{}", tuning.grid) : "",
                     tuning.ranks > 0 ? fmt::format("/ranks:{}", tuning.ranks) : "");
}

std::vector<std::string> arguments_of(const Tuning& tuning) {
  std::vector<std::string> arguments;
  const auto add = [&](const char* option, unsigned value) {
    if (value > 0) arguments.insert(arguments.end(), {option, std::to_string(value)});
  };
  add("--block", tuning.block);
  add("--unroll", tuning.unroll);
  add("--grid", tuning.grid);
  return arguments;
}

std::vector<Tuning> tunings_of(const BenchPlan& plan) {
  std::vector<Tuning> tunings;
  for (const unsigned block : plan.blocks) {
    for (const unsigned unroll : plan.unrolls) {
      for (const unsigned grid : plan.grids) {
        for (const unsigned ranks : plan.ranks) tunings.push_back({block, unroll, ranks, grid});
      }
    }
  }
  return tunings;
}

std::vector<BenchSetup> setups_of(const BenchPlan& plan) {
  std::vector<BenchSetup> setups;
  for (const auto& precision : plan.precisions) {
    for (const unsigned threads : plan.threads) {
      for (const Tuning& tuning : tunings_of(plan)) {
        for (const std::size_t n : plan.sizes) setups.push_back({n, threads, precision, tuning});
      }
    }
  }
  return setups;
}

// As many processes as requested, or the part's default.
unsigned ranks_of(const BenchProgram& program, unsigned asked) {
  const Launch& launcher = program.entry.programs.front().launcher;
  if (launcher.has_ranks()) return asked > 0 ? asked : launcher.ranks;
  if (asked > 1) {
    throw InputError(
        fmt::format("--ranks: {} runs as one process; part 4 runs as several", program.name));
  }
  return 0;
}

Case make_case(const BenchPlan& plan, const BenchProgram& program, BenchSetup setup) {
  setup.tuning.ranks = ranks_of(program, setup.tuning.ranks);
  Case one{program, setup, {}, {}};
  TimingPlan& timing = one.timed.plan;
  timing.scene = plan.scene;
  timing.n = setup.n;
  timing.precision = precision_named(setup.precision);
  timing.adaptive = plan.adaptive;
  timing.threads = setup.threads;
  timing.seconds = plan.seconds;
  timing.starts = plan.starts;
  timing.timeout_s = plan.timeout_s;
  timing.longest_s = plan.longest_s;
  timing.seed = plan.seed;
  timing.starts_slowly = program.entry.needs.find("gpu") != std::string::npos;

  const double interactions = static_cast<double>(setup.n) * static_cast<double>(setup.n);
  const auto flops =
      program.counts.empty() ? std::nullopt : counted_flops(program.counts, setup.n, plan.adaptive);
  one.row.name = program.name;
  one.row.flags = program.entry.flags;
  one.row.setup = setup;
  one.row.rounds = plan.rounds;
  one.row.flops_counted = flops.has_value();
  if (flops) one.row.flops = *flops / interactions;
  one.timed.flops = one.row.flops;
  return one;
}

std::vector<Case> cases_of(const BenchPlan& plan) {
  const auto programs = programs_of(plan);
  const std::regex filter(plan.filter);
  std::vector<Case> cases;
  for (const BenchSetup& setup : setups_of(plan)) {
    for (const BenchProgram& program : programs) {
      Case one = make_case(plan, program, setup);
      if (std::regex_search(name_of(one), filter)) cases.push_back(std::move(one));
    }
  }
  if (cases.empty()) {
    throw InputError(fmt::format("--filter '{}' matches no name; names look like {}", plan.filter,
                                 name_of(make_case(plan, programs.front(), setups_of(plan)[0]))));
  }
  for (Case& one : cases) {
    // programs_of() made sure that there is one.
    const check::ProgramEntry program =
        check::program_in(one.program.entry, one.timed.plan.precision).value();
    std::vector<std::string> arguments = program.arguments;
    for (std::string& word : arguments_of(one.setup.tuning)) arguments.push_back(std::move(word));
    Launch launcher = program.launcher;
    if (launcher.has_ranks()) launcher.ranks = one.setup.tuning.ranks;
    one.timed.program = {name_of(one), program.file, std::move(arguments), program.hello, launcher};
  }
  return cases;
}

// The timed answers must be right; an exhibit is expected to be wrong.
Outcome outcome_of(const Case& one, const Timing& timing) {
  if (!timing.fault.empty()) return timing.outcome;
  if (timing.wrong.empty() && timing.error <= timing.limit) return Outcome::right;
  return one.program.entry.expect.empty() ? Outcome::wrong : Outcome::wrong_as_expected;
}

std::string verdict_of(Outcome outcome, const Timing& timing) {
  switch (outcome) {
    case Outcome::right:
      return "right";
    case Outcome::wrong_as_expected:
      return "wrong, as expected";
    case Outcome::wrong:
      return timing.wrong.empty() ? "WRONG" : "WRONG: " + timing.wrong;
    default:
      return timing.fault;
  }
}

BenchRow row_of(const Case& one, const Timing& timing) {
  BenchRow row = one.row;
  if (timing.fault.empty()) {
    row.rounds = static_cast<int>(std::count_if(timing.rounds.begin(), timing.rounds.end(),
                                                [](double seconds) { return seconds > 0; }));
  }
  row.outcome = outcome_of(one, timing);
  row.verdict = verdict_of(row.outcome, timing);
  // A program that computes something else has no speed; an exhibit shows what its mistake gains.
  if (row.as_expected()) {
    row.rate = timing.interactions_per_second;
    row.seconds = timing.seconds_per_step;
    row.round_seconds = timing.rounds;
    row.round_neighbours = timing.neighbours;
  }
  row.error = timing.error;
  row.limit = timing.limit;
  row.kind = one.program.entry.kind;
  row.parent = one.program.entry.parent;
  row.cores = timing.cores;
  row.about_cores = timing.about_cores;
  row.step_count_verified = timing.step_count_verified;
  row.writes = timing.writes;
  return row;
}

// Before the tables, which come after all sizes.
void say_known(const Case& one, const Timing& timing) {
  const BenchRow row = row_of(one, timing);
  const std::string speed = row.measured()
                                ? fmt::format("{:.3f} x 10^9 interactions/s", row.rate.median / 1e9)
                                : row.verdict;
  fmt::print(stderr, "  {}: {}\n", timing.name, speed);
}

double load_before() {
  double minute = 0;
  return ::getloadavg(&minute, 1) == 1 ? minute : 0;
}

BenchContext context_of(const BenchPlan& plan) {
  const char* schedule = std::getenv("OMP_SCHEDULE");
  BenchContext context;
  context.part = plan.part;
  context.scene = plan.scene;
  context.adaptive = plan.adaptive;
  context.cpu = machine::cpu_name();
  context.device = plan.device;
  context.device_peak = plan.device_peak;
  context.compiler = machine::compiler_name();
  context.date = machine::date_today();
  context.revision = plan.revision;
  context.load = load_before();
  context.schedule = schedule != nullptr ? schedule : "as each source says";
  return context;
}

}  // namespace

BenchRun measure(const BenchPlan& plan, const std::function<bool()>& stops) {
  const std::vector<Case> cases = cases_of(plan);
  std::vector<TimedCase> timed;
  for (const Case& one : cases) timed.push_back(one.timed);
  Listener listener;
  listener.stops = stops;
  if (plan.progress) {  // lines for ./lab (core/run.py), which shows them
    listener.progress = [](std::size_t done, std::size_t all, const std::string& doing) {
      fmt::print(stderr, "... {}/{} {}\n", done, all, doing);
    };
  }
  const bool one_size = plan.sizes.size() == 1;  // its table comes at once
  listener.known = [&](std::size_t k, const Timing& timing) {
    if (!one_size && !timing.rounds.empty()) say_known(cases[k], timing);
  };
  BenchRun run{{context_of(plan), {}}, {}};
  Measurement measurement = measure_in_turn(timed, plan.rounds, listener, plan.wait_s);
  run.google_json = std::move(measurement.google_json);
  std::vector<double> cycles;
  for (std::size_t k = 0; k < cases.size(); ++k) {
    const Timing& timing = measurement.timings[k];
    run.result.rows.push_back(row_of(cases[k], timing));
    cycles.insert(cycles.end(), timing.cycles.begin(), timing.cycles.end());
  }
  BenchContext& context = run.result.context;
  if (!cycles.empty()) context.clock_hz = 1 / statistics_of(cycles).median;
  context.spent = measurement.spent;
  context.stopped = measurement.stopped;
  return run;
}

}  // namespace nbody::bench
