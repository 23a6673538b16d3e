#include "protocol/session.hpp"

#include <algorithm>
#include <csignal>
#include <system_error>
#include <utility>

#include "protocol/child_process.hpp"
#include "protocol/exchange.hpp"
#include "protocol/printable.hpp"

namespace nbody {
namespace {

using Kind = SessionError::Kind;

// A program that has lost its input should end by itself within this time.
constexpr auto time_to_leave = std::chrono::seconds(1);

Clock::time_point after(double seconds) {
  constexpr double longest = 1e8;  // three years: no overflow for an infinite timeout
  const double bounded = seconds > 0 ? std::min(seconds, longest) : 0;
  return Clock::now() +
         std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(bounded));
}

// Writing to a program that has ended must be an error here, not the end of this process.
void ignore_broken_pipes() {
  struct sigaction current {};
  ::sigaction(SIGPIPE, nullptr, &current);
  if (current.sa_handler == SIG_DFL) std::signal(SIGPIPE, SIG_IGN);
}

}  // namespace

Session::Session(std::filesystem::path program, std::vector<std::string> arguments)
    : program_(std::move(program)), arguments_(std::move(arguments)) {
  arguments_.insert(arguments_.begin(), "--serve");
  ignore_broken_pipes();
}

Session::~Session() { stop(true); }

void Session::start() {
  diagnostics_.clear();
  try {
    child_ = std::make_unique<ChildProcess>(program_.string(), arguments_);
  } catch (const std::system_error& fault) {
    throw SessionError(Kind::not_started, "cannot start " + printable(program_.string()) + ": " +
                                              fault.code().message());
  }
}

void Session::stop(bool patiently) {
  if (!child_) return;
  child_->stop(patiently ? Clock::now() + time_to_leave : Clock::now());
  diagnostics_ = child_->diagnostics();
  child_.reset();
}

Answer Session::ask(const Request& request, double timeout_s) {
  if (!child_) start();
  try {
    Exchange exchange(*child_, request, ++last_id_);
    Answer answer = exchange.run(after(timeout_s));
    answer_seconds_ = exchange.answer_seconds();
    return answer;
  } catch (const SessionError& fault) {
    stop(fault.kind == Kind::refused);
    throw;
  } catch (const ProtocolError& fault) {
    stop(false);
    throw SessionError(Kind::foreign_answer, fault.what());
  } catch (...) {
    stop(false);
    throw;
  }
}

std::string Session::diagnostics() const { return child_ ? child_->diagnostics() : diagnostics_; }

}  // namespace nbody
