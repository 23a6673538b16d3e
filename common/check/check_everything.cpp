#include "check/force_diagnosis.hpp"
#include "check/plan.hpp"
#include "check/report.hpp"

namespace nbody::check {

Row& add_row(Rows& rows, const Plan& plan, const Subject& subject, Row row,
             const std::function<void(Row&)>& judge) {
  try {
    judge(row);
  } catch (const protocol::SessionError& fault) {
    note_fault(row, fault, subject);
  }
  plan.on_row(row);
  rows.push_back(std::move(row));
  return rows.back();
}

Rows check_everything(Subject& subject, const Plan& plan) {
  Rows rows;
  for (const auto check : {check_forces, check_exact_cases, check_relations})
    check(subject, plan, rows);
  choose_force_diagnosis(rows);
  for (const auto check : {check_steps, check_schemes, check_adaptive_step, check_conservation,
                           subject.has_ranks() ? check_ranks : check_threads}) {
    check(subject, plan, rows);
  }
  if (plan.thorough) {
    check_many_bodies(subject, plan, rows);
    check_long_use(subject, plan, rows);
  }
  if (!plan.program.empty()) name_the_program(rows, plan.program);
  return rows;
}

}  // namespace nbody::check
