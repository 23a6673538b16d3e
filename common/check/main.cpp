#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <iostream>
#include <nlohmann/json.hpp>

#include "check/case.hpp"
#include "check/mistakes/mistake.hpp"
#include "check/plan.hpp"
#include "core/run_main.hpp"

// bin/check: judges simulator programs against the reference. A plan as JSON in the first line of
// standard input, and lines of JSON on standard output: how far it is, and each program's cases as
// soon as all are judged. ./lab makes the plan, the verdicts and the tables (check/ of its Python
// package).
//
// With builds_double, {"builds_double": its place} asks for a program in double when it is needed;
// the answer is a line `true` or `false` on standard input.

namespace nbody::check {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Program, file, double_file, arguments, launcher, ranks, hello,
                                   holds_sums)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Plan, programs, tolerance, precision, seed, seeds, largest_n,
                                   timeout_s, thorough, builds_double)

using Json = nlohmann::json;

static const char* answer_word(const Row& row) {
  if (row.reply == Reply::late) return "late";
  if (row.reply == Reply::missing) return "missing";
  return std::isnan(row.error) ? "not finite" : "given";
}

inline void to_json(Json& json, const Row& row) {
  // JSON has no infinity: what is not finite becomes null.
  json = {{"group", name_of(shown_in(row))},
          {"scene", row.scene},
          {"n", row.n},
          {"seed", row.seed},
          {"error", row.error},
          {"limit", row.limit},
          {"verdict", row.verdict == Verdict::passed ? "passed" : "failed"},
          {"answer", answer_word(row)},
          {"detail", row.detail},
          {"mistake", row.cause.mistake},
          {"diagnosis", row.cause.sentence}};
}

namespace {

// The text of a submission may contain any bytes.
void write_line(const Json& line) {
  fmt::print("{}\n", line.dump(-1, ' ', false, Json::error_handler_t::replace));
  std::fflush(stdout);
}

// The wrong program of a row of the table of mistakes: what it must be recognised as; else empty.
std::string made_mistake(const Program& program) {
  if (program.arguments.size() != 2 || program.arguments[0] != "--mistake") return "";
  const Mistake* mistake = mistake_named(program.arguments[1]);
  return mistake == nullptr ? "" : mistake->seen_as();
}

void check_one(Plan plan, std::size_t place) {
  const Program& program = plan.programs[place];
  Subject subject(program, tolerance_named(plan.tolerance, program.precision), plan.timeout_s);
  if (plan.builds_double) {
    subject.builds_double = [&] {
      write_line({{"builds_double", place}});
      std::string answer;
      std::getline(std::cin, answer);
      return answer == "true";
    };
  }
  plan.on_row = [&](const Row& row, std::size_t done, std::size_t all) {
    write_line({{"program", place}, {"done", done}, {"all", all}, {"case", row}});
  };
  std::vector<std::string> left_out;
  plan.on_left_out = [&](const std::string& what) { left_out.push_back(what); };
  if (!plan.thorough) {
    plan.on_left_out(fmt::format(
        "more than {} bodies, memory leaks, rare races: --thorough checks these too", many_to));
  }
  const Rows rows = check_everything(subject, plan);
  const Row* telling = most_informative_row(rows);
  write_line(
      {{"program", place},
       {"tolerance", subject.tolerance().name},
       {"force_limit", subject.tolerance().force},
       {"expect", made_mistake(program)},
       {"most_informative_case", telling == nullptr ? Json(nullptr) : Json(telling - rows.data())},
       {"left_out", left_out},
       {"cases", rows}});
}

int run() {
  std::string text;
  std::getline(std::cin, text);
  Plan plan = Json::parse(text).get<Plan>();
  const bool in_double = plan.precision == "double";
  for (Program& program : plan.programs) {
    program.precision = in_double ? Precision::double_precision : Precision::single_precision;
  }
  for (std::size_t k = 0; k < plan.programs.size(); ++k) check_one(plan, k);
  return 0;
}

}  // namespace
}  // namespace nbody::check

int main() { return nbody::run_main("check", nbody::check::run); }
