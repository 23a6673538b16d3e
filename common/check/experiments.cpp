#include "check/experiments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <optional>

#include "check/error_measure.hpp"
#include "check/judge.hpp"
#include "check/rerun.hpp"
#include "check/splits.hpp"
#include "core/units.hpp"

namespace nbody::check {
namespace {

// Races, memory that was never written and places beyond an array's end: which of them shows is
// chance, so they have one name.
constexpr const char* undefined_behaviour = "undefined_behaviour";

constexpr int repeats = 6;                 // of a request whose answer may change
constexpr int starts = 2;                  // of the program, to be sure
constexpr int again = 3;                   // times that a request is repeated
constexpr std::size_t earlier = 5;         // requests that are repeated before it
constexpr std::size_t most_bodies = 1100;  // of a request that is repeated before it
constexpr std::uint64_t most_steps = 200;

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

const Cause kept = {
    "kept",
    "right in a program that has just started, wrong after other requests: something is kept from "
    "an earlier problem, such as a static or global variable, or a buffer that is not cleared"};
const Cause kept_and_changes = {
    "kept",
    "the same request gave two different answers, a right one in a program that has just started: "
    "something is kept from an earlier request, such as a static or global variable, or a buffer "
    "that is not cleared"};
const Cause never_written = {
    undefined_behaviour,
    "right in a program that has just started, wrong where memory is used again: memory is read "
    "before it is written, or beyond an array's end; ./lab check PART NAME --sanitize names the "
    "line"};

bool is_right(const Subject& subject, const Case& test, const Answer& answer) {
  Row row;
  judge(test, answer, subject.tolerance(), row);
  return row.verdict == Verdict::passed;
}

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
  // A body alone feels nothing, or the same as any other.
  if (got.size() < 2 || earlier.size() < got.size()) return {};
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

// Is it right each of several times? Other threads or ranks than the case's may be asked for.
bool always_right(Subject& subject, const Case& test, const Request& request) {
  for (int repeat = 0; repeat < repeats / 2; ++repeat) {
    try {
      if (!is_right(subject, test, subject.ask(request))) return false;
    } catch (const SessionError&) {
      return false;
    }
  }
  return true;
}

// While it lives, new programs find memory that is not zero where they have not written: the C
// library fills what is allocated with a byte. Where it does not know this, or the program gets no
// environment (./lab grade), nothing changes.
class SpoiltMemory {
 public:
  SpoiltMemory() {
    if (const char* value = std::getenv(variable)) before_ = value;
    ::setenv(variable, "165", 1);
  }
  ~SpoiltMemory() {
    if (before_) {
      ::setenv(variable, before_->c_str(), 1);
    } else {
      ::unsetenv(variable);
    }
  }
  SpoiltMemory(const SpoiltMemory&) = delete;
  SpoiltMemory& operator=(const SpoiltMemory&) = delete;

 private:
  static constexpr const char* variable = "MALLOC_PERTURB_";
  std::optional<std::string> before_;
};

// The answers of a new program to the same request, `times` in a row, after those `before`.
std::vector<Answer> answers_of_a_new_one(const Subject& subject, const Case& test, int times,
                                         const std::vector<const Case*>& before = {}) {
  const auto fresh = subject.started_with(test.ranks, test.block);
  fresh->on_ask = subject.on_ask;
  for (const Case* one : before) fresh->ask(one->request);
  std::vector<Answer> answers;
  for (int k = 0; k < times; ++k) answers.push_back(fresh->ask(test.request));
  return answers;
}

bool right_when_new(const Subject& subject, const Case& test) {
  return is_right(subject, test, answers_of_a_new_one(subject, test, 1).front());
}

// What was asked before it, the largest first, which leaves most behind.
std::vector<const Case*> asked_before(const Record& record, const Failure& failure) {
  std::vector<const Case*> before(record.asked.begin(), record.asked.begin() + failure.place);
  std::erase_if(before, [&](const Case* one) {
    return one->n() > most_bodies || one->request.steps > most_steps ||
           one->block != failure.test->block || one->ranks != failure.test->ranks;
  });
  if (before.size() <= earlier) return before;
  const auto largest = std::max_element(
      before.begin(), before.end(), [](const Case* a, const Case* b) { return a->n() < b->n(); });
  std::vector<const Case*> some = {*largest};
  some.insert(some.end(), before.end() - earlier, before.end());
  return some;
}

// Answers that differ because of a race differ in another way each time. What is kept depends on
// what was asked: two new programs that are asked the same are wrong alike.
bool wrong_alike(const Subject& subject, const Record& record, const Failure& failure) {
  const Case& test = *failure.test;
  const auto before = asked_before(record, failure);
  const auto one = answers_of_a_new_one(subject, test, again, before);
  const auto other = answers_of_a_new_one(subject, test, again, before);
  bool wrong = false;
  for (std::size_t k = 0; k < one.size(); ++k) {
    if (!same_answer(test, one[k], other[k], subject.tolerance())) return false;
    if (!is_right(subject, test, one[k])) wrong = true;
  }
  return wrong;
}

// Is it right in a program that has just started? Then something is left of an earlier request.
Cause about_kept(const Subject& subject, const Record& record, const Failure& failure,
                 bool answers_change) {
  const Case& test = *failure.test;
  try {
    for (int k = 0; k < starts; ++k) {
      if (!right_when_new(subject, test)) return {};
    }
    const SpoiltMemory spoilt;
    if (!right_when_new(subject, test)) return answers_change ? Cause() : never_written;
    if (!answers_change) return kept;
    return wrong_alike(subject, record, failure) ? kept_and_changes : Cause();
  } catch (const SessionError&) {
    return {};  // it died, which has a sentence of its own
  }
}

}  // namespace

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
                    const std::vector<const Failure*>& failures, const Patience& patience,
                    Row& row) {
  if (patience.is_over()) return {};
  const Case& test = *failure.test;
  // With ranks or a block of its own it was another process that answered.
  const bool elsewhere = test.ranks != 0 || test.block != 0;
  const auto other = elsewhere ? subject.started_with(test.ranks, test.block) : nullptr;
  if (other) other->on_ask = subject.on_ask;
  Request request = test.request;
  row.answers_change = answers_change(other ? *other : subject, failure, request);
  if (test.ranks != 0) return row.answers_change ? changes_on_ranks : Cause();
  if (patience.is_over()) return {};
  const Cause kept = about_kept(subject, record, failure, row.answers_change);
  if (kept.is_known()) return kept;
  if (subject.has_ranks()) return row.answers_change ? changes_on_ranks : Cause();
  if (record.has_kernels) return row.answers_change ? race : Cause();
  request.threads = 1;
  const bool right_on_one = always_right(subject, test, request);
  if (row.answers_change) return right_on_one ? race : changes_on_one_thread;
  return right_on_one && test.request.threads != 1
             ? about_sharing(Among::threads, test.request.threads, "one", failures)
             : Cause();
}

Cause about_one_rank(const Subject& subject, const std::vector<const Failure*>& failures) {
  const Case& test = *failures.front()->test;
  if (!subject.has_ranks() || subject.ranks() == 1 || test.ranks != 0) return {};
  if (!always_right(*subject.started_with(1, test.block), test, test.request)) return {};
  return about_sharing(Among::ranks, subject.ranks(), "one", failures);
}

Cause about_float(Subject& subject, const Failure& failure, double error) {
  constexpr double some_digits = 1e-2;
  const Case& test = *failure.test;
  try {
    Subject* twin = subject.in_double();
    if (twin == nullptr || !is_right(subject, test, twin->ask(test.request))) return {};
  } catch (const SessionError&) {
    return {};
  }
  const std::vector<double>& x = failure.answer.accelerations.x;
  if (std::all_of(x.begin(), x.end(), is_nan)) {
    return {"guard",
            "right in double, NaN for every body in float: 0/0 where a body meets itself? A "
            "constant like 1e-50 is 0 in float"};
  }
  if (!(error <= some_digits)) {
    return {"range",
            "right in double: in float a product leaves its range (G*m*m? the distance to the "
            "sixth?)"};
  }
  return {"digits",
          fmt::format("right in double, in float only to about {:.0f} digits: a root with too few "
                      "Newton steps, or digits that cancel (r^2 from |a|^2 + |b|^2 - 2 a.b, "
                      "positions that are moved first)?",
                      -std::log10(error))};
}

}  // namespace nbody::check
