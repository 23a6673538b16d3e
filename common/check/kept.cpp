#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>

#include "check/evidence.hpp"
#include "check/hypotheses.hpp"
#include "check/judge.hpp"

// Is the answer right in a program that has just started? Then what is wrong comes from before.

namespace nbody::check {
namespace {

constexpr int starts = 2;           // of the program, to be sure
constexpr int again = 3;            // times that a request is repeated
constexpr std::size_t earlier = 5;  // requests that are repeated before it

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

bool is_right(const Subject& subject, const Case& test, const Answer& answer) {
  Row row;
  judge(test, answer, subject.tolerance(), row);
  return row.verdict == Verdict::passed;
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

}  // namespace

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

}  // namespace nbody::check
