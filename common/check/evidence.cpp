#include "check/evidence.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "check/error_measure.hpp"
#include "check/hypotheses.hpp"
#include "check/judge.hpp"
#include "check/step_bounds.hpp"
#include "core/units.hpp"

namespace nbody::check {
namespace {

constexpr int repeats = 6;  // of a request whose answer may change
const Cause race = {
    undefined_behaviour,
    "the same request gave two different answers: threads write to the same place without "
    "synchronisation (a data race), or memory is read before it is written or beyond an array's "
    "end; ./lab check PART NAME --sanitize names the line"};
const Cause changes_on_one_thread = {
    undefined_behaviour,
    "the same request gave two different answers, on one thread, too: memory is read before it is "
    "written, or beyond an array's end; ./lab check PART NAME --sanitize names the line"};
const Cause changes_on_ranks = {
    "message_buffer",
    "the same request gave two different answers: is the buffer of a message changed before the "
    "message has left, or read before it has arrived? Are messages of several ranks mixed up, or "
    "do threads of one rank write to the same place?"};

bool same_working_numbers(const Case& now, const Vectors<double>& got, const Case& then,
                          const Vectors<double>& earlier) {
  const auto unit_of = [](const Case& test) {
    return Units::for_bodies(test.request.bodies, test.request.setting.G)
        .acceleration_to_si({{1}, {0}, {0}})
        .x.front();
  };
  const double scale = unit_of(now) / unit_of(then);
  for (std::size_t i = 0; i < got.size(); ++i) {
    const double miss = length(got.x[i] - scale * earlier.x[i], got.y[i] - scale * earlier.y[i],
                               got.z[i] - scale * earlier.z[i]);
    if (!(miss <= 1e-6 * length(got, i)) || length(got, i) == 0) return false;
  }
  return true;
}

Cause about_earlier_request(const Failure& failure, const Case& then,
                            const Vectors<double>& earlier) {
  const Case& now = *failure.test;
  if (then.request.bodies == now.request.bodies) return {};  // rightly the same
  const State& state = failure.answer.states.front();
  const State sent = state_of(then.request.bodies);
  if (now.request.steps == 0 && state.position == sent.position &&
      state.velocity == sent.velocity) {
    return {"earlier_answer", "this is the answer to an earlier request"};
  }
  const Vectors<double>& got = failure.answer.accelerations;
  if (got.size() == 0 || earlier.size() < got.size()) return {};
  if (!same_working_numbers(now, got, then, earlier)) return {};
  return {"earlier_answer",
          "these are the accelerations of an earlier request: something static is not reset"};
}

bool answers_change(Subject& subject, const Failure& failure, const Request& request) {
  for (int repeat = 0; repeat < repeats; ++repeat) {
    try {
      const Answer answer = subject.ask(request);
      if (!same_answer(*failure.test, answer, failure.answer, subject.tolerance())) return true;
    } catch (const SessionError&) {
      return false;
    }
  }
  return false;
}

}  // namespace

bool always_right(Subject& subject, const Case& test, const Request& request) {
  for (int repeat = 0; repeat < repeats / 2; ++repeat) {
    try {
      Row row;
      judge(test, subject.ask(request), subject.tolerance(), row);
      if (row.verdict != Verdict::passed) return false;
    } catch (const SessionError&) {
      return false;
    }
  }
  return true;
}

Cause about_earlier_requests(const Record& record, const std::vector<const Failure*>& sample) {
  for (const Failure* failure : sample) {
    for (std::size_t k = 0; k < std::min(failure->asked, record.answers.size()); ++k) {
      const auto& [then, earlier] = record.answers[k];
      const Cause cause = about_earlier_request(*failure, *then, earlier);
      if (cause.is_known()) return cause;
    }
  }
  return {};
}

Cause about_repeats(Subject& subject, const Record& record, const Failure& failure,
                    const std::vector<const Failure*>& failures, Row& row) {
  const Case& test = *failure.test;
  // With ranks or a block of its own it was another process that answered.
  const bool elsewhere = test.ranks != 0 || test.block != 0;
  const auto other = elsewhere ? subject.started_with(test.ranks, test.block) : nullptr;
  if (other) other->on_ask = subject.on_ask;
  Request request = test.request;
  row.answers_change = answers_change(other ? *other : subject, failure, request);
  if (test.ranks != 0) return row.answers_change ? changes_on_ranks : Cause();
  const Cause kept = about_kept(subject, record, failure, row.answers_change);
  if (kept.is_known()) return kept;
  if (subject.has_ranks()) return row.answers_change ? changes_on_ranks : Cause();
  if (record.has_kernels) return row.answers_change ? race : Cause();
  request.threads = 1;
  const bool right_on_one = always_right(subject, test, request);
  if (row.answers_change) return right_on_one ? race : changes_on_one_thread;
  return right_on_one && test.request.threads != 1 ? about_number_of_threads(test, failures)
                                                   : Cause();
}

// Forces only: where few bodies fail, does one lack as much as half of a pull of average size?
Cause about_little(const std::vector<const Failure*>& failures, const Rows& rows) {
  constexpr double little = 3e-2;
  const std::size_t fewest = failures.front()->test->n();
  for (const Failure* failure : failures) {
    const std::size_t n = failure->test->n();
    const double error = rows[failure->row].error;
    if (failure->test->group != Group::forces || !(error < little)) return {};
    if (n < 2 * fewest && 2 * error * static_cast<double>(n) >= 1) return {};
  }
  return {
      "nearly_right",
      "nearly right: is what is far away taken together, as in a tree, or a root estimated with "
      "too few steps?"};
}

Cause about_digits(const std::vector<const Failure*>& failures,
                   const std::vector<const Case*>& passed, const Rows& rows) {
  constexpr double digits = 2e-3;
  std::size_t of_two_or_three = 0;
  for (const Failure* failure : failures) {
    if (failure->test->group != Group::forces) return {};
    if (failure->test->n() > 3) continue;
    if (!(rows[failure->row].error < digits)) return {};
    ++of_two_or_three;
  }
  if (of_two_or_three < 3 || failures.size() < 3 * passed.size()) return {};
  return {"eleven_bits",
          "right to about 3 digits with two or three bodies, with many bodies hardly at all: are "
          "squared "
          "distances made of numbers with 11 bits (half precision, TF32)?"};
}

}  // namespace nbody::check
