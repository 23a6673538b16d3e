#include "check/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <tuple>

namespace nbody::check {
namespace {

using Json = nlohmann::ordered_json;

// Smaller is more informative: answers that change, then the group on which the others depend, then
// a row with a diagnosis, then few bodies, but not one alone. A wrong step in a small system has
// several explanations.
auto rank_of(const Row& row) {
  const bool of_steps = row.group != Group::forces && row.group != Group::exact_cases;
  const std::size_t enough = of_steps ? 7 : 2;
  const bool few = row.n < enough;
  return std::tuple(!row.answers_change, row.in_double, row.group, !row.cause.is_known(), few,
                    row.n);
}

// JSON has no infinity: what is not finite is null.
Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

// What is wrong, in one sentence; empty if nothing is.
std::string sentence_of(const Row* telling) {
  if (telling == nullptr) return "";
  if (telling->cause.is_known()) return telling->cause.sentence;
  if (!telling->detail.empty()) return telling->detail;
  return fmt::format("{}: {} of {} bodies", name_of(telling->group), telling->scene, telling->n);
}

const char* verdict_word(Verdict verdict) {
  return verdict == Verdict::passed ? "passed" : verdict == Verdict::failed ? "failed" : "not run";
}

const char* answer_word(const Row& row) {
  switch (row.reply) {
    case Reply::late:
      return "late";
    case Reply::missing:
      return "missing";
    case Reply::given:
      break;
  }
  return std::isnan(row.error) ? "not finite" : "given";
}

Json case_json(const Row& row) {
  return {{"group", name_of(shown_in(row))},
          {"scene", row.scene},
          {"n", row.n},
          {"seed", row.seed},
          {"error", number_or_null(row.error)},
          {"limit", number_or_null(row.limit)},
          {"verdict", verdict_word(row.verdict)},
          {"answer", answer_word(row)},
          {"detail", row.detail},
          {"mistake", row.cause.mistake},
          {"diagnosis", row.cause.sentence}};
}

Json implementation_json(const CheckResult& result) {
  const Row* telling = most_informative_row(result.rows);
  Json cases = Json::array();
  for (const Row& row : result.rows) cases.push_back(case_json(row));
  return {{"part", result.entry.part},
          {"name", result.entry.name},
          {"verdict", verdict_of(result)},
          {"as_expected", as_expected(result)},
          {"sentence", sentence_of(telling)},
          {"worst_share_of_limit", number_or_null(worst_share(result.rows))},
          {"most_informative_case",
           telling == nullptr ? Json(nullptr) : Json(telling - result.rows.data())},
          {"left_out", result.left_out},
          {"cases", cases}};
}

}  // namespace

const Row* most_informative_row(const Rows& rows) {
  const Row* telling = nullptr;
  for (const Row& row : rows) {
    if (row.verdict != Verdict::failed) continue;
    if (telling == nullptr || rank_of(row) < rank_of(*telling)) telling = &row;
  }
  return telling;
}

void name_the_program(Rows& rows, const std::string& part_and_name) {
  const std::string placeholder = "PART NAME";
  for (Row& row : rows) {
    std::string& sentence = row.cause.sentence;
    const auto at = sentence.find(placeholder);
    if (at != std::string::npos) sentence.replace(at, placeholder.size(), part_and_name);
  }
}

bool as_expected(const CheckResult& result) {
  if (!result.skipped.empty()) return true;
  if (result.entry.expect.empty()) return all_passed(result.rows);
  const Row* telling = most_informative_row(result.rows);
  return telling != nullptr && is(telling->cause, result.entry.expect);
}

std::string verdict_of(const CheckResult& result) {
  if (!result.skipped.empty()) return "skipped: " + result.skipped;
  const bool passed = all_passed(result.rows);
  if (result.entry.expect.empty()) return passed ? "passed" : "FAILED";
  if (passed) return "PASSED, but should fail";
  return as_expected(result) ? "fails as expected" : "FAILED, unexpected diagnosis";
}

double worst_share(const Rows& rows) {
  double worst = 0;
  for (const Row& row : rows) {
    const double share = row.error == 0 ? 0 : row.error / row.limit;
    // A comparison would ignore NaN, which is infinitely wrong.
    worst = std::max(worst, std::isnan(share) ? std::numeric_limits<double>::infinity() : share);
  }
  return worst;
}

std::string result_json(const Asked& asked, const std::vector<CheckResult>& results) {
  Json json = {{"tolerance", asked.tolerance.name},
               {"force_limit", asked.tolerance.force},
               {"precision", asked.precision},
               {"seed", asked.seed},
               {"seeds", asked.seeds},
               {"programs", asked.programs}};
  json["implementations"] = Json::array();
  for (const CheckResult& result : results) {
    json["implementations"].push_back(implementation_json(result));
  }
  // The text of a submission may contain any bytes.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace nbody::check
