#include "attempt/row_json.hpp"

#include <nlohmann/json.hpp>

#include "check/plan.hpp"
#include "check/report.hpp"

namespace nbody::attempt {

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
      {{planned.entry, "", trial.attempt.rows}}, "standard", "float", check::Plan().seed));
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace nbody::attempt
