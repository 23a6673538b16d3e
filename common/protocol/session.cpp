#include "protocol/session.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <csignal>
#include <system_error>
#include <utility>

#include "protocol/child_process.hpp"
#include "protocol/keep_memory.hpp"
#include "protocol/require.hpp"
#include "protocol/unix_socket.hpp"

namespace nbody::protocol {
namespace {

using Kind = SessionError::Kind;

// A program that has lost its connection should end by itself within this time.
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

void require_vectors(const char* what, bool sent, bool asked_for) {
  require(!sent || asked_for, "sent {} that were not asked for", what);
  require(sent || !asked_for, "sent no {} though they were asked for", what);
}

}  // namespace

Session::Session(std::filesystem::path program, std::vector<std::string> arguments,
                 SessionOptions options)
    : program_(std::move(program)), arguments_(std::move(arguments)), options_(std::move(options)) {
  arguments_.insert(arguments_.begin(), "--serve");
  if (options_.launcher.has_ranks()) options_.expected.ranks = options_.launcher.ranks;
  ignore_broken_pipes();
  keep_memory();
}

Session::~Session() {
  resume();  // so that it can leave by itself
  stop(true);
}

Answer Session::ask(const Request& request, double timeout_s) {
  const Time deadline = after(timeout_s);
  try {
    if (!child_) start();
    if (!hello_) receive_hello(deadline);
    return exchange(request, deadline);
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

void Session::start() {
  diagnostics_.clear();
  const std::string program = "cannot start " + safe_line(program_.string());
  try {
    listener_ = std::make_unique<Listener>();
  } catch (const std::system_error& fault) {
    throw SessionError(Kind::not_started, fmt::format("{}: {}", program, fault.what()));
  }
  std::vector<std::string> words = options_.launcher.filled(listener_->path());
  words.push_back(program_.string());
  words.insert(words.end(), arguments_.begin(), arguments_.end());
  try {
    child_ = std::make_unique<ChildProcess>(std::move(words), listener_->path());
  } catch (const std::system_error& fault) {
    listener_.reset();
    throw SessionError(Kind::not_started, fmt::format("{}: {}", program, fault.code().message()));
  }
  listens_ = true;
}

void Session::receive_hello(Time deadline) {
  while (!received_header()) wait(deadline);
  Hello hello = parse_hello(*received_header());
  const std::string other = difference(hello, options_.expected);
  if (!other.empty()) throw SessionError(Kind::other_program, other);
  require(received_header()->size() + 1 == received_.size(), "it wrote more after its hello");
  received_.clear();
  hello_ = std::move(hello);
  has_greeted_ = true;
}

Answer Session::exchange(const Request& request, Time deadline) {
  const AnswerShape wanted = expected_shape(request);
  receive_some();
  require(received_.empty(), "answered before it was asked");
  sending_ = format_request(request, ++last_id_);
  sent_ = header_size_ = columns_size_ = 0;
  came_early_ = false;
  while (!received_header()) wait(deadline);

  AnswerHeader header = parse_answer_header(*received_header());
  inspect(header, wanted);
  header_size_ = received_header()->size() + 1;
  columns_size_ = header.answer.refused == Refusal::none ? columns_size(wanted) : 0;
  // More than this only when it comes: what was announced need not.
  constexpr std::size_t believed = std::size_t{1} << 26;
  received_.reserve(header_size_ + std::min(columns_size_, believed));
  while (received_.size() < expected_size()) wait(deadline);
  answer_seconds_ = std::chrono::duration<double>(Clock::now() - sent_at_).count();
  child_->drain();

  require(received_.size() == expected_size(), "it wrote more after its answer");
  Answer answer = parse_answer(std::move(header), std::string_view(received_).substr(header_size_));
  received_ = sending_ = {};  // which also frees the memory
  if (answer.refused != Refusal::none) {
    const bool unsupported = answer.refused == Refusal::unsupported;
    throw SessionError(unsupported ? Kind::unsupported : Kind::refused,
                       safe_line(answer.error, max_refusal_size));
  }
  return answer;
}

// The header, without the end of its line, as soon as all of it is there.
std::optional<std::string_view> Session::received_header() const {
  const std::string_view received = received_;
  const std::size_t end = received.substr(0, max_header_size).find('\n');
  if (end != received.npos) return received.substr(0, end);
  require(received.empty() || received[0] == '{', "what it sent is not a header in JSON: \"{}\"",
          safe_line(received, 60));
  require(received.size() < max_header_size, "the header is longer than {} bytes: \"{}\"",
          max_header_size, safe_line(received, 60));
  return std::nullopt;
}

void Session::inspect(const AnswerHeader& header, const AnswerShape& wanted) const {
  const std::uint64_t id = header.answer.id;
  require(id == last_id_, "answered request {} when asked {}{}", id, last_id_,
          id < last_id_ ? ": an answer to an earlier request" : "");
  // This ends the program, so it may come early, for a request with a bad header.
  if (header.answer.refused == Refusal::failed) return;
  require(sent_ == sending_.size() && !came_early_, "answered before it had the whole request");
  if (header.answer.refused != Refusal::none) return;
  require(header.shape.bodies == wanted.bodies, "answered for {} bodies when asked for {}",
          header.shape.bodies, wanted.bodies);
  require(header.shape.states == wanted.states, "answered with {} states when asked for {}",
          header.shape.states, wanted.states);
  require_vectors("accelerations", header.shape.accelerations, wanted.accelerations);
  require_vectors("jerks", header.shape.jerk, wanted.jerk);
}

std::string Session::end_conversation(Time deadline) {
  listener_.reset();
  connection_.close();
  return child_->stop(deadline);
}

void Session::stop(bool patiently) {
  if (!child_) return;
  end_conversation(patiently ? Clock::now() + time_to_leave : Clock::now());
  diagnostics_ = child_->diagnostics();
  child_.reset();
  hello_.reset();
  received_ = sending_ = {};
  sent_ = 0;
}

std::string Session::finish(double timeout_s) {
  if (!child_) return "";
  const std::string ending = end_conversation(after(timeout_s));
  stop(false);
  return ending;
}

void Session::pause() const {
  if (child_) child_->pause();
}

void Session::resume() const {
  if (child_) child_->resume();
}

std::size_t Session::memory() const { return child_ ? child_->memory() : 0; }

ThreadTimes Session::thread_times() const {
  return child_ ? child_->thread_times() : ThreadTimes{};
}

double Session::cpu_seconds() const { return child_ ? child_->cpu_seconds() : 0; }

std::string Session::diagnostics() const { return child_ ? child_->diagnostics() : diagnostics_; }

}  // namespace nbody::protocol
