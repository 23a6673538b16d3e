#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "attempt/plan.hpp"
#include "bodies/input_error.hpp"
#include "bodies/text_file.hpp"
#include "check/plan.hpp"
#include "check/report.hpp"
#include "command_line/command_line.hpp"
#include "command_line/progress.hpp"
#include "command_line/run_main.hpp"
#include "protocol/hidden_arguments.hpp"

// What ./lab try judges and times; common/lab/notebook/try_idea.py keeps the notebook.
// Status 0: right; 1: wrong; 2: bad input.

namespace {

using namespace nbody;
using namespace nbody::attempt;

// What Python writes into a row of the notebook: the columns of docs/file_formats.md, by name.
// Those of the measurement are missing if the program gave no number.
std::string row_json(const Trial& trial, const PlannedAttempt& planned) {
  const bench::TimingPlan defaults;
  const std::string conditions =
      trial.conditions + (trial.conditions_before.empty() ? "" : "; " + trial.conditions_before);
  nlohmann::ordered_json json = {{"expected", trial.expected},
                                 {"verdict", verdict_of(trial)},
                                 {"n", planned.plan.n},
                                 {"step", planned.plan.adaptive ? "adaptive" : "fixed"},
                                 {"scene", defaults.scene},
                                 {"precision", "float"},
                                 {"threads", planned.threads},
                                 {"device", planned.device},
                                 {"flags", planned.entry.flags},
                                 {"conditions", conditions},
                                 {"program", planned.plan.mine.program.string()}};
  if (trial.over_before) {
    const bench::Statistics& rate = trial.attempt.mine.interactions_per_second;
    json["measured"] = trial.over_before->ratio;
    json["lower"] = trial.over_before->lower;
    json["upper"] = trial.over_before->upper;
    json["estimated"] = trial.over_before->estimated;
    json["times_naive"] = trial.over_naive->ratio;
    json["interactions_per_s"] = rate.median;
    json["spread"] = rate.spread();
  }
  json["check"] = nlohmann::ordered_json::parse(check::json_text(
      {{planned.entry, "", trial.attempt.rows}}, "standard", "float", planned.plan.seed));
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

int try_idea(const AttemptOptions& options, const std::filesystem::path& json) {
  const PlannedAttempt attempt = planned(options);
  Trial trial;
  trial.expected = options.expected;
  trial.conditions = attempt.conditions;
  trial.conditions_before = attempt.conditions_before;
  if (!options.before.number.empty()) trial.before = options.before;
  trial.attempt = make_attempt(attempt.plan);
  command_line::clear_progress();
  compare(trial);
  fmt::print("{}", trial_text(trial, options.part + "/" + options.name));
  if (!json.empty()) write_text_file(json, row_json(trial, attempt));
  return trial.attempt.wrong.empty() ? 0 : 1;
}

void declare_row_before(command_line::CommandLine& line, AttemptOptions& options) {
  line.group("The row of the notebook that it is compared with (default: naive)");
  line.text("--before-row", "NUMBER", options.before.number, "its number");
  line.text("--before-name", "NAME", options.before.name, "its implementation");
  line.text("--before-program", "FILE", options.before_program,
            "its kept program, if there is one");
  line.number("--before-threads", "T", options.before_threads, "the threads it was measured with",
              1, 4096);
  line.number("--before-times-naive", "X", options.before.times_naive,
              "how many times as fast as naive it was");
  line.number("--before-spread", "S", options.before.spread, "relative spread of that number");
}

int parse_and_attempt(int argc, char** argv) {
  AttemptOptions options;
  std::filesystem::path json;
  command_line::CommandLine line("Checks and measures an idea beside naive and the row before.",
                                 "attempt");
  line.text("part", "", options.part, "part1, ...").required();
  line.text("name", "", options.name, "the implementation, for example mine").required();
  line.number("--expect", "FACTOR", options.expected, "the prediction").required();
  line.number("--ranks", "P", options.ranks, "processes (part 4)", 1, 4096);
  line.number("--threads", "T", options.threads, "default: the program's own, all cores", 1, 4096);
  line.flag("--vdt", options.adaptive, "adaptive step: forces and nearest neighbours");
  line.number("-n,--n", "N", options.n, "bodies to measure with (default: 2000, on a GPU 16384)",
              16, 1'000'000);
  line.number("--wait", "S", options.wait_s, "wait for free cores, in all at most S seconds", 0,
              86400);
  line.text("--program", "FILE", options.program, "an earlier program of the implementation");
  line.text("--device", "TEXT", options.device, "the GPU, in words");
  line.text("--manifest", "FILE", options.manifest, "written by cmake");
  line.text("--json", "FILE", json, "write what the notebook needs to this file");
  declare_row_before(line, options);
  if (!line.parse(argc, argv)) return 0;
  return try_idea(options, json);
}

}  // namespace

int main(int argc, char** argv) {
  nbody::protocol::HiddenArguments arguments(argc, argv);
  return command_line::run_main(
      "try", [&] { return parse_and_attempt(arguments.count(), arguments.values()); });
}
