#include "check/experiments.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "check/judge.hpp"
#include "check/rerun.hpp"

namespace nbody::check {
namespace {

const Cause race = {
    "undefined_behaviour",
    "the same request gave two different answers: threads write to the same place without "
    "synchronisation (a data race), memory is read before it is written or beyond an array's end, "
    "or something is kept from call to call; ./lab check PART NAME --sanitize may name the line"};
const Cause changes_on_ranks = {
    "message_buffer",
    "the same request gave two different answers: is the buffer of a message changed before the "
    "message has left, or read before it has arrived? Are messages of several ranks mixed up, or "
    "do threads of one rank write to the same place?"};
const Cause kept = {
    "kept",
    "right in a program that has just started, wrong after other requests: something is kept from "
    "an earlier one, such as a static or global variable, or a buffer that is not cleared; or "
    "memory is read before it is written or beyond an array's end (./lab check PART NAME "
    "--sanitize names the line)"};

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
bool always_right(Subject& subject, const Case& test, const Request& request, int times) {
  const std::vector<Answer> answers = answers_of(subject, request, times);
  return std::ssize(answers) == times &&
         std::all_of(answers.begin(), answers.end(), [&](const Answer& answer) {
           return is_right(subject.tolerance(), test, answer);
         });
}

bool is_right_when_new(const Subject& subject, const Case& test) {
  const auto is_right_once = [&] {
    return always_right(*subject.started_with(test.ranks, test.block), test, test.request, 1);
  };
  return is_right_once() && is_right_once();
}

// What differs because of a race differs in another way each time, and is right on one thread. What
// is kept depends on what was asked.
bool is_wrong_after_others(const Subject& subject, const Record& record, const Failure& failure) {
  constexpr std::ptrdiff_t enough = 6;  // earlier requests
  const auto end = record.asked.begin() + static_cast<std::ptrdiff_t>(failure.place);
  Passed asked(record.asked.begin(), end);
  std::erase_if(asked, [](const Case* test) {
    return test->n() > 1100 || test->request.steps > 200 || test->block + test->ranks > 0;
  });
  asked.erase(asked.begin(), asked.end() - std::min(enough, std::ssize(asked)));
  const auto fresh = subject.started_with(failure.test->ranks, failure.test->block);
  const auto is_right_on_one = [&](const Case& test) {
    Request on_one = test.request;
    on_one.threads = 1;
    return always_right(*fresh, test, on_one, 1);
  };
  for (const Case* test : asked) is_right_on_one(*test);
  return !is_right_on_one(*failure.test);
}

}  // namespace

bool is_right(const Tolerance& tolerance, const Case& test, const Answer& answer) {
  Row row;
  judge(test, answer, tolerance, row);
  return row.verdict == Verdict::passed;
}

Cause about_asking_again(Subject& subject, const Record& record, const Failure& failure, Row& row) {
  const Case& test = *failure.test;
  // With ranks or a block of its own it was another process that answered.
  const bool elsewhere = test.ranks != 0 || test.block != 0;
  const auto other = elsewhere ? subject.started_with(test.ranks, test.block) : nullptr;
  for (const Answer& again : answers_of(other ? *other : subject, test.request, 6)) {
    const bool same = same_answer(test, again, failure.answer, subject.tolerance()) &&
                      !is_right(subject.tolerance(), test, again);
    row.answers_change = row.answers_change || !same;
  }
  if (subject.has_ranks() && row.answers_change) return changes_on_ranks;
  if (test.ranks != 0) return {};
  if (record.has_kernels && row.answers_change) return race;
  if (is_right_when_new(subject, test) &&
      (!row.answers_change || is_wrong_after_others(subject, record, failure))) {
    return kept;
  }
  if (row.answers_change) return race;
  if (subject.has_ranks() || record.has_kernels || test.request.threads == 1) return {};
  Request on_one = test.request;
  on_one.threads = 1;
  if (!always_right(subject, test, on_one, 3)) return {};
  return {"shared_among_threads",
          fmt::format("the same wrong answer every time on {} threads, right on one: is the "
                      "remainder lost when {} bodies are shared out, a result of a thread "
                      "forgotten, or a thread without bodies?",
                      test.request.threads > 0 ? std::to_string(test.request.threads) : "several",
                      test.n())};
}

bool is_right_on_one_rank(const Subject& subject, const Case& test) {
  return subject.ranks() > 1 && test.ranks == 0 &&
         always_right(*subject.started_with(1, test.block), test, test.request, 3);
}

bool is_right_in_double(Subject& subject, const Case& test) {
  Subject* const twin = subject.in_double();
  if (twin == nullptr) return false;
  const std::vector<Answer> answers = answers_of(*twin, test.request, 1);
  return !answers.empty() && is_right(subject.tolerance(), test, answers.front());
}

}  // namespace nbody::check
