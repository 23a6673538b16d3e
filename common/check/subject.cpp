#include "check/subject.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <limits>

namespace nbody::check {
namespace {

// What a std::vector holds is aligned for its numbers only, not for a whole register of them.
constexpr const char* usual_segfaults =
    ": did it go beyond the end of an array, or use load_aligned or store_aligned at an address "
    "that is not aligned (then load_unaligned, or an AlignedVector)?";
constexpr int faults_enough = 10;  // each costs a new start, and tells no more

}  // namespace

std::string name_of(Group group) {
  // In the order of the enumeration.
  static const char* const names[] = {"forces",      "exact cases", "steps", "adaptive step",
                                      "integrators", "threads",     "ranks", "many bodies",
                                      "long use",    "in double"};
  return names[static_cast<std::size_t>(group)];
}

bool all_passed(const Rows& rows) {
  return !rows.empty() && std::all_of(rows.begin(), rows.end(), [](const Row& row) {
    return row.verdict == Verdict::passed;
  });
}

Subject::Subject(const Program& program, const Tolerance& tolerance, double timeout_s)
    : program_(program),
      session_(program.file, program.arguments,
               {.precision = program.precision,
                .hello = program.hello,
                .launcher = {program.launcher, program.ranks}}),
      tolerance_(tolerance),
      timeout_s_(timeout_s) {}

std::unique_ptr<Subject> Subject::started_with(unsigned ranks, unsigned block) const {
  Program program = program_;
  if (ranks > 0) program.ranks = ranks;
  if (block > 0) {
    program.arguments.insert(program.arguments.end(), {"--block", std::to_string(block)});
  }
  return std::make_unique<Subject>(program, tolerance_, timeout_s_);
}

Answer Subject::ask(const Request& request) {
  using Kind = SessionError::Kind;
  if (given_up_) throw SessionError(Kind::late, "earlier requests got no answer");
  try {
    Answer answer = session_.ask(request, timeout_s_);
    faults_ = 0;
    return answer;
  } catch (const SessionError& fault) {
    if (fault.kind == Kind::unsupported) throw;
    given_up_ = fault.kind == Kind::late || ++faults_ == faults_enough;
    throw;
  }
}

Subject* Subject::in_double() {
  if (!looked_for_double_) {
    looked_for_double_ = true;
    if (!program_.double_file.empty() && builds_double()) {
      Program program = program_;
      program.file = program_.double_file;
      program.precision = Precision::double_precision;
      in_double_ = std::make_unique<Subject>(program, tolerance_named("double", program.precision),
                                             timeout_s_);
    }
  }
  return in_double_.get();
}

void note_fault(Row& row, const SessionError& fault, const Subject& subject) {
  row.error = std::numeric_limits<double>::infinity();
  row.reply = fault.kind == SessionError::Kind::late ? Reply::late : Reply::missing;
  row.detail = fault.what();
  switch (fault.kind) {
    case SessionError::Kind::died:
      row.cause = {"died", "the program died: " + row.detail};
      row.detail = "the program ended instead of answering";
      if (fault.signal == SIGSEGV) row.cause.sentence += usual_segfaults;
      if (fault.signal != 0)
        row.cause.sentence += "; ./lab check PART NAME --sanitize names the line";
      break;
    case SessionError::Kind::late: {
      const bool several = subject.ranks() > 1;
      const auto why = several
                           ? fmt::format(" on {} ranks: does each wait for another (a deadlock)",
                                         subject.ranks())
                           : ": a loop that never ends";
      row.cause = {several ? "deadlock" : "late",
                   fmt::format("no answer in time{}? (./lab check --timeout S waits longer)", why)};
      row.detail = fmt::format("waited {:g} s; nothing more was checked", subject.timeout_s());
      break;
    }
    case SessionError::Kind::malformed:
      row.cause = {"malformed_answer", "what came back is not an answer to the request"};
      break;
    case SessionError::Kind::refused:
    case SessionError::Kind::unsupported:
      row.cause = {"stopped", fmt::format("the program stopped with: {}", fault.what())};
      row.detail = "an exception or a refusal instead of an answer";
      break;
  }
}

}  // namespace nbody::check
