#include <nlohmann/json.hpp>

#include "machine/machine.hpp"
#include "simulator/accelerator.hpp"
#include "work/count_report.hpp"

namespace nbody::work {
namespace {

using Json = nlohmann::ordered_json;

// {"n2": a, "n": b, "1": c, "over": d} stands for (a n^2 + b n + c) / d; null: no polynomial.
Json json_of(const std::optional<Polynomial>& polynomial) {
  if (!polynomial) return nullptr;
  return {{"n2", polynomial->a},
          {"n", polynomial->b},
          {"1", polynomial->c},
          {"over", polynomial->denominator},
          {"text", polynomial->text()}};
}

Json json_of(const WorkCount& count, const WorkPart& part) {
  Json json;
  for (const WorkClass& kind : work_classes()) {
    Json& entry = json[kind.key] = {{"polynomial", json_of(count.polynomial(part, kind))}};
    for (std::size_t k = 0; k < fitted_sizes.size(); ++k) {
      entry["counted"][std::to_string(fitted_sizes[k])] = kind.of(part.of(count.fitted[k]));
    }
    if (count.at_n) entry["counted"][std::to_string(count.n)] = kind.of(part.of(*count.at_n));
  }
  return json;
}

}  // namespace

std::string count_json(const CountedImplementation& implementation, const WorkCount& count) {
  Json json = {{"part", implementation.part},
               {"name", implementation.name},
               {"text", count_text(implementation, count)},
               {"n", count.n},
               {"error", count.error}};
  if (implementation.accelerator != nullptr) {
    json["device"] = implementation.accelerator->description();
    json["date"] = machine::date_today();
  }
  for (const auto& parts : {all_functions(count.fitted.back()), iterations()}) {
    for (const WorkPart& part : parts) json["work"][part.name] = json_of(count, part);
  }
  return json.dump(2) + "\n";
}

}  // namespace nbody::work
