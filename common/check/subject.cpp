#include "check/subject.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <limits>

namespace nbody::check {
namespace {

const char* text_of(GivenUp why) {
  return why == GivenUp::never_answers ? "not checked: an earlier request got no answer in time"
                                       : "not checked: it died ten times in a row";
}
// What a std::vector holds is aligned for its numbers only, not for a whole register of them.
constexpr const char* usual_segfaults =
    ": did it go beyond the end of an array, or use load_aligned or store_aligned at an address "
    "that is not aligned (then load_unaligned, or an AlignedVector)?";
constexpr int deaths_enough = 10;  // each costs a new start
constexpr std::chrono::seconds time_between_words(10);

// As the program's own command line takes them.
std::string options_of(const Request& request) {
  const Setting& setting = request.setting;
  std::string options =
      fmt::format("-n {} -i {}", request.bodies.size(), std::max<std::uint64_t>(1, request.steps));
  if (request.adaptive) options += " --vdt";
  const std::string scheme = request.jerk ? "hermite4" : setting.integrator;
  if (!scheme.empty()) options += " --integrator " + scheme;
  if (request.threads > 0) options += fmt::format(" --threads {}", request.threads);
  return options;
}

Cause no_answer(unsigned ranks) {
  if (ranks == 1) {
    return {"late",
            "no answer in time: a loop that never ends? (./lab check --timeout S waits longer)"};
  }
  return {"deadlock",
          fmt::format("no answer in time on {} ranks: does each wait for another (a deadlock)? "
                      "(./lab check --timeout S waits longer)",
                      ranks)};
}

ExpectedProgram expected_hello(const Program& program) {
  ExpectedProgram expected{program.precision, {}, {}, {}};
  if (program.hello.size() == 3) {
    expected.part = program.hello[0];
    expected.name = program.hello[1];
    expected.instruction_set = program.hello[2];
  }
  return expected;
}

}  // namespace

bool is_unsupported(const SessionError& fault) { return fault.refusal == Refusal::unsupported; }

std::string name_of(Group group) {
  // In the order of the enumeration.
  static const char* const names[] = {"forces",      "exact cases", "steps",    "adaptive step",
                                      "integrators", "jerk",        "threads",  "ranks",
                                      "many bodies", "long use",    "in double"};
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
               {.expected = expected_hello(program),
                .launcher = {program.launcher, program.ranks},
                .on_wait = [this] { tell_waiting(); }}),
      precision_(program.precision),
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

void Subject::tell_waiting() {
  if (std::chrono::steady_clock::now() < next_word_) return;
  next_word_ += time_between_words;
  waited_s_ += static_cast<int>(time_between_words.count());
  on_ask(*asked_, waited_s_);
}

Answer Subject::ask(const Request& asked) {
  using Kind = SessionError::Kind;
  if (given_up_ != GivenUp::no) throw SessionError(Kind::late, text_of(given_up_));
  Request request = asked;
  on_ask(request, 0);
  asked_ = &request;
  asked_options_ = options_of(request);
  waited_s_ = 0;
  next_word_ = std::chrono::steady_clock::now() + time_between_words;
  try {
    Answer answer = session_.ask(request, timeout_s_);
    deaths_ = 0;
    return answer;
  } catch (const SessionError& fault) {
    // An exception in every case tells no more than ten of them.
    const bool died = fault.kind == Kind::died || fault.kind == Kind::refused;
    deaths_ = died && !is_unsupported(fault) ? deaths_ + 1 : 0;
    if (fault.kind == Kind::late) given_up_ = GivenUp::never_answers;
    if (deaths_ == deaths_enough) given_up_ = GivenUp::always_dies;
    throw;
  }
}

Subject* Subject::in_double() {
  if (!looked_for_double_ && precision_ == Precision::single_precision) {
    looked_for_double_ = true;
    if (!program_.double_file.empty() && builds_double()) {
      Program program = program_;
      program.file = program_.double_file;
      program.precision = Precision::double_precision;
      in_double_ = std::make_unique<Subject>(program, tolerance_named("double", program.precision),
                                             timeout_s_);
      in_double_->on_ask = on_ask;
      in_double_->given_up_ = given_up_;
    }
  }
  return in_double_.get();
}

std::string Subject::debug_commands() const {
  const std::filesystem::path file = program_.file;
  const std::string part = file.parent_path().filename().string();
  const std::string name = file.filename().string();
  if (has_ranks()) return fmt::format("./lab check {} {} --sanitize names the line", part, name);
  return fmt::format(
      "cmake --preset debug && cmake --build --preset debug --target {0}_{1} && "
      "build/debug/bin/{0}/{1} {2} {3}",
      part, name, asked_options_, fmt::join(program_.arguments, " "));
}

void note_given_up(Row& row, const Subject& subject) {
  row.error = std::numeric_limits<double>::infinity();
  row.verdict = Verdict::not_run;
  row.reply = Reply::missing;
  row.detail = text_of(subject.given_up());
}

void note_fault(Row& row, const SessionError& fault, const Subject& subject) {
  row.error = std::numeric_limits<double>::infinity();
  row.verdict = Verdict::failed;
  row.reply = fault.kind == SessionError::Kind::late ? Reply::late : Reply::missing;
  row.detail = fault.what();
  switch (fault.kind) {
    case SessionError::Kind::died:
      row.cause = {"died", fmt::format("the program died: {}{}", fault.what(),
                                       fault.signal == SIGSEGV ? usual_segfaults : "")};
      row.detail = "where? " + subject.debug_commands();
      break;
    case SessionError::Kind::late:
      row.cause = no_answer(subject.ranks());
      row.detail = fmt::format("waited {:g} s; nothing more was checked", subject.timeout_s());
      break;
    case SessionError::Kind::malformed:
      row.cause = {"malformed_answer", "what came back is not an answer to the request"};
      break;
    case SessionError::Kind::refused:
      row.cause = {"stopped", fmt::format("the program stopped with: {}", fault.what())};
      row.detail = "an exception or a refusal instead of an answer";
      break;
  }
}

}  // namespace nbody::check
