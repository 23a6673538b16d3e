#include "check/experiments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "check/judge.hpp"
#include "check/rerun.hpp"
#include "check/splits.hpp"
#include "core/units.hpp"

namespace nbody::check {
namespace {

// Races, memory that was never written and places beyond an array's end: which of them shows is
// chance, so they have one name.
const Cause race = {
    "undefined_behaviour",
    "the same request gave two different answers: threads write to the same place without "
    "synchronisation (a data race), or memory is read before it is written or beyond an array's "
    "end; ./lab check PART NAME --sanitize names the line"};
const Cause never_written = {
    race.mistake,
    "right in a program that has just started, wrong where memory is used again: memory is read "
    "before it is written, or beyond an array's end; ./lab check PART NAME --sanitize names the "
    "line"};
const Cause changes_on_ranks = {
    "message_buffer",
    "the same request gave two different answers: is the buffer of a message changed before the "
    "message has left, or read before it has arrived? Are messages of several ranks mixed up, or "
    "do threads of one rank write to the same place?"};
const Cause kept = {
    "kept",
    "right in a program that has just started, wrong after other requests: something is kept from "
    "an earlier one, such as a static or global variable, or a buffer that is not cleared"};
// The answers to the same request, `times` in a row; fewer, if it dies, which has a sentence of its
// own.
std::vector<Answer> answers_of(Subject& subject, const Request& request, int times) {
  std::vector<Answer> answers;
  try {
    while (times-- > 0) answers.push_back(subject.ask(request));
  } catch (const SessionError&) {
  }
  return answers;
}

// Is it right each of several times? Other threads or ranks than the case's may be asked for.
bool always_right(Subject& subject, const Case& test, const Request& request) {
  const std::vector<Answer> answers = answers_of(subject, request, 3);
  return answers.size() == 3 && std::all_of(answers.begin(), answers.end(), [&](const Answer& a) {
           return is_right(subject.tolerance(), test, a);
         });
}

// Answers of a program that has just started. With `spoilt` memory it finds a byte where it has not
// written: the C library fills what is allocated. Where it does not know this, or the program gets
// no environment (./lab grade), nothing changes.
std::vector<Answer> answers_when_new(const Subject& subject, const Case& test, int times,
                                     bool spoilt, const std::vector<const Case*>& before = {}) {
  constexpr const char* variable = "MALLOC_PERTURB_";
  const char* value = std::getenv(variable);
  const std::optional<std::string> usual = value ? std::optional<std::string>(value) : std::nullopt;
  if (spoilt) ::setenv(variable, "165", 1);
  const auto fresh = subject.started_with(test.ranks, test.block);
  for (const Case* earlier : before) answers_of(*fresh, earlier->request, 1);
  std::vector<Answer> answers = answers_of(*fresh, test.request, times);
  if (spoilt) usual ? ::setenv(variable, usual->c_str(), 1) : ::unsetenv(variable);
  return answers;
}

bool right_when_new(const Subject& subject, const Case& test, bool spoilt) {
  const std::vector<Answer> answers = answers_when_new(subject, test, 1, spoilt);
  return !answers.empty() && is_right(subject.tolerance(), test, answers.front());
}

// Answers that differ because of a race differ in another way each time. What is kept depends on
// what was asked: two new programs that are asked the same are wrong alike.
bool wrong_alike(const Subject& subject, const Record& record, const Failure& failure) {
  constexpr std::ptrdiff_t earlier = 6;  // requests that are repeated before it
  const Case& test = *failure.test;
  std::vector<const Case*> before(
      record.asked.begin(), record.asked.begin() + static_cast<std::ptrdiff_t>(failure.place));
  std::erase_if(before, [&](const Case* one) {
    return one->n() > 1100 || one->request.steps > 200 || one->block != test.block;
  });
  if (std::ssize(before) > earlier) before.erase(before.begin(), before.end() - earlier);
  const auto one = answers_when_new(subject, test, 3, false, before);
  const auto other = answers_when_new(subject, test, 3, false, before);
  bool wrong = false;
  for (std::size_t k = 0; k < std::min(one.size(), other.size()); ++k) {
    if (!same_answer(test, one[k], other[k], subject.tolerance())) return false;
    wrong = wrong || !is_right(subject.tolerance(), test, one[k]);
  }
  return wrong;
}

}  // namespace

bool is_right(const Tolerance& tolerance, const Case& test, const Answer& answer) {
  Row row;
  judge(test, answer, tolerance, row);
  return row.verdict == Verdict::passed;
}

Cause about_repeats(Subject& subject, const Record& record, const Failure& failure,
                    const std::vector<const Failure*>& failures, Row& row) {
  const Case& test = *failure.test;
  // With ranks or a block of its own it was another process that answered.
  const bool elsewhere = test.ranks != 0 || test.block != 0;
  const auto other = elsewhere ? subject.started_with(test.ranks, test.block) : nullptr;
  for (const Answer& again : answers_of(other ? *other : subject, test.request, 6)) {
    if (same_answer(test, again, failure.answer, subject.tolerance())) continue;
    row.answers_change = true;
    break;
  }
  const bool changes = row.answers_change;
  if (test.ranks != 0) return changes ? changes_on_ranks : Cause();
  if (right_when_new(subject, test, false) && right_when_new(subject, test, false)) {
    const bool spoilt_too = right_when_new(subject, test, /*spoilt=*/true);
    if (!changes) return spoilt_too ? kept : never_written;
    if (spoilt_too && wrong_alike(subject, record, failure)) return kept;
  }
  if (changes) return subject.has_ranks() ? changes_on_ranks : race;
  if (subject.has_ranks() || record.has_kernels || test.request.threads == 1) return {};
  Request on_one = test.request;
  on_one.threads = 1;
  if (!always_right(subject, test, on_one)) return {};
  return about_sharing(Among::threads, test.request.threads, failures);
}

Cause about_one_rank(const Subject& subject, const std::vector<const Failure*>& failures) {
  const Case& test = *failures.front()->test;
  if (!subject.has_ranks() || subject.ranks() == 1 || test.ranks != 0) return {};
  if (!always_right(*subject.started_with(1, test.block), test, test.request)) return {};
  return about_sharing(Among::ranks, subject.ranks(), failures);
}

Cause right_in_double(Subject& subject, const Failure& failure, double error) {
  Subject* twin = subject.in_double();
  if (twin == nullptr) return {};
  const std::vector<Answer> answers = answers_of(*twin, failure.test->request, 1);
  if (answers.empty() || !is_right(subject.tolerance(), *failure.test, answers.front())) return {};
  if (!(error <= 1e-2)) {
    return {"range",
            "right in double: in float a number leaves its range (G*m*m? the distance to the "
            "sixth? a constant like 1e-50 against 0/0, which is 0?)"};
  }
  return {"digits",
          fmt::format("right in double, in float only to about {:.0f} digits: a root with too few "
                      "Newton steps, or digits that cancel (r^2 from |a|^2 + |b|^2 - 2 a.b, "
                      "positions that are moved first)?",
                      -std::log10(error))};
}

}  // namespace nbody::check
