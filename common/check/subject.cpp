#include "check/subject.hpp"

#include <algorithm>
#include <limits>

namespace nbody {
namespace {

const char* const not_asked = "not asked: three earlier requests got no answer in time";

}  // namespace

bool all_passed(const Rows& rows) {
  return !rows.empty() && std::all_of(rows.begin(), rows.end(), [](const Row& row) {
    return row.verdict == Verdict::passed;
  });
}

Subject::Subject(const std::string& program, Precision precision, const Tolerance& tolerance,
                 double timeout_s)
    : session_(program), precision_(precision), tolerance_(tolerance), timeout_s_(timeout_s) {}

Request Subject::request_for(const Scene& scene) const {
  Request request;
  request.precision = precision_;
  request.setting = scene.setting;
  request.bodies = scene.bodies;
  return request;
}

Answer Subject::ask(const Request& request) {
  if (given_up()) {
    throw SessionError(SessionError::Kind::timed_out, not_asked);
  }
  try {
    return session_.ask(request, timeout_s_);
  } catch (const SessionError& fault) {
    if (fault.kind == SessionError::Kind::timed_out) ++timeouts_;
    throw;
  }
}

std::optional<Answer> Subject::ask_in_double(Request request) {
  request.precision = Precision::double_precision;
  try {
    return ask(request);
  } catch (const SessionError&) {
    return std::nullopt;
  }
}

void note_fault(Row& row, const SessionError& fault) {
  row.error = std::numeric_limits<double>::infinity();
  row.verdict = Verdict::failed;
  row.detail = fault.what();
  if (row.detail == not_asked) {
    row.verdict = Verdict::not_run;
    return;
  }
  switch (fault.kind) {
    case SessionError::Kind::crashed:
      row.diagnosis = "the program died: run it by hand, or build with the debug preset";
      break;
    case SessionError::Kind::timed_out:
      row.diagnosis = "no answer in time: a loop that never ends? (--timeout S waits longer)";
      break;
    case SessionError::Kind::foreign_answer:
      row.diagnosis = "what came back is no answer to the request";
      break;
    case SessionError::Kind::refused:
      row.diagnosis = "the program refused the bodies";
      break;
    case SessionError::Kind::not_started:
      row.diagnosis = "the program could not be started: build it first";
      break;
  }
}

}  // namespace nbody
