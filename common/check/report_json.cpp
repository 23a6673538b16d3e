#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "check/case_tables.hpp"
#include "check/report.hpp"

namespace nbody::check {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no infinity: what is not finite is null.
Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

// What is wrong, in one sentence; empty if nothing is.
std::string sentence_of(const Rows& rows) {
  const Row* telling = most_informative_row(rows);
  if (telling == nullptr) return "";
  if (!telling->diagnosis.empty()) return telling->diagnosis;
  if (!telling->detail.empty()) return telling->detail;
  return fmt::format("{}: {} of {} bodies", name_of(telling->group), telling->scene, telling->n);
}

const char* verdict_word(Verdict verdict) {
  return verdict == Verdict::passed ? "passed" : verdict == Verdict::failed ? "failed" : "not run";
}

}  // namespace

std::string json_text(const std::vector<CheckResult>& results, const std::string& tolerance,
                      const std::string& precision, unsigned long long seed) {
  Json json = {{"tolerance", tolerance}, {"precision", precision}, {"seed", seed}};
  json["implementations"] = Json::array();
  for (const CheckResult& result : results) {
    Json cases = Json::array();
    for (const Row& row : result.rows) {
      cases.push_back({{"group", name_of(shown_in(row))},
                       {"scene", row.scene},
                       {"n", row.n},
                       {"seed", row.seed},
                       {"error", number_or_null(row.error)},
                       {"limit", number_or_null(row.limit)},
                       {"verdict", verdict_word(row.verdict)},
                       {"detail", row.detail},
                       {"diagnosis", row.diagnosis}});
    }
    json["implementations"].push_back(
        {{"part", result.entry.part},
         {"name", result.entry.name},
         {"verdict", verdict_of(result)},
         {"as_expected", as_expected(result)},
         {"sentence", sentence_of(result.rows)},
         {"worst_share_of_limit", number_or_null(worst_share(result.rows))},
         {"cases", cases}});
  }
  // The text of a submission may contain any bytes.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace nbody::check
