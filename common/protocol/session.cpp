#include "protocol/session.hpp"

#include <algorithm>
#include <csignal>
#include <system_error>
#include <utility>

#include "protocol/child_process.hpp"
#include "protocol/conversation.hpp"
#include "protocol/frame.hpp"

namespace nbody::protocol {
namespace {

using Kind = SessionError::Kind;

// A program that has lost its input should end by itself within this time.
constexpr auto time_to_leave = std::chrono::seconds(1);

Clock::time_point after(double seconds) {
  constexpr double longest = 1e8;  // three years: an infinite timeout must not overflow
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

Session::Session(std::filesystem::path program, std::vector<std::string> arguments,
                 SessionOptions options)
    : program_(std::move(program)), arguments_(std::move(arguments)), options_(std::move(options)) {
  arguments_.insert(arguments_.begin(), "--serve");
  if (options_.launcher.has_ranks()) {
    options_.transport = Transport::unix_socket;
    options_.expected.ranks = options_.launcher.ranks;
  }
  ignore_broken_pipes();
}

Session::~Session() {
  resume();  // so that it can leave by itself
  stop(true);
}

std::vector<std::string> Session::words_to_start() const {
  std::vector<std::string> words = options_.launcher.filled();
  words.push_back(program_.string());
  words.insert(words.end(), arguments_.begin(), arguments_.end());
  return words;
}

void Session::start() {
  diagnostics_.clear();
  try {
    std::unique_ptr<Listener> listener;
    if (options_.transport == Transport::unix_socket) listener = std::make_unique<Listener>();
    const std::vector<std::string> words = words_to_start();
    child_ = std::make_unique<ChildProcess>(
        words.front(), std::vector<std::string>(words.begin() + 1, words.end()),
        listener ? listener->path() : "");
    conversation_ = std::make_unique<Conversation>(*child_, std::move(listener), options_.expected,
                                                   options_.on_wait);
  } catch (const std::system_error& fault) {
    throw SessionError(Kind::not_started, "cannot start " + safe_line(program_.string()) + ": " +
                                              fault.code().message());
  }
}

void Session::stop(bool patiently) {
  if (!child_) return;
  child_->stop(patiently ? Clock::now() + time_to_leave : Clock::now());
  diagnostics_ = child_->diagnostics();
  conversation_.reset();
  child_.reset();
}

template <typename Action>
void Session::guarded(Action action) {
  try {
    action();
  } catch (const SessionError& fault) {
    if (fault.kind != Kind::unsupported) stop(fault.kind == Kind::refused);
    throw;
  } catch (const ProtocolError& fault) {
    stop(false);
    throw SessionError(Kind::malformed_answer, fault.what());
  } catch (...) {
    stop(false);
    throw;
  }
}

Answer Session::ask(const Request& request, double timeout_s) {
  if (in_flight() > 0) throw std::logic_error("ask() with answers still to be received");
  const Clock::time_point deadline = after(timeout_s);
  send(request);
  return receive(deadline);
}

void Session::send(const Request& request) {
  if (in_flight() == max_requests_ahead) throw std::logic_error("too many requests sent ahead");
  if (!child_) start();
  guarded([&] { conversation_->send(request, ++last_id_); });
}

Answer Session::receive(double timeout_s) { return receive(after(timeout_s)); }

Answer Session::receive(Clock::time_point deadline) {
  if (in_flight() == 0) throw std::logic_error("receive() without a request");
  Answer answer;
  guarded([&] {
    answer = conversation_->receive(deadline);
    answer_seconds_ = conversation_->answer_seconds();
  });
  return answer;
}

void Session::pause() const {
  if (child_) child_->pause();
}

void Session::resume() const {
  if (child_) child_->resume();
}

std::string Session::finish(double timeout_s) {
  if (!child_) return "";
  const std::string ending = child_->stop(after(timeout_s));
  stop(false);
  return ending;
}

std::size_t Session::memory() const { return child_ ? child_->memory() : 0; }

double Session::waited_seconds() const { return child_ ? child_->waited_seconds() : 0; }

double Session::cpu_seconds() const { return child_ ? child_->cpu_seconds() : 0; }

std::size_t Session::in_flight() const { return conversation_ ? conversation_->in_flight() : 0; }

std::optional<Hello> Session::hello() const {
  return conversation_ ? conversation_->hello() : std::nullopt;
}

std::string Session::diagnostics() const { return child_ ? child_->diagnostics() : diagnostics_; }

}  // namespace nbody::protocol
