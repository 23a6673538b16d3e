#include "check/subject.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <limits>

#include "check/patience.hpp"

namespace nbody::check {
namespace {

using protocol::SessionError;

const char* const not_in_time = "not checked: an earlier request got no answer in time";
const char* const dies_always = "not checked: it died ten times in a row";
constexpr int deaths_enough = 10;  // each costs a new start

}  // namespace

bool all_passed(const Rows& rows) {
  return !rows.empty() && std::all_of(rows.begin(), rows.end(), [](const Row& row) {
    return row.verdict == Verdict::passed;
  });
}

Subject::Subject(const ProgramEntry& program, const Tolerance& tolerance, double timeout_s)
    : program_(program),
      session_(program.file, program.arguments,
               {.expected = program.hello, .launcher = program.launcher}),
      precision_(program.precision),
      tolerance_(tolerance),
      timeout_s_(timeout_s) {}

Subject Subject::with_ranks(unsigned ranks) const {
  ProgramEntry program = program_;
  program.launcher.ranks = ranks;
  return Subject(program, tolerance_, timeout_s_);
}

protocol::Request Subject::request_for(const Scene& scene) const {
  protocol::Request request;
  request.precision = precision_;
  request.setting = scene.setting;
  request.bodies = scene.bodies;
  return request;
}

// On a terminal the progress line shows it.
void Subject::tell_waiting(const protocol::Request& request, int seconds) const {
  if (isatty(STDERR_FILENO) != 0) return;
  fmt::print(stderr, "{}: waiting for its answer to N = {}, {} steps: {} s of {:g} s\n",
             program_.file.filename().string(), request.bodies.size(), request.steps, seconds,
             timeout_s_);
}

protocol::Answer Subject::ask(const protocol::Request& request) {
  if (given_up_ != nullptr) throw SessionError(SessionError::Kind::timed_out, given_up_);
  on_ask(request);
  const Patience patience([&](int seconds) { tell_waiting(request, seconds); });
  try {
    protocol::Answer answer = session_.ask(request, timeout_s_);
    deaths_ = 0;
    return answer;
  } catch (const SessionError& fault) {
    deaths_ = fault.kind == SessionError::Kind::crashed ? deaths_ + 1 : 0;
    if (fault.kind == SessionError::Kind::timed_out) given_up_ = not_in_time;
    if (deaths_ == deaths_enough) given_up_ = dies_always;
    throw;
  }
}

Vectors<double> Subject::accelerations(const Scene& scene) {
  protocol::Request request = request_for(scene);
  request.want_accelerations = true;
  return ask(request).accelerations;
}

Subject* Subject::in_double() {
  if (!looked_for_double_ && precision_ == protocol::Precision::single_precision) {
    looked_for_double_ = true;
    if (const auto program = find_double()) {
      in_double_ = std::make_unique<Subject>(
          *program, tolerance_named("double", program->precision), timeout_s_);
      in_double_->on_ask = on_ask;
      in_double_->given_up_ = given_up_;
    }
  }
  return in_double_.get();
}

std::string Subject::debug_commands(std::size_t n) const {
  const std::string part = program_.file.parent_path().filename().string();
  const std::string name = program_.file.filename().string();
  if (has_ranks()) return fmt::format("./lab check {} {} --sanitize names the line", part, name);
  return fmt::format(
      "cmake --preset debug && cmake --build --preset debug --target {0}_{1} && "
      "build/debug/bin/{0}/{1} -n {2} -i 1",
      part, name, n);
}

void note_fault(Row& row, const SessionError& fault, const Subject& subject) {
  row.error = std::numeric_limits<double>::infinity();
  row.verdict = Verdict::failed;
  row.answered = false;
  row.detail = fault.what();
  if (row.detail == not_in_time || row.detail == dies_always) {
    row.verdict = Verdict::not_run;
    return;
  }
  switch (fault.kind) {
    case SessionError::Kind::crashed:
      row.diagnosis = fmt::format("the program died: {}", fault.what());
      row.detail = "where? " + subject.debug_commands(row.n);
      break;
    case SessionError::Kind::timed_out:
      row.diagnosis =
          "no answer in time: a loop that never ends? (./lab check --timeout S waits longer)";
      if (subject.ranks() > 1) {
        row.diagnosis = fmt::format(
            "no answer in time on {} ranks: does each wait for another (a deadlock)? "
            "(./lab check --timeout S waits longer)",
            subject.ranks());
      }
      row.detail = fmt::format("waited {:g} s; nothing more was checked", subject.timeout_s());
      break;
    case SessionError::Kind::malformed_answer:
      row.diagnosis = "what came back is not an answer to the request";
      break;
    case SessionError::Kind::other_program:
      row.diagnosis = "this is not the program to be checked: build it again";
      break;
    case SessionError::Kind::refused:
      row.diagnosis = fmt::format("the program stopped with: {}", fault.what());
      row.detail = "an exception or a refusal instead of an answer";
      break;
    case SessionError::Kind::not_started:
      row.diagnosis = "the program could not be started: build it first";
      break;
  }
}

}  // namespace nbody::check
